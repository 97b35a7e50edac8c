package io.magpie.spark;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files that others write to at the worst time: contested:/a/path. */
public final class ContestedFileSystem extends RawLocalFileSystem {
  /** Another's work. */
  interface Work {
    void run() throws IOException;
  }

  private static Work beforeResult = () -> {};
  private static boolean deletes = true;

  /** For Hadoop. */
  public ContestedFileSystem() {}

  /**
   * Says what happens from now on.
   *
   * @param before what another does just before a result is moved to its place
   * @param deleting whether anything can be deleted
   */
  static void plan(Work before, boolean deleting) {
    beforeResult = before;
    deletes = deleting;
  }

  @Override
  public URI getUri() {
    return URI.create("contested:///");
  }

  @Override
  public String getScheme() {
    return "contested";
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    if (from.getName().startsWith("result-")) {
      beforeResult.run();
    }
    return super.rename(from, to);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    if (!deletes) {
      throw new IOException("the disk is read-only");
    }
    return super.delete(path, recursive);
  }
}
