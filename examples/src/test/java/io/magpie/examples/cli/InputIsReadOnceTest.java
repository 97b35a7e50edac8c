package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.examples.input.GeneratedGraph;
import io.magpie.examples.input.GeneratedMesh;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputKind;
import io.magpie.examples.input.MeshInput;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A command parses its input's specification once and reads the input once, whatever it does with
 * it: compute, verify, draw, write and compare on several devices.
 */
class InputIsReadOnceTest {
  /** A second reader would wait for ever; a run may have to compile its module first. */
  private static final Duration LONG = Duration.ofMinutes(10);

  private static final List<String> PARSED = new ArrayList<>();
  private static final List<String> READ = new ArrayList<>();

  @TempDir Path folder;

  /** A kind that keeps what was asked of it. */
  private abstract static class Counted implements InputKind {
    @Override
    public String label() {
      return "SPEC";
    }

    @Override
    public String description() {
      return "Keeps what is asked of it.";
    }

    @Override
    public Input parse(String spec) {
      PARSED.add(spec);
      return input(spec);
    }

    abstract Input input(String spec);
  }

  public static final class CountedGraph extends Counted {
    @Override
    public String name() {
      return "counted-graph";
    }

    @Override
    public Class<? extends Input> type() {
      return GraphInput.class;
    }

    @Override
    Input input(String spec) {
      GraphInput generated = GeneratedGraph.of(spec);
      return new GraphInput() {
        @Override
        public String description() {
          return generated.description();
        }

        @Override
        public boolean generated() {
          return true;
        }

        @Override
        public Graph graph() throws IOException {
          READ.add(spec);
          return generated.graph();
        }

        @Override
        public boolean hasCoordinates() {
          return generated.hasCoordinates();
        }

        @Override
        public Optional<Coordinates> coordinates() {
          return ((GeneratedGraph) generated).coordinates();
        }
      };
    }
  }

  public static final class CountedMesh extends Counted {
    @Override
    public String name() {
      return "counted-mesh";
    }

    @Override
    public Class<? extends Input> type() {
      return MeshInput.class;
    }

    @Override
    Input input(String spec) {
      MeshInput generated = GeneratedMesh.of(spec);
      return new MeshInput() {
        @Override
        public String description() {
          return generated.description();
        }

        @Override
        public boolean generated() {
          return true;
        }

        @Override
        public Mesh mesh() throws IOException {
          READ.add(spec);
          return generated.mesh();
        }
      };
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "msf --counted-graph | road:60 | --verify --details --png p.png --out f.gr --device cpu:1",
        "msf --input counted-graph: | road:60 | --verify --png p.png --device cpu:1",
        "partition --counted-graph | road:60 | -k 3 --verify --png p.png --out p.txt --device"
            + " cpu:1",
        "components --counted-graph | road:60 | --verify --png p.png --device cpu:1",
        "paths --counted-graph | road:60 | --verify --png p.png --device cpu:1",
        "refine --counted-mesh | uniform:60 | --verify --histogram --png p.png --svg p.svg"
            + " --out m.obj --device cpu:1",
        "refine --input counted-mesh: | uniform:60 | --verify --png p.png --device cpu:1",
        "compare msf --counted-graph | road:60 | --variants merge=all --results new,kept,device"
            + " --with kruskal --repeats 2 --devices cpu:1,cpu:2",
        "compare msf --input counted-graph: | road:60 | --repeats 2 --devices cpu:1,cpu:2",
        "compare partition --counted-graph | road:60 | --variants parts=3 --repeats 2"
            + " --devices cpu:1,cpu:2",
        "compare components --counted-graph | road:60 | --repeats 2 --devices cpu:1,cpu:2",
        "compare paths --counted-graph | road:60 | --repeats 2 --devices cpu:1,cpu:2",
        "compare refine --counted-mesh | uniform:60 | --repeats 2 --devices cpu:1,cpu:2",
      })
  void ofAnyKind(String command, String input, String rest) throws IOException {
    PARSED.clear();
    READ.clear();
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader with = new URLClassLoader(new URL[] {services()}, before)) {
      Thread.currentThread().setContextClassLoader(with);
      run(command, input, rest).expect(ExitStatus.OK);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
    assertEquals(List.of(input), PARSED, "parsed");
    assertEquals(List.of(input), READ, "read");
  }

  /** Registers the kinds as a jar on the class path would. */
  private URL services() throws IOException {
    Path services = Files.createDirectories(folder.resolve("jar/META-INF/services"));
    Files.write(
        services.resolve(InputKind.class.getName()),
        List.of(CountedGraph.class.getName(), CountedMesh.class.getName()));
    return folder.resolve("jar").toUri().toURL();
  }

  /** Files of our own kinds are given as pipes, which nobody can read a second time. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "msf --graph | g.gr | --verify --png p.png --coordinates c.xyz --out f.gr --device cpu:1",
        "msf --input graph: | g.gr | --verify --device cpu:1",
        "partition --graph | g.gr | -k 2 --verify --png p.png --coordinates c.xyz --device cpu:1",
        "components --graph | g.gr | --verify --png p.png --coordinates c.xyz --device cpu:1",
        "paths --digraph | g.gr | --verify --png p.png --coordinates c.xyz --device cpu:1",
        "refine --mesh | m.obj | --verify --png p.png --svg p.svg --out m.off --device cpu:1",
        "refine --input poly: | m.obj | --verify --png p.png --device cpu:1",
        "compare msf --graph | g.gr | --with kruskal --repeats 2 --devices cpu:1,cpu:2",
        "compare partition --graph | g.gr | --variants parts=2 --repeats 2 --devices cpu:1,cpu:2",
        "compare components --graph | g.gr | --repeats 2 --devices cpu:1,cpu:2",
        "compare paths --digraph | g.gr | --repeats 2 --devices cpu:1,cpu:2",
        "compare refine --mesh | m.obj | --repeats 2 --devices cpu:1,cpu:2",
      })
  void ofFiles(String command, String name, String rest) throws Exception {
    String text =
        name.endsWith(".gr")
            ? "p sp 4 8\na 1 2 4\na 2 1 4\na 2 3 1\na 3 2 1\na 3 4 3\na 4 3 3\na 4 1 2\na 1 4 2\n"
            : "v 0 0 0\nv 9 0 0\nv 9 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
    Files.writeString(folder.resolve("c.xyz"), "0 0 0\n1 0 0\n1 1 0\n0 1 0\n");
    Path pipe = folder.resolve(name);
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Process writer =
        new ProcessBuilder("sh", "-c", "printf '%s' \"$1\" > \"$0\"", pipe.toString(), text)
            .start();
    try {
      assertTimeoutPreemptively(LONG, () -> run(command, pipe.toString(), rest))
          .expect(ExitStatus.OK);
      assertEquals(0, writer.waitFor());
    } finally {
      writer.destroy();
    }
  }

  /** Names of files are in the folder. */
  private CommandRun run(String command, String input, String rest) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    int last = words.size() - 1;
    if (words.get(last).endsWith(":")) {
      words.set(last, words.get(last) + input);
    } else {
      words.add(input);
    }
    for (String word : rest.split(" ")) {
      words.add(word.matches("[a-z]+\\.[a-z]+") ? folder.resolve(word).toString() : word);
    }
    return CommandRun.of(words.toArray(new String[0]));
  }
}
