package io.magpie.stm.internal.toolchain;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Temporary folders, which would outlive this process when it is told to end. */
final class Leftovers {
  private static final Set<TemporaryFolder> FOLDERS = new HashSet<>();
  private static boolean ending;

  static {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(Leftovers::removeAll, "magpie-leftovers"));
    } catch (IllegalStateException tooLate) {
      ending = true;
    }
  }

  private Leftovers() {}

  private static void removeAll() {
    List<TemporaryFolder> folders;
    synchronized (Leftovers.class) {
      ending = true;
      folders = List.copyOf(FOLDERS);
    }
    folders.forEach(TemporaryFolder::close);
  }

  /** Notes a folder that has been made; it goes at once if this process is ending. */
  static void add(TemporaryFolder folder) {
    synchronized (Leftovers.class) {
      if (!ending) {
        FOLDERS.add(folder);
        return;
      }
    }
    folder.close();
  }

  /** Notes that a folder is gone. */
  static synchronized void remove(TemporaryFolder folder) {
    FOLDERS.remove(folder);
  }
}
