package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.spark.TestEdges.Edge;
import io.magpie.spark.TestJobs.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Executors in processes of their own, of which one is lost. Tasks that fail or are repeated within
 * a process are in {@link ForestTest}.
 */
@Tag("slow")
class ExecutorsTest {
  private static final int PARTITIONS = 7;

  @TempDir private Path folder;

  /** Spark looks for its jars there where it starts processes; they are on the class path. */
  @BeforeAll
  static void sparkNeedsNoDistribution() throws IOException {
    assumeTrue(System.getenv("SPARK_HOME") == null, "SPARK_HOME is set: Spark takes its jars");
    Files.createDirectories(Path.of("jars"));
  }

  /**
   * Each partition opens the file once, and one of two executors has four of seven: so one is lost
   * in the map stage, with the forests of two partitions.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anExecutorThatIsKilledChangesNothing(boolean kept) throws IOException {
    List<Edge> edges = TestEdges.random(20260403, 300, 3000, 4);
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(
        input, "required int32 src; required int32 dst; required double weight;", edges);
    Path out = folder.resolve("forest");
    List<String> words =
        new ArrayList<>(
            List.of(
                "msf",
                "--engine",
                "spark",
                "--master",
                "local-cluster[2,1,1024]",
                "--conf",
                "spark.executorEnv.SPARK_SCALA_VERSION=2.13", // else it looks for its own build
                "--conf",
                "spark.executorEnv.JAVA_HOME=" + System.getProperty("java.home"),
                "--conf",
                "spark.executor.extraClassPath=" + System.getProperty("java.class.path"),
                "--conf",
                "spark.hadoop.fs.halting.impl=" + HaltingFileSystem.class.getName(),
                "--conf",
                "spark.hadoop." + HaltingFileSystem.OPENED + "=2",
                "--input",
                "halting:" + input,
                "--partitions",
                "" + PARTITIONS,
                "--device",
                "cpu:1",
                "--out",
                out.toString(),
                "--verify",
                "--json"));
    if (kept) {
      words.addAll(List.of("--checkpoint", folder.resolve("kept").toString()));
    }
    Run run = TestJobs.magpie(words.toArray(new String[0])).done();
    assertTrue(Files.exists(Path.of(input + HaltingFileSystem.ENDED)), "no executor has been lost");
    assertEquals(TestEdges.forest(edges, false), TestJobs.ids(out));
    JsonNode told = new ObjectMapper().readTree(run.out());
    assertEquals("verified", told.get("verdict").asText());
  }
}
