package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.MagpieException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

  @Test
  void manyProcessesProduceAnEntryOnce() throws Exception {
    Path log = folder.resolve("log");
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  OneProcess.class.getName(),
                  folder.resolve("cache").toString(),
                  log.toString())
              .inheritIO()
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
