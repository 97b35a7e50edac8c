package io.magpie.verification.program;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Small programs that are known to bring a protocol's faults out, by name: opposite orders, rings,
 * write skew, and what the retry loop must clean up. No single one finds every fault.
 */
public final class ClassicPrograms {
  private ClassicPrograms() {}

  /** All of them, in order of size. */
  public static Map<String, TransactionProgram> all() {
    Map<String, TransactionProgram> all = new LinkedHashMap<>();
    put(all, "opposite", "2 objects of 1 word: r0 w0 r1 w1 | r1 w1 r0 w0");
    put(all, "same-order", "2 objects of 1 word: r0 w0 r1 w1 | r0 w0 r1 w1");
    put(all, "write-skew", "2 objects of 1 word: r0 r1 w0 | r0 r1 w1");
    put(all, "blind-skew", "2 objects of 1 word: r0 w1 | r1 w0");
    put(all, "two-words", "1 object of 2 words: r0 w0 | r0 w0 | r0");
    put(all, "reader", "2 objects of 1 word: r0 w0 r1 w1 | r0 r1 | r1 r0");
    put(all, "blind", "2 objects of 1 word: w0 w1 | w1 w0 | r0 r1");
    put(all, "ring", "3 objects of 1 word: r1 w1 r0 w0 | r2 w2 r1 w1 | r0 w0 r2 w2");
    put(all, "ascending", "3 objects of 1 word: r0 w0 r1 w1 | r1 w1 r2 w2 | r0 w0 r2 w2");
    put(all, "three-on-two", "2 objects of 1 word: r0 w0 r1 w1 | r1 w1 r0 w0 | r0 w0 r1 w1");
    put(all, "skew-ring", "3 objects of 1 word: r0 r1 w0 | r1 r2 w1 | r2 r0 w2");
    put(
        all,
        "rotated",
        "3 objects of 1 word: r0 w0 r1 w1 r2 w2 | r1 w1 r2 w2 r0 w0 | r2 w2 r0 w0 r1 w1");
    put(all, "cancel", "2 objects of 1 word: r0 w0 r1 w1 | r1 w1 r0 w0 c16 | r0 r1 w1");
    put(all, "cancel-by-data", "2 objects of 1 word: r0 w0 r1 w1 | r1 r0 c8 w1 | r0 c8 r1 w0");
    put(all, "cancel-reader", "2 objects of 1 word: w0 | w1 | r0 r1 c16");
    put(all, "each", "2 objects of 1 word: o0-1 r0 w0 r1 w1 | o1-0 r1 w1 r0 w0");
    put(all, "each-cancel", "2 objects of 1 word: o0-1 c16 | o1-0 r1 w1 r0 w0");
    put(
        all,
        "each-cancel-by-data",
        "3 objects of 1 word: o0-2 r0 w0 r1 w1 | o2-0 r1 r0 c8 w1 | w2 o0-1 r1 c16");
    put(all, "inner", "3 objects of 1 word: r0 w0 {3 r1 w1} r2 w2 | r2 w2 {3 r0 w0} r1 w1");
    put(all, "inner-opposite", "2 objects of 1 word: r0 w0 {1 r1 w1} | r1 w1 {1 r0 w0}");
    put(
        all,
        "inner-cancel",
        "2 objects of 1 word: r0 w0 {3 r1 w1 c8} | r1 w1 {3 r0 w0 c8} | r0 r1");
    put(all, "inner-again", "1 object of 1 word: r0 w0 {3 w0+1} | r0 w0 {3 w0+1}");
    put(all, "inner-decides", "2 objects of 1 word: w1 w0 | {1 r1 c16}");
    put(all, "by-data", "3 objects of 1 word: r0 r@ w@ | r1 r@ w@ | r2 r@ w@");
    // Reads object 0 as 0, then object 2, which the second may hold; as the third wrote it, object
    // 0.
    put(all, "left-waiting", "3 objects of 1 word: r0 r@ | w1 w2 | w0+1");
    // Writes object 3 by what object 1 was at first, and object 1 by what the second makes of it.
    put(all, "inner-by-data", "4 objects of 1 word: r2 w2 | w1 | {3 r1 w@ r2}");
    put(
        all,
        "oversized",
        "6 objects of 1 word: r0 r1 r2 r3 r4 w0 w5 | r5 w5 r0 w0 | r4 r3 r2 r1 r0 w0 w1 w2 w3 w4");
    put(
        all,
        "many-writes",
        "2 objects of 2 words: w0 w1 w0+1 w1+1 w0+2 r0 w1 | r1 w1 r0 w0 | r0 r1");
    put(all, "wide", "3 objects of 2 words: w0 w1 w2 | r2 r1 r0");
    put(all, "crowd", "2 objects of 1 word: r0 w0 r1 w1 | r1 w1 r0 w0 | r0 w0 r1 | r1 w1 r0");
    return all;
  }

  private static void put(Map<String, TransactionProgram> all, String name, String text) {
    all.put(name, TransactionProgram.parse(text));
  }
}
