package io.magpie.stm;

/** How transactions that want the same object settle who goes first. */
public enum Policy {
  /**
   * The default. A higher rank takes an unlocked claim at once; at a lock it registers and is
   * granted the object when the holder leaves. Live: the highest rank always gets through.
   */
  HAND_OFF(1, "hand_off", 0, 1, 4096, 16, 4),
  /**
   * The published priority rule: whoever meets a lock rolls back. Kept for comparison; it is not
   * live, so bound its attempts or rely on the timeout.
   */
  PRIORITY_RULE(2, "priority_rule", 0x7fffffff, 1 << 31, 0, 0, 0);

  private final int tag;
  private final String kernelName;
  private final int unclaimedWord;
  private final int lockBit;
  private final int backOffNanos;
  private final int eagerAttempts;
  private final int mostEagerObjects;

  Policy(
      int tag,
      String kernelName,
      int unclaimedWord,
      int lockBit,
      int backOffNanos,
      int eagerAttempts,
      int mostEagerObjects) {
    this.tag = tag;
    this.kernelName = kernelName;
    this.unclaimedWord = unclaimedWord;
    this.lockBit = lockBit;
    this.backOffNanos = backOffNanos;
    this.eagerAttempts = eagerAttempts;
    this.mostEagerObjects = mostEagerObjects;
  }

  /** The policy's name in module tables and on command lines, such as {@code hand_off}. */
  public String kernelName() {
    return kernelName;
  }

  /**
   * The longest pause between attempts, in nanoseconds, unless {@link StmOptions#backOffNanos()}
   * says otherwise; 0 = none. The policy's header has the same as {@code default_back_off}.
   */
  public int defaultBackOffNanos() {
    return backOffNanos;
  }

  /**
   * The eager attempts of an item unless {@link StmOptions#eagerAttempts()} says otherwise: under
   * {@link #HAND_OFF} 16 where a region declares at most 4 objects, else none. The policy's header
   * has the same.
   *
   * @param maxObjects {@link Region#maxObjects()}
   */
  public int defaultEagerAttempts(int maxObjects) {
    return maxObjects <= mostEagerObjects ? eagerAttempts : 0;
  }

  /** The tag that objects carry to the device. */
  int tag() {
    return tag;
  }

  /** The tracking word of an object that nobody claims. */
  int unclaimedWord() {
    return unclaimedWord;
  }

  /** The bit of a tracking word that says that a commit has locked the object. */
  int lockBit() {
    return lockBit;
  }
}
