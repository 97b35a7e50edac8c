package io.magpie.spark;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files, some of which cannot be opened at first, or change: flaky:/a/path. */
public final class FlakyFileSystem extends RawLocalFileSystem {
  private static final AtomicInteger TO_SUCCEED = new AtomicInteger();
  private static final AtomicInteger TO_FAIL = new AtomicInteger();

  /** Another's work. */
  interface Work {
    void run() throws IOException;
  }

  private static final AtomicInteger TO_CHANGE = new AtomicInteger();
  private static volatile Work change = () -> {};

  /** For Hadoop. */
  public FlakyFileSystem() {}

  /**
   * Says what happens from now on.
   *
   * @param succeed how many files are opened first
   * @param fail how many then are not
   */
  static void plan(int succeed, int fail) {
    TO_SUCCEED.set(succeed);
    TO_FAIL.set(fail);
  }

  /**
   * Says what happens, once, from now on.
   *
   * @param opened how many files are opened first
   * @param work what another then does before the next one is
   */
  static void plan(int opened, Work work) {
    plan(0, 0);
    change = work;
    TO_CHANGE.set(opened + 1);
  }

  /** How many files have still to fail. */
  static int failuresLeft() {
    return TO_FAIL.get();
  }

  /** How many files are still opened before those that are not. */
  static int successesLeft() {
    return TO_SUCCEED.get();
  }

  @Override
  public URI getUri() {
    return URI.create("flaky:///");
  }

  @Override
  public String getScheme() {
    return "flaky";
  }

  /** Without owner and rights, for which only file: is asked. */
  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    File file = pathToFile(path);
    if (!file.isFile()) {
      throw new FileNotFoundException(path.toString());
    }
    return new FileStatus(file.length(), false, 1, 1 << 20, file.lastModified(), path);
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    return new FileStatus[] {getFileStatus(path)};
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (TO_SUCCEED.getAndUpdate(n -> Math.max(0, n - 1)) == 0
        && TO_FAIL.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new IOException("the disk of " + path.getName() + " does not answer");
    }
    if (TO_CHANGE.getAndUpdate(n -> Math.max(0, n - 1)) == 1) {
      change.run();
    }
    return super.open(path, bufferSize);
  }
}
