package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.examples.cli.ExitStatus;
import io.magpie.spark.TestEdges.Edge;
import io.magpie.spark.TestJobs.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Executors in processes of their own, of which one is lost, alone or with its worker. Tasks that
 * fail or are repeated within a process are in {@link ForestTest}.
 */
@Tag("slow")
class ExecutorsTest {
  private static final int PARTITIONS = 7;

  /** What executors need that Spark starts without a distribution of its own. */
  private static final List<String> CLASS_PATH =
      List.of(
          "--conf",
          "spark.executorEnv.SPARK_SCALA_VERSION=2.13", // else it looks for its own build
          "--conf",
          "spark.executorEnv.JAVA_HOME=" + System.getProperty("java.home"),
          "--conf",
          "spark.executor.extraClassPath=" + System.getProperty("java.class.path"));

  private static final List<String> LOCAL_CLUSTER =
      Stream.concat(Stream.of("--master", "local-cluster[2,1,1024]"), CLASS_PATH.stream()).toList();

  @TempDir private Path folder;

  /** Options of a job of which one executor ends when it opens the file for the third time. */
  private static List<String> lossy(Path input) {
    return List.of(
        "--conf",
        "spark.hadoop.fs.halting.impl=" + HaltingFileSystem.class.getName(),
        "--conf",
        "spark.hadoop." + HaltingFileSystem.OPENED + "=2",
        "--input",
        "halting:" + input,
        "--partitions",
        "" + PARTITIONS,
        "--device",
        "cpu:1");
  }

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
    List<String> words = new ArrayList<>(List.of("msf", "--engine", "spark"));
    words.addAll(LOCAL_CLUSTER);
    words.addAll(lossy(input));
    words.addAll(List.of("--out", out.toString(), "--verify", "--json"));
    if (kept) {
      words.addAll(List.of("--checkpoint", folder.resolve("kept").toString()));
    }
    Run run = TestJobs.magpie(words.toArray(new String[0])).done();
    assertTrue(Files.exists(Path.of(input + HaltingFileSystem.ENDED)), "no executor has been lost");
    assertEquals(TestEdges.forest(edges, false), TestJobs.ids(out));
    JsonNode told = new ObjectMapper().readTree(run.out());
    assertEquals("verified", told.get("verdict").asText());
  }

  /** A master and two workers; the executor that ends kills the worker that has started it. */
  @ParameterizedTest
  @ValueSource(strings = {"msf", "components"})
  void aWorkerThatIsKilledWithItsExecutorChangesNothing(String command) throws Exception {
    List<Edge> edges = TestEdges.random(20260904, 300, 3000, 4);
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(
        input, "required int32 src; required int32 dst; required double weight;", edges);
    Path out = folder.resolve("result");
    Run run;
    try (StandaloneCluster cluster = new StandaloneCluster(folder, 2)) {
      List<String> words = new ArrayList<>(List.of(command, "--engine", "spark"));
      words.addAll(List.of("--master", cluster.master()));
      words.addAll(CLASS_PATH);
      for (String conf :
          List.of(
              "spark.driver.host=127.0.0.1",
              "spark.driver.bindAddress=127.0.0.1",
              "spark.ui.enabled=false",
              "spark.executor.memory=512m",
              "spark.scheduler.minRegisteredResourcesRatio=1.0", // both executors take part
              "spark.hadoop." + HaltingFileSystem.MACHINE + "=true")) {
        words.addAll(List.of("--conf", conf));
      }
      words.addAll(lossy(input));
      words.addAll(List.of("--out", out.toString(), "--verify", "--json"));
      run = TestJobs.magpie(words.toArray(new String[0])).done();
      assertEquals(1, cluster.workersLeft(), "workers that are left");
    }
    JsonNode told = new ObjectMapper().readTree(run.out());
    assertEquals("verified", told.get("verdict").asText());
    if (command.equals("msf")) {
      assertEquals(TestEdges.forest(edges, false), TestJobs.ids(out));
    } else {
      assertEquals(ComponentsTest.expected(edges, 300), ComponentsTest.read(out));
    }
  }

  /**
   * Spark's scheduling of resources from the discovery script to the device of a task, as far as
   * that goes without a GPU: the number is one that no machine has.
   */
  @Test
  void aTaskTakesTheGpuThatTheClusterHasFound() throws IOException {
    Path script = folder.resolve("gpus.sh");
    Files.writeString(script, "#!/bin/sh\necho '{\"name\": \"gpu\", \"addresses\": [\"977\"]}'\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> words = new ArrayList<>(List.of("msf", "--engine", "spark"));
    words.addAll(LOCAL_CLUSTER);
    for (String conf :
        List.of(
            "spark.worker.resource.gpu.amount=1",
            "spark.worker.resource.gpu.discoveryScript=" + script,
            "spark.executor.resource.gpu.amount=1",
            "spark.task.resource.gpu.amount=1")) {
      words.addAll(List.of("--conf", conf));
    }
    words.addAll(List.of("--generate", "rmat:scale=5", "--partitions", "1"));
    Run run = TestJobs.magpie(words.toArray(new String[0]));
    assertEquals(ExitStatus.DEVICE_UNAVAILABLE.code(), run.status(), run.out() + run.err());
    assertTrue(run.err().contains("cuda:977"), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }
}
