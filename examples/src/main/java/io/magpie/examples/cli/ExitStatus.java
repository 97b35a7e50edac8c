package io.magpie.examples.cli;

import com.sun.management.UnixOperatingSystemMXBean;
import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.graph.GraphTooLargeException;
import io.magpie.algorithms.pointsto.PointsToSizeException;
import io.magpie.examples.cli.commands.ComparedInputException;
import io.magpie.examples.cli.commands.JobException;
import io.magpie.examples.cli.commands.StoppedEarlyException;
import io.magpie.examples.cli.commands.VerificationException;
import io.magpie.examples.cli.commands.ViolationException;
import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.compare.ContestantException;
import io.magpie.examples.input.EngineMemoryException;
import io.magpie.examples.input.InputException;
import io.magpie.stm.CodeStorageException;
import io.magpie.stm.CompilationException;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.DeviceUnavailableException;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.verification.workload.OutgrownLogException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileSystemException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/** The exit statuses of the command line; the only place that says which failure has which. */
public enum ExitStatus {
  /** Everything asked for was done, and verified where asked. */
  OK(0, "done; verified where asked"),
  /** The result is wrong, some work items were left unfinished, or there was nothing to verify. */
  NOT_VERIFIED(1, "the result is wrong or incomplete, or nothing was verified"),
  /** The command line makes no sense. */
  USAGE(2, "wrong usage"),
  /** The input is missing, malformed or unsuitable, or a compiler found errors in a source. */
  BAD_INPUT(3, "the input is missing, malformed or unsuitable, or code does not compile"),
  /** There is no such device, or no compiled code and no compiler for it. */
  DEVICE_UNAVAILABLE(4, "no such device, or no code and no compiler for it"),
  /** Memory of the device or of the Java heap ran out, or file descriptors did. */
  OUT_OF_MEMORY(Main.OUT_OF_MEMORY, "out of device memory, Java memory, or file descriptors"),
  /** A kernel broke a rule while it ran. */
  KERNEL_FAULT(6, "a kernel faulted"),
  /** A result could not be written, or compiled code could not be stored. */
  OUTPUT_FAILED(7, "an output file or compiled code could not be written"),
  /** A history breaks the rules of transactions, or a mutant of the library was not noticed. */
  VIOLATION(8, "a check found a violation"),
  /** Work stopped at a limit; the result is valid as far as it goes, and has been written. */
  STOPPED_EARLY(9, "the work stopped at a limit; its result so far is valid"),
  /**
   * A fault of Magpie itself, or of a jar that adds a comparison or an input kind: it cannot be
   * loaded, asks for a module or a region that is not there, or throws.
   */
  INTERNAL_ERROR(
      Main.INTERNAL_ERROR, "a fault of Magpie or of an added jar; --stacktrace shows where"),
  /** Who reads the standard output through a pipe has gone, as from a program ended by SIGPIPE. */
  READER_GONE(141, "the reader of standard output is gone; everything else is done");

  /** So few descriptors left are none: some are free again by the time they are counted. */
  private static final int FEW = 4;

  private final int code;
  private final String meaning;

  ExitStatus(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /** The status that the process ends with. */
  public int code() {
    return code;
  }

  /** What it means, in a few words. */
  public String meaning() {
    return meaning;
  }

  /** The status for a failure. */
  public static ExitStatus of(Throwable failure) {
    if (failure instanceof ContestantException
        || failure instanceof ComparedInputException
        || failure instanceof JobException) {
      return of(failure.getCause());
    }
    if (failure instanceof VerificationException || failure instanceof UnfinishedItemsException) {
      return NOT_VERIFIED;
    }
    if (failure instanceof ViolationException found) {
      return found.ofFault() ? KERNEL_FAULT : VIOLATION;
    }
    if (failure instanceof StoppedEarlyException) {
      return STOPPED_EARLY;
    }
    if (failure instanceof DeviceOutOfMemoryException
        || failure instanceof EngineMemoryException
        || Main.lackOfHeap(failure)
        || lackOfDescriptors(failure).isPresent()) {
      return OUT_OF_MEMORY;
    }
    if (failure instanceof CommandLine.ParameterException) {
      return USAGE;
    }
    if (failure instanceof OutputException || failure instanceof CodeStorageException) {
      return OUTPUT_FAILED;
    }
    if (failure instanceof FileFormatException
        || failure instanceof GraphTooLargeException
        || failure instanceof PointsToSizeException
        || failure instanceof InputException
        || failure instanceof OutgrownLogException
        || failure instanceof IOException) {
      return BAD_INPUT;
    }
    if (failure instanceof CompilationException rejected) {
      return rejected.errors().isEmpty() ? DEVICE_UNAVAILABLE : BAD_INPUT;
    }
    if (failure instanceof DeviceUnavailableException) {
      return DEVICE_UNAVAILABLE;
    }
    if (failure instanceof KernelFaultException) {
      return KERNEL_FAULT;
    }
    return INTERNAL_ERROR;
  }

  /** What says that the process may not open more files: the failure, or what it came from. */
  static Optional<Throwable> lackOfDescriptors(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (String.valueOf(each.getMessage()).contains("Too many open files")
          || (mayLackDescriptors(each) && descriptorsAreUsedUp())) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Of a kind that files which cannot be opened have, with a text in the language of the user. */
  private static boolean mayLackDescriptors(Throwable failure) {
    return failure.getClass() == FileSystemException.class
        || failure.getClass() == FileNotFoundException.class;
  }

  private static boolean descriptorsAreUsedUp() {
    if (!(ManagementFactory.getOperatingSystemMXBean()
        instanceof UnixOperatingSystemMXBean system)) {
      return false;
    }
    try {
      return system.getOpenFileDescriptorCount() + FEW >= system.getMaxFileDescriptorCount();
    } catch (InternalError e) { // to count them takes one
      return true;
    }
  }

  /** Codes and meanings, for help texts. */
  static Map<String, String> table() {
    Map<String, String> table = new LinkedHashMap<>();
    for (ExitStatus status : values()) {
      table.put(Integer.toString(status.code), status.meaning);
    }
    return table;
  }
}
