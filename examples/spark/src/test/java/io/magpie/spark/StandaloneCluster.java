package io.magpie.spark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A master of Spark's and workers of one core each, in processes of their own; without a
 * distribution of Spark, from the class path of this process.
 */
final class StandaloneCluster implements AutoCloseable {
  private static final String DEPLOY = "org.apache.spark.deploy.";
  private static final String HOST = "127.0.0.1";
  private static final int SECONDS = 60;

  private final Path folder;
  private final int port;
  private final List<Process> all = new ArrayList<>();

  /**
   * @param folder for logs and for what workers keep
   */
  StandaloneCluster(Path folder, int workers) throws IOException, InterruptedException {
    this.folder = folder;
    Files.createDirectories(folder.resolve("jars")); // where Spark looks for its own
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      port = free.getLocalPort();
    }
    try {
      start("master", DEPLOY + "master.Master", "--port", "" + port);
      awaitMaster();
      for (int i = 0; i < workers; i++) {
        String[] words = {"--cores", "1", "--memory", "1g", "--work-dir", "", master()};
        words[5] = folder.resolve("work-" + i).toString();
        start("worker-" + i, DEPLOY + "worker.Worker", words);
      }
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void start(String log, String main, String... more) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path"), main));
    words.addAll(List.of("--host", HOST, "--webui-port", "0"));
    words.addAll(List.of(more));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.directory(folder.toFile());
    builder.environment().put("SPARK_HOME", folder.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", HOST);
    builder.redirectErrorStream(true);
    builder.redirectOutput(folder.resolve(log + ".log").toFile());
    all.add(builder.start());
  }

  /** A worker that finds no master tries again only seconds later. */
  private void awaitMaster() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(HOST, port), 1000);
        return;
      } catch (IOException e) {
        if (!all.get(0).isAlive() || System.nanoTime() > end) {
          throw new IOException("no master: " + Files.readString(folder.resolve("master.log")), e);
        }
      }
      Thread.sleep(50);
    }
  }

  String master() {
    return "spark://" + HOST + ":" + port;
  }

  /** Workers that are alive. */
  long workersLeft() {
    return all.stream().skip(1).filter(Process::isAlive).count();
  }

  /** Ends all, executors first, as nobody else would. */
  @Override
  public void close() {
    for (Process each : all) {
      try (Stream<ProcessHandle> executors = each.descendants()) {
        executors.forEach(ProcessHandle::destroyForcibly);
      }
      each.destroyForcibly();
    }
    for (Process each : all) {
      each.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join();
    }
  }
}
