package io.magpie.stm.internal.toolchain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.MagpieException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Entries are produced once, by whichever thread or process comes first, and again when they are
 * damaged.
 */
class ArtifactCacheTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir Path folder;
  private final AtomicInteger produced = new AtomicInteger();

  private void produce(Path target) throws IOException {
    produced.incrementAndGet();
    Files.writeString(target, "content");
  }

  @Test
  void anEntryIsProducedOnce() throws IOException {
    ArtifactCache cache = new ArtifactCache(folder.resolve("not/there/yet"));

    Path first = cache.file("entry.so", this::produce);

    assertEquals("content", Files.readString(first));
    assertEquals(first, cache.file("entry.so", this::produce));
    assertEquals(1, produced.get());
  }

  @Test
  void aDamagedEntryIsProducedAgain() throws IOException {
    ArtifactCache cache = new ArtifactCache(folder);
    Path entry = cache.file("entry.so", this::produce);

    Files.writeString(entry, "cont");
    assertEquals("content", Files.readString(cache.file("entry.so", this::produce)), "truncated");
    Files.delete(folder.resolve("entry.so.sha256"));
    assertEquals(
        "content", Files.readString(cache.file("entry.so", this::produce)), "checksum missing");
    Files.writeString(folder.resolve("entry.so.sha256"), "half a check");
    assertEquals(
        "content", Files.readString(cache.file("entry.so", this::produce)), "checksum damaged");
    Files.delete(entry);
    assertEquals("content", Files.readString(cache.file("entry.so", this::produce)), "missing");

    assertEquals(5, produced.get());
  }

  @Test
  void swappedEntriesAreProducedAgain() throws IOException {
    ArtifactCache cache = new ArtifactCache(folder);
    Path one = cache.file("one.so", target -> Files.writeString(target, "one"));
    Path two = cache.file("two.so", target -> Files.writeString(target, "two"));
    Files.copy(two, one, StandardCopyOption.REPLACE_EXISTING);
    Files.copy(
        folder.resolve("two.so.sha256"),
        folder.resolve("one.so.sha256"),
        StandardCopyOption.REPLACE_EXISTING);

    Path again = cache.file("one.so", target -> Files.writeString(target, "one"));

    assertEquals("one", Files.readString(again));
  }

  @Test
  void anEntryOfKnownContentIsComparedWithItAndNotWithItsRecord() throws IOException {
    ArtifactCache cache = new ArtifactCache(folder);
    Path entry = cache.file("entry.so", target -> Files.writeString(target, "planted"));

    cache.file("entry.so", Hashes.ofBytes("content".getBytes(UTF_8)), this::produce);

    assertEquals("content", Files.readString(entry));
    assertEquals(1, produced.get());
  }

  @Test
  void anEntryThatAnotherUserCanHaveWrittenIsProducedAgain() throws IOException {
    ArtifactCache cache = new ArtifactCache(folder);
    Path entry = cache.file("entry.so", this::produce);
    Files.setPosixFilePermissions(entry, PosixFilePermissions.fromString("rw-rw-rw-"));
    cache.file("entry.so", this::produce);
    assertEquals(2, produced.get(), "written by all");
    assertEquals("rw-------", mode(entry));

    Path planted = Files.writeString(folder.resolve("planted"), "content");
    Files.delete(entry);
    Files.createSymbolicLink(entry, planted);
    cache.file("entry.so", this::produce);
    assertEquals(3, produced.get(), "a link");
    assertFalse(Files.isSymbolicLink(entry));

    PrivateFolderTest.give(entry, 1001);
    cache.file("entry.so", this::produce);
    assertEquals(4, produced.get(), "of another user");
    assertEquals(0, Files.getAttribute(entry, "unix:uid"));
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aFolderThatOthersWriteToIsLeftAlone() throws IOException {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Path planted = Files.writeString(shared.resolve("entry.so"), "planted");
    Files.writeString(shared.resolve("entry.so.sha256"), Hashes.ofFile(planted) + "  entry.so\n");
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));

    Path entry = new ArtifactCache(shared).file("entry.so", this::produce);

    assertFalse(entry.startsWith(shared), entry.toString());
    assertEquals("content", Files.readString(entry));
    assertEquals("rwx------", mode(entry.getParent()));
  }

  @Test
  void theFirstPrivateFolderIsTaken() throws IOException {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path own = folder.resolve("own");

    Path entry =
        new ArtifactCache(List.of(shared.resolve("cache"), own)).file("entry.so", this::produce);

    assertEquals(own.toRealPath(), entry.getParent());
    Path temporary = new ArtifactCache(List.of()).file("entry.so", this::produce).getParent();
    assertEquals("rwx------", mode(temporary), "without any, a temporary one");
  }

  @Test
  void aDamagedTreeIsProducedAgain() throws IOException {
    Path original = Files.createDirectories(folder.resolve("original/below"));
    Files.writeString(original.resolve("a.cuh"), "a");
    String hash = ArtifactCache.hashOfTree(folder.resolve("original"));
    ArtifactCache cache = new ArtifactCache(folder.resolve("cache"));
    ArtifactCache.Producer producer =
        target -> {
          produced.incrementAndGet();
          Files.createDirectory(target.resolve("below"));
          Files.writeString(target.resolve("below/a.cuh"), "a");
        };

    Path tree = cache.tree("headers", hash, producer);
    cache.tree("headers", hash, producer);
    assertEquals(1, produced.get());

    Files.writeString(tree.resolve("below/a.cuh"), "b");
    cache.tree("headers", hash, producer);
    assertEquals("a", Files.readString(tree.resolve("below/a.cuh")));
    Files.writeString(tree.resolve("another.cuh"), "c");
    cache.tree("headers", hash, producer);
    assertFalse(Files.exists(tree.resolve("another.cuh")));
    assertEquals(3, produced.get());
  }

  @Test
  void aTreeThatAnotherProcessMadeMeanwhileIsTaken() throws IOException {
    Path original = Files.createDirectory(folder.resolve("original"));
    Files.writeString(original.resolve("a.cuh"), "a");
    String hash = ArtifactCache.hashOfTree(original);
    Path cache = Files.createDirectory(folder.resolve("cache"), PrivateFolder.ONLY_OWNER);

    Path tree =
        new ArtifactCache(cache)
            .tree(
                "headers",
                hash,
                target -> {
                  Files.writeString(target.resolve("a.cuh"), "a");
                  Files.move(original, cache.resolve("headers"));
                });

    assertEquals(cache.toRealPath().resolve("headers"), tree);
    assertEquals(hash, ArtifactCache.hashOfTree(tree));
    try (var files = Files.list(cache)) {
      assertFalse(files.anyMatch(left -> left.toString().contains(".tmp")));
    }
  }

  @Test
  void aFolderThatCannotBeWrittenIsReplacedByATemporaryOne() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "no folder");
    ArtifactCache cache = new ArtifactCache(file.resolve("cache"));

    Path entry = cache.file("entry.so", this::produce);

    assertFalse(entry.startsWith(file), entry.toString());
    assertEquals("content", Files.readString(entry));
    assertEquals(entry, cache.file("entry.so", this::produce));
    assertEquals(1, produced.get());
  }

  @Test
  void whateverFailsToBeReadOrWrittenThereIsATemporaryOne() {
    for (Exception failure :
        new Exception[] {
          new IOException("as a write"), new UncheckedIOException(new IOException("as a walk"))
        }) {
      ArtifactCache cache = new ArtifactCache(folder.resolve("cache"));

      Path entry =
          cache.file(
              "entry.so",
              target -> {
                if (target.startsWith(folder)) {
                  if (failure instanceof UncheckedIOException unchecked) {
                    throw unchecked;
                  }
                  throw (IOException) failure;
                }
                produce(target);
              });

      assertFalse(entry.startsWith(folder), failure.toString());
    }
  }

  @Test
  void aFailingProducerLeavesNothing() throws IOException {
    ArtifactCache cache = new ArtifactCache(folder);

    assertThrows(
        MagpieException.class,
        () ->
            cache.file(
                "entry.so",
                target -> {
                  Files.writeString(target, "half");
                  throw new MagpieException("compiler error");
                }));

    assertFalse(Files.exists(folder.resolve("entry.so")));
    try (var files = Files.list(folder)) {
      assertFalse(files.anyMatch(left -> left.toString().endsWith(".tmp")));
    }
    assertEquals("content", Files.readString(cache.file("entry.so", this::produce)));
  }

  @Test
  void manyThreadsProduceAnEntryOnce() throws Exception {
    ArtifactCache cache = new ArtifactCache(folder);
    ArtifactCache.Producer slow =
        target -> {
          try {
            Thread.sleep(50);
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          produce(target);
        };
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      List<Callable<String>> calls = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        calls.add(() -> Files.readString(cache.file("entry.so", slow)));
      }
      for (Future<String> call : pool.invokeAll(calls)) {
        assertEquals("content", call.get());
      }
    } finally {
      pool.shutdownNow();
    }
    assertEquals(1, produced.get());
  }

  /**
   * @param command what runs Java, and options for it
   */
  private static ProcessBuilder process(Path cache, Path log, String... command) {
    List<String> all = new ArrayList<>(List.of(command));
    if (command.length == 0) {
      all.add(JAVA);
    }
    all.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            OneProcess.class.getName(),
            cache.toString(),
            log.toString()));
    return new ProcessBuilder(all).redirectErrorStream(true);
  }

  private static String outputOf(Process process) throws Exception {
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "a process hangs");
    return output;
  }

  @Test
  void theUmaskDoesNotMatter() throws Exception {
    Path cache = folder.resolve("cache");
    Process open =
        process(cache, folder.resolve("log"), "sh", "-c", "umask 000; exec \"$@\"", "sh", JAVA)
            .start();
    assertEquals("", outputOf(open));

    assertEquals("rwx------", mode(cache));
    try (var files = Files.list(cache)) {
      for (Path file : files.toList()) {
        assertEquals("rw-------", mode(file), file.toString());
      }
    }
  }

  @Test
  void aProcessThatWaitsForAnotherSaysSo() throws Exception {
    Path cache = Files.createDirectory(folder.resolve("cache"));
    Process waiting;
    try (FileChannel channel =
            FileChannel.open(
                cache.resolve("entry-0.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      assertTrue(held.isValid());
      waiting = process(cache, folder.resolve("log")).start();
      byte[] said = waiting.getInputStream().readNBytes("[main] INFO ".length());
      assertEquals("[main] INFO ", new String(said, UTF_8), "while the lock is held");
    }
    String rest = outputOf(waiting);
    assertTrue(rest.contains("waiting for another process, which is making entry-0"), rest);
    assertEquals(0, waiting.exitValue());
  }

  @Test
  void withoutAnyFolderTheFailureNamesBoth() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "no folder");

    String output =
        outputOf(
            process(
                    file.resolve("cache"),
                    folder.resolve("log"),
                    JAVA,
                    "-Djava.io.tmpdir=" + folder.resolve("no/such/folder"))
                .start());

    assertTrue(output.contains("CodeStorageException: Cannot keep compiled code in"), output);
    assertTrue(output.contains(file + " is not a folder"), output);
    assertTrue(output.contains("no/such/folder"), output);
    assertTrue(output.contains("MAGPIE_CACHE"), output);
  }

  @Test
  void whereOthersCanReplaceEveryFolderThereIsNoCode() throws Exception {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path log = folder.resolve("log");

    Process process = process(open.resolve("cache"), log, JAVA, "-Djava.io.tmpdir=" + open).start();

    String output = outputOf(process).lines().findFirst().orElse("");
    assertTrue(output.contains("CodeStorageException: Cannot keep compiled code in"), output);
    assertEquals(2, output.split("others can write to " + open, -1).length - 1, output);
    assertTrue(output.contains("MAGPIE_CACHE to a folder that you alone can write to"), output);
    assertFalse(Files.exists(log), "nothing was produced");
    try (var left = Files.list(open)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void manyProcessesProduceAnEntryOnce() throws Exception {
    Path log = folder.resolve("log");
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(
          process(folder.resolve("cache"), log)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .start());
    }
    for (Process process : processes) {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "a process hangs");
      assertEquals(0, process.exitValue());
    }
    assertEquals(20, Files.readAllLines(log).size(), "each of 20 entries once");
  }

  /** A process of {@link #manyProcessesProduceAnEntryOnce}. */
  static final class OneProcess {
    public static void main(String[] arguments) throws IOException {
      ArtifactCache cache = new ArtifactCache(Path.of(arguments[0]));
      Path log = Path.of(arguments[1]);
      for (int i = 0; i < 20; i++) {
        String content = "content " + i;
        Path entry =
            cache.file(
                "entry-" + i,
                target -> {
                  Files.writeString(
                      log, content + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                  Files.writeString(target, content);
                });
        if (!Files.readString(entry).equals(content)) {
          throw new AssertionError("read " + Files.readString(entry));
        }
      }
    }
  }
}
