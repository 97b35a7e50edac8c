package io.magpie.spark;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.SparkEnv;

/**
 * Local files, halting:/a/path. Of the executors that are processes of their own the first to open
 * a file once more than {@value #OPENED} says ends at once, as one that is killed: nobody is told,
 * nothing is closed, and what it had for others is lost. If {@value #MACHINE} is true, the worker
 * that has started it is killed before, as if a machine were lost.
 */
public final class HaltingFileSystem extends RawLocalFileSystem {
  static final String OPENED = "fs.halting.opened";

  static final String MACHINE = "fs.halting.machine";

  /** What is put beside a file once a process has ended because of it. */
  static final String ENDED = ".ended";

  private static final AtomicInteger OPENED_HERE = new AtomicInteger();

  /** For Hadoop. */
  public HaltingFileSystem() {}

  @Override
  public URI getUri() {
    return URI.create("halting:///");
  }

  @Override
  public String getScheme() {
    return "halting";
  }

  /** Without owner and rights, for which only file: is asked. */
  @Override
  public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
    File file = pathToFile(path);
    if (!file.isFile()) {
      throw new FileNotFoundException(path.toString());
    }
    return new FileStatus(file.length(), false, 1, 1 << 20, file.lastModified(), path);
  }

  @Override
  public FileStatus[] listStatus(org.apache.hadoop.fs.Path path) throws IOException {
    return new FileStatus[] {getFileStatus(path)};
  }

  @Override
  public FSDataInputStream open(org.apache.hadoop.fs.Path path, int bufferSize) throws IOException {
    boolean driver = SparkEnv.get() == null || SparkEnv.get().executorId().equals("driver");
    if (!driver && OPENED_HERE.getAndIncrement() == getConf().getInt(OPENED, -1)) {
      try {
        Files.createFile(Path.of(pathToFile(path) + ENDED));
        if (getConf().getBoolean(MACHINE, false)) {
          ProcessHandle.current().parent().orElseThrow().destroyForcibly();
        }
        Runtime.getRuntime().halt(137);
      } catch (FileAlreadyExistsException e) {
        return super.open(path, bufferSize); // another process has ended
      }
    }
    return super.open(path, bufferSize);
  }
}
