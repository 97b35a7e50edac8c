package io.magpie.verification.history;

/**
 * What can be wrong with a history. Names in brackets are those of Adya, Liskov and O'Neil
 * (Generalized Isolation Level Definitions, ICDE 2000). The first eight are seen in single
 * accesses; the others are cycles of dependencies: ww (overwrites), wr (reads from), rw (was
 * overwritten after being read by).
 */
public enum Anomaly {
  /**
   * Two transactions overwrote the same version; or a transaction overwrote a newer version than it
   * had read, so that the update between is lost.
   */
  LOST_UPDATE("lost update", "G-single"),
  /** An attempt read a version that an attempt without a commit wrote. */
  ABORTED_READ("aborted read", "G1a"),
  /** A transaction overwrote a version that an attempt without a commit wrote. */
  DIRTY_WRITE("dirty write", null),
  /** An attempt read a version that its own writer overwrote. */
  INTERMEDIATE_READ("intermediate read", "G1b"),
  /** An attempt read a version that nobody committed, at most one beyond the last. */
  DIRTY_READ("dirty read", null),
  /** An attempt read two versions of one object. */
  TORN_READ("torn read", null),
  /** A stamp that nothing in the history leads to. */
  GARBAGE_STAMP("garbage stamp", null),
  /** At the end, the stamp of an object is not the number of its committed writes. */
  WRONG_FINAL_STAMP("wrong final stamp", null),
  /** A cycle of ww. */
  WRITE_CYCLE("write cycle", "G0"),
  /** A cycle of ww and wr. */
  CIRCULAR_FLOW("circular information flow", "G1c"),
  /** A cycle of one wr and one rw: saw one write of a transaction and missed another. */
  READ_SKEW("read skew", "G-single"),
  /** A cycle with real time and one rw: missed a write of a transaction that had ended before. */
  STALE_READ("stale read", "G-single"),
  /** A cycle with one rw that is none of the above. */
  SINGLE_ANTI_DEPENDENCY("cycle with one anti-dependency", "G-single"),
  /** A cycle of two rw: each missed what the other wrote. */
  WRITE_SKEW("write skew", "G2-item"),
  /** A cycle with two or more rw that is not write skew. */
  ANTI_DEPENDENCIES("cycle with several anti-dependencies", "G2-item");

  private final String title;
  private final String adya;

  Anomaly(String title, String adya) {
    this.title = title;
    this.adya = adya;
  }

  /** The name in words. */
  public String title() {
    return title;
  }

  /** Adya's name, or null if there is none. */
  public String adya() {
    return adya;
  }

  /** Whether it is a cycle of dependencies; otherwise single accesses show it. */
  public boolean isCycle() {
    return compareTo(WRITE_CYCLE) >= 0;
  }

  /** The name in words and Adya's. */
  @Override
  public String toString() {
    return adya == null ? title : title + " (" + adya + ")";
  }
}
