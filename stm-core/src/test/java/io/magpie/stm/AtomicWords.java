package io.magpie.stm;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Kind;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What the region {@code use_builtins} of traced.cu does to a word of each width. */
final class AtomicWords {
  private final List<String> events = new ArrayList<>();
  private final String word;
  private final int bits;
  private final BigInteger all;
  private BigInteger value = BigInteger.ZERO;
  private BigInteger sum = BigInteger.ZERO;

  private AtomicWords(String word, int bits) {
    this.word = word;
    this.bits = bits;
    this.all = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
  }

  /** All events that there must be. */
  static List<String> events() {
    List<String> all = new ArrayList<>();
    all.addAll(new AtomicWords("words[0]", 128).used());
    all.addAll(new AtomicWords("words[2]", 64).used());
    all.addAll(new AtomicWords("words[3]", 32).used());
    all.addAll(new AtomicWords("words[4]", 16).used());
    all.addAll(new AtomicWords("words[5]", 8).used());
    return all;
  }

  /** Those that there are, of operations past transactions. */
  static List<String> events(AccessTrace trace) {
    return IntStream.range(0, trace.size())
        .filter(
            i -> List.of(Kind.SHARED_READ, Kind.SHARED_WRITE, Kind.ATOMIC).contains(trace.kind(i)))
        .mapToObj(
            i ->
                text(
                    trace.kind(i),
                    trace.inWords(trace.address(i)),
                    trace.bytes(i),
                    trace.writes(i),
                    BigInteger.valueOf(trace.value(i))))
        .toList();
  }

  private static String text(Kind kind, String word, int bytes, boolean writes, BigInteger value) {
    return String.format(
        "%s %s, %d bytes%s: %016x", kind, word, bytes, writes ? " written" : "", value.longValue());
  }

  private List<String> used() {
    BigInteger a = part(3);
    BigInteger b = part(5);
    BigInteger c = part(15);
    BigInteger d = part(17);
    write(Kind.SHARED_WRITE, a);
    sum = value;
    event(Kind.SHARED_READ, false);
    update(value.add(a));
    update(value.subtract(c));
    update(value.and(b));
    update(value.or(d));
    update(value.xor(a));
    update(value.and(b).not());
    update(c);
    for (int i = 0; i < 2; i++) {
      write(Kind.ATOMIC, d);
      event(Kind.ATOMIC, false);
      sum = sum.add(value);
      write(Kind.SHARED_WRITE, c);
    }
    write(Kind.SHARED_WRITE, sum);
    return events;
  }

  private BigInteger part(int divisor) {
    return all.divide(BigInteger.valueOf(divisor));
  }

  private void update(BigInteger left) {
    sum = sum.add(value);
    write(Kind.ATOMIC, left);
  }

  private void write(Kind kind, BigInteger left) {
    value = left.and(all);
    event(kind, true);
  }

  private void event(Kind kind, boolean writes) {
    events.add(text(kind, word, Math.min(8, bits / 8), writes, value));
    if (bits > 64) {
      events.add(text(kind, "words[1]", 8, writes, value.shiftRight(64)));
    }
  }
}
