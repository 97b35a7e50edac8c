package io.magpie.stm.internal.toolchain;

import io.magpie.stm.MagpieException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What would outlive this process when it is told to end: the programs that it runs, and the
 * temporary folders that they work in. A shutdown hook ends and removes them.
 */
final class Leftovers {
  /** Longer than an end takes where nothing else holds it up. */
  private static final long SILENT_SECONDS = 5;

  /** A temporary folder. */
  interface Folder extends AutoCloseable {
    /** Removes it. */
    @Override
    void close();
  }

  private static final Set<Process> PROGRAMS = new HashSet<>();
  private static final Set<Folder> FOLDERS = new HashSet<>();
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
    List<Process> programs;
    List<Folder> folders;
    synchronized (Leftovers.class) {
      ending = true;
      programs = List.copyOf(PROGRAMS);
      folders = List.copyOf(FOLDERS);
    }
    programs.forEach(Leftovers::end);
    folders.forEach(Folder::close);
  }

  /** Ends a program and what it has started; whoever reads its output reads to the end. */
  static void end(Process program) {
    List<ProcessHandle> started = program.descendants().toList();
    program.toHandle().destroyForcibly(); // first: it could start more
    started.forEach(ProcessHandle::destroyForcibly);
  }

  /**
   * Notes a program that has been started.
   *
   * @throws MagpieException if this process is ending
   */
  static void add(Process program) {
    synchronized (Leftovers.class) {
      if (!ending) {
        PROGRAMS.add(program);
        return;
      }
    }
    end(program);
    requireGoingOn();
  }

  /** Notes that a program has ended. */
  static synchronized void remove(Process program) {
    PROGRAMS.remove(program);
  }

  /**
   * Notes a folder that has been made.
   *
   * @throws MagpieException if this process is ending
   */
  static void add(Folder folder) {
    synchronized (Leftovers.class) {
      if (!ending) {
        FOLDERS.add(folder);
        return;
      }
    }
    folder.close();
    requireGoingOn();
  }

  /** Notes that a folder is gone. */
  static synchronized void remove(Folder folder) {
    FOLDERS.remove(folder);
  }

  /**
   * Throws if this process is ending, so that what it runs and has is gone. That takes a while, by
   * which the process is gone as well: nobody wants to read of a compiler that was killed with it.
   */
  static void requireGoingOn() {
    synchronized (Leftovers.class) {
      if (!ending) {
        return;
      }
    }
    try {
      TimeUnit.SECONDS.sleep(SILENT_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new MagpieException("Interrupted: this process is ending");
  }
}
