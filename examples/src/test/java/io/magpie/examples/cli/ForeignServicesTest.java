package io.magpie.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.MsfComparison;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.compare.WrongComparison;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputKind;
import io.magpie.stm.Device;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Comparisons and kinds of input of somebody else's, with faults: what is at fault is told. */
class ForeignServicesTest {
  private static final String REMEDY = "; fix the jar, or remove it from the class path";

  @TempDir Path folder;

  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  /** Registers a service as a jar on the class path would. */
  private void register(Class<?> service, String provider) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(service.getName()), provider + "\n");
    Thread.currentThread()
        .setContextClassLoader(new URLClassLoader(new URL[] {folder.toUri().toURL()}, before));
  }

  @AfterEach
  void forget() throws IOException {
    if (Thread.currentThread().getContextClassLoader() instanceof URLClassLoader with) {
      Thread.currentThread().setContextClassLoader(before);
      if (with != before) {
        with.close();
      }
    }
  }

  /** Where the services of this class are. */
  private static Path classes() {
    return Path.of(
        ForeignServicesTest.class.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  private static void assertRefused(CommandRun run, String... parts) {
    run.expect(ExitStatus.INTERNAL_ERROR);
    assertEquals(1, run.err().lines().count(), run.err());
    for (String part : parts) {
      assertTrue(run.err().contains(part), run.err());
    }
    assertTrue(run.err().contains(REMEDY), run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.no.SuchKind", "io.magpie.examples.cli.Main"})
  void aKindThatCannotBeLoadedIsToldInASentence(String provider) throws IOException {
    register(InputKind.class, provider);

    assertRefused(CommandRun.of("devices"), provider + " not ", ", registered in " + folder);
    String traced = CommandRun.of("devices", "--stacktrace").err();
    assertTrue(traced.contains("\tat "), traced);
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.no.SuchKind", "io.magpie.examples.cli.ForeignServicesTest$Seed"})
  void aKindThatCannotBeUsedIsNotInTheWayOfHelpAndDoctor(String provider) throws IOException {
    register(InputKind.class, provider);

    CommandRun help = CommandRun.of("msf", "--help").expect(ExitStatus.OK);
    assertTrue(help.out().contains("--generate"), help.out());
    assertTrue(help.err().startsWith("magpie: warning: "), help.err());
    assertTrue(help.err().contains(provider), help.err());
    CommandRun.of("doctor", "--quick");
  }

  @Test
  void theDoctorSaysWhatCannotBeLoaded() throws IOException {
    register(Comparison.class, "io.no.SuchComparison");

    CommandRun run = CommandRun.of("doctor", "--quick").expect(ExitStatus.NOT_VERIFIED);

    assertTrue(
        run.out().matches("(?s).*\nbad +class path +.*io.no.SuchComparison not found.*"),
        run.out());
    assertTrue(run.out().contains(REMEDY.substring(2)), run.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.no.SuchComparison", "two words"})
  void aComparisonThatCannotBeLoadedIsInTheWayOfComparisonsOnly(String provider)
      throws IOException {
    register(Comparison.class, provider);
    String named = provider.contains(" ") ? Comparison.class.getName() : provider;

    assertRefused(CommandRun.of("compare", "msf", "--generate", "path:9"), named, "" + folder);
    assertRefused(CommandRun.of("schema"), named, "" + folder);
    CommandRun help = CommandRun.of("compare", "--help").expect(ExitStatus.OK);
    assertTrue(help.out().contains("\npartition: "), help.out());
    assertTrue(help.err().startsWith("magpie: warning: "), help.err());
    assertTrue(help.err().contains(named) && help.err().endsWith(REMEDY + "\n"), help.err());
    String traced = CommandRun.of("compare", "--help", "--stacktrace").err();
    assertTrue(traced.contains("\tat "), traced);
    CommandRun.of("devices").expect(ExitStatus.OK);
    CommandRun.of("msf", "--generate", "path:9", "--device", "cpu:1").expect(ExitStatus.OK);
  }

  /** A class of a Java that is newer than this one, as jars may have it. */
  @Test
  void theJarOfAClassThatCannotBeLoadedIsNamed() throws IOException {
    Path jar = folder.resolve("its jar.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("META-INF/services/" + InputKind.class.getName()));
      out.write("# of a newer Java\norg.other.Newer # and that is all\n".getBytes(UTF_8));
      out.putNextEntry(new JarEntry("org/other/Newer.class"));
      out.write(HexFormat.of().parseHex("cafebabe00000fff"));
    }
    Thread.currentThread()
        .setContextClassLoader(new URLClassLoader(new URL[] {jar.toUri().toURL()}, before));

    assertRefused(
        CommandRun.of("devices"), "UnsupportedClassVersionError", ", registered in " + jar);
  }

  @Test
  void twoComparisonsOfOneNameAreRefused() throws IOException {
    register(Comparison.class, Twin.class.getName());

    assertRefused(
        CommandRun.of("compare", "msf", "--generate", "path:9"),
        "'msf'",
        Twin.class.getName(),
        MsfComparison.class.getName());
  }

  @Test
  void twoKindsOfOneNameAreRefused() throws IOException {
    register(InputKind.class, Wheel.class.getName());

    assertRefused(
        CommandRun.of("devices"),
        "'wheel'",
        Wheel.class.getName() + " in " + classes(),
        "io.magpie.examples.input.WheelKind");
  }

  /** The options that are there: of commands, of all commands, of help, and of other kinds. */
  @ParameterizedTest
  @ValueSource(classes = {Seed.class, Help.class, Stacktrace.class, AnyInput.class, Colored.class})
  void aKindNamedLikeAnOptionIsRefused(Class<?> kind) throws Exception {
    register(InputKind.class, kind.getName());
    String name = ((InputKind) kind.getConstructor().newInstance()).name();

    assertRefused(CommandRun.of("devices"), kind.getName() + " in " + classes(), "--" + name);
  }

  @Test
  void aKindNamedLikeOneOfMagpiesIsRefused() throws IOException {
    register(InputKind.class, Graph.class.getName());

    assertRefused(CommandRun.of("devices"), "'graph'", Graph.class.getName(), "Magpie's own");
  }

  @ParameterizedTest
  @ValueSource(classes = {UpperCase.class, Blank.class, Nameless.class, Unlabeled.class})
  void aKindThatDoesNotSayWhatItShouldIsRefused(Class<?> kind) throws IOException {
    register(InputKind.class, kind.getName());

    assertRefused(CommandRun.of("devices"), kind.getName());
  }

  @Test
  void aFaultOfAKindIsToldAsSuch() throws IOException {
    register(InputKind.class, Throwing.class.getName());

    CommandRun run =
        CommandRun.of("msf", "--throwing", "9", "--device", "cpu:1")
            .expect(ExitStatus.INTERNAL_ERROR);

    assertTrue(
        run.err()
            .contains(
                "This is a fault of input kind 'throwing' ("
                    + Throwing.class.getName()
                    + "); --stacktrace shows where."),
        run.err());
  }

  /** By its option and by {@code --input}, whoever takes it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "compare msf --none 9",
        "compare msf --input none:9",
        "msf --none 9",
        "partition -k 2 --input none:9"
      })
  void aKindThatGivesNoInputIsToldAsSuch(String command) throws IOException {
    register(InputKind.class, None.class.getName());

    assertRefused(
        CommandRun.of(command.split(" ")),
        "input kind 'none' of " + None.class.getName() + " in " + classes() + " makes null of '9'");
  }

  /** Such as a folder, of which Java says no more than that it is one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "compare msf --unreadable a/b --devices cpu:1",
        "msf --unreadable a/b --device cpu:1",
        "partition -k 2 --unreadable a/b --device cpu:1"
      })
  void anInputThatCannotBeReadIsNamed(String command) throws IOException {
    register(InputKind.class, Unreadable.class.getName());

    CommandRun run = CommandRun.of(command.split(" ")).expect(ExitStatus.BAD_INPUT);

    assertEquals(
        "magpie " + command.split(" ")[0] + ": a/b: cannot be read: Is a directory\n", run.err());
  }

  @Test
  void aFaultOfAComparisonIsToldAsSuch() {
    CommandRun run =
        CommandRun.of(
                "compare",
                "wrong",
                "--generate",
                "path:3",
                "--variants",
                "when=throws",
                "--devices",
                "cpu:1")
            .expect(ExitStatus.INTERNAL_ERROR);

    assertTrue(
        run.err()
            .contains(
                "This is a fault of comparison 'wrong' ("
                    + WrongComparison.class.getName()
                    + "); --stacktrace shows where."),
        run.err());
    assertFalse(run.err().contains("Magpie itself"), run.err());
  }

  /** Called as a jar's own class does it, which stands next to its comparison. */
  @Test
  void aFaultOfAnotherClassOfAJarIsItsComparisons() throws IOException {
    register(Comparison.class, Helped.class.getName());

    CommandRun run =
        CommandRun.of("compare", "helped", "--generate", "path:3", "--devices", "cpu:1")
            .expect(ExitStatus.INTERNAL_ERROR);

    assertTrue(run.err().contains("comparison 'helped' (" + Helped.class.getName()), run.err());
  }

  @Test
  void aModuleThatAJarLacksIsItsFault() throws IOException {
    register(Comparison.class, Moduleless.class.getName());

    CommandRun run =
        CommandRun.of("compare", "moduleless", "--generate", "path:3", "--devices", "cpu:1")
            .expect(ExitStatus.INTERNAL_ERROR);

    assertTrue(run.err().contains(" failed: There is no module 'no-such'"), run.err());
    assertTrue(
        run.err().contains("fault of comparison 'moduleless' (" + Moduleless.class.getName() + ")"),
        run.err());
  }

  /** Whatever its name is: references to its definitions are found. */
  @Test
  void theSchemaDescribesTheSettingsOfAComparison() throws IOException {
    register(Comparison.class, Odd.class.getName());

    ObjectMapper mapper = new ObjectMapper();
    ObjectNode schema = (ObjectNode) mapper.readTree(CommandRun.of("schema").out());
    ObjectNode run = mapper.createObjectNode().put("$ref", "#/$defs/run");
    run.set("$defs", schema.get("$defs"));
    Schema lines =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(run);
    ObjectNode line = mapper.createObjectNode().put("algorithm", new Odd().name());
    line.putObject("variant");
    int before = lines.validate(line).size(); // it lacks most fields
    line.withObject("variant").put("surprise", "1");
    assertEquals(before + 1, lines.validate(line).size());
  }

  // ---- Comparisons and kinds as a jar may have them.

  /** Options of none. */
  public static final class Bare extends Options<Bare> {
    @Override
    public List<Setting<?>> settings() {
      return List.of();
    }

    @Override
    protected Bare copy(Map<String, Object> changed) {
      return this;
    }
  }

  private abstract static class Own implements Comparison<Bare> {
    private final String name;

    Own(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String summary() {
      return "a test";
    }

    @Override
    public Bare defaults() {
      return new Bare();
    }

    @Override
    public Prepared<Bare> prepare(Input source, Progress progress) {
      throw new IllegalStateException("on purpose");
    }
  }

  public static final class Twin extends Own {
    public Twin() {
      super("msf");
    }
  }

  public static final class Odd extends Own {
    public Odd() {
      super("a/b~c d%25#\u00e4\"");
    }
  }

  public static final class Helped extends Own {
    public Helped() {
      super("helped");
    }
  }

  /** Asks for a module that is not there. */
  public static final class Moduleless extends Own {
    public Moduleless() {
      super("moduleless");
    }

    @Override
    public Prepared<Bare> prepare(Input source, Progress progress) {
      return new Prepared<>() {
        @Override
        public Map<String, Long> sizes() {
          return Map.of("vertices", 3L);
        }

        @Override
        public String hash() {
          return "none";
        }

        @Override
        public Program variant(Device device, Bare variant) {
          return () -> {
            throw new IllegalStateException(device.load("no-such").name());
          };
        }
      };
    }
  }

  private abstract static class Kind implements InputKind {
    private final String name;

    Kind(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Class<? extends Input> type() {
      return GraphInput.class;
    }

    @Override
    public String label() {
      return "FILE";
    }

    @Override
    public String description() {
      return "A test.";
    }

    @Override
    public Input parse(String spec) {
      throw new IllegalStateException("on purpose");
    }
  }

  public static final class Throwing extends Kind {
    public Throwing() {
      super("throwing");
    }
  }

  public static final class None extends Kind {
    public None() {
      super("none");
    }

    @Override
    public Input parse(String spec) {
      return null;
    }
  }

  public static final class Unreadable extends Kind {
    public Unreadable() {
      super("unreadable");
    }

    @Override
    public Input parse(String spec) {
      return new GraphInput() {
        @Override
        public String description() {
          return spec;
        }

        @Override
        public boolean generated() {
          return false;
        }

        @Override
        public io.magpie.algorithms.graph.Graph graph() throws IOException {
          throw new IOException("Is a directory");
        }
      };
    }
  }

  public static final class Wheel extends Kind {
    public Wheel() {
      super("wheel");
    }
  }

  public static final class Graph extends Kind {
    public Graph() {
      super("graph");
    }
  }

  public static final class Seed extends Kind {
    public Seed() {
      super("seed");
    }
  }

  public static final class Help extends Kind {
    public Help() {
      super("help");
    }
  }

  public static final class Stacktrace extends Kind {
    public Stacktrace() {
      super("stacktrace");
    }
  }

  public static final class AnyInput extends Kind {
    public AnyInput() {
      super("input");
    }
  }

  /** An option of one command only. */
  public static final class Colored extends Kind {
    public Colored() {
      super("ladder");
    }
  }

  public static final class UpperCase extends Kind {
    public UpperCase() {
      super("Edges");
    }
  }

  public static final class Blank extends Kind {
    public Blank() {
      super("two words");
    }
  }

  public static final class Nameless extends Kind {
    public Nameless() {
      super(null);
    }
  }

  public static final class Unlabeled extends Kind {
    public Unlabeled() {
      super("unlabeled");
    }

    @Override
    public String label() {
      throw new IllegalStateException("on purpose");
    }
  }
}
