package io.magpie.stm;

/**
 * A kernel broke a rule while it ran: an index out of bounds, a collective with missing lanes, a
 * plain access to shared data, a slot freed twice, no progress within the simulator's bound, or a
 * fault reported by CUDA. What the kernel was writing is undefined. After a CUDA fault the device
 * is dead for this process, see {@link #deviceDead()}.
 *
 * <p>The fault of a region's run ends its transactions wherever they are. On a device that lives
 * the data of objects are what the last commits left, except for those that were locked: the
 * message names the first of them, {@link StmObjects#lockedObjects()} all.
 */
public final class KernelFaultException extends MagpieException {
  private static final long serialVersionUID = 1L;

  private static final String PAGED = "__paged";

  private final String kernel;
  private final String launchShape;
  private final boolean deviceDead;

  /**
   * @param kernel the kernel's name
   * @param launchShape threads of the launch, in words
   * @param message what went wrong
   * @param deviceDead whether the device is unusable for the rest of the process
   */
  public KernelFaultException(
      String kernel, String launchShape, String message, boolean deviceDead) {
    super(
        named(kernel, launchShape)
            + ": "
            + message.replace("kernel " + kernel + ": ", "")
            + (deviceDead ? "; the device is dead: a new process is needed" : ""));
    this.kernel = kernel;
    this.launchShape = launchShape;
    this.deviceDead = deviceDead;
  }

  /**
   * A region's kernel is named after it and the policy, as in {@code transfer__hand_off}, and with
   * {@code __paged} behind that if it has larger logs.
   */
  private static String named(String kernel, String launchShape) {
    String name =
        kernel.endsWith(PAGED) ? kernel.substring(0, kernel.length() - PAGED.length()) : kernel;
    int at = name.lastIndexOf("__");
    return at < 1
        ? "kernel " + kernel + " (" + launchShape + ")"
        : String.format(
            "region %s (policy %s, %s)",
            name.substring(0, at), name.substring(at + 2), launchShape);
  }

  /** The same fault, with more to say about it. */
  KernelFaultException(KernelFaultException fault, String more) {
    super(fault.getMessage() + more, fault);
    this.kernel = fault.kernel;
    this.launchShape = fault.launchShape;
    this.deviceDead = fault.deviceDead;
  }

  /**
   * The kernel's name. A GPU does not say which launch broke the rule: it is the one that was
   * waited for, or the latest one, and another that had not ended may be to blame.
   */
  public String kernel() {
    return kernel;
  }

  /** The launch's shape, such as {@code 528 blocks of 256 threads}. */
  public String launchShape() {
    return launchShape;
  }

  /** Whether the device is unusable for the rest of the process. */
  public boolean deviceDead() {
    return deviceDead;
  }
}
