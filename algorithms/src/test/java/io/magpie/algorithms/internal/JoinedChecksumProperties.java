package io.magpie.algorithms.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Sums of parts, joined, are those of the JDK over the whole. */
class JoinedChecksumProperties {
  @Property(tries = 300)
  void anyParts(@ForAll @Size(max = 12) List<byte[]> parts) {
    CRC32C expected = new CRC32C();
    JoinedChecksum found = new JoinedChecksum();
    for (byte[] part : parts) {
      expected.update(part);
      found.append(of(part), part.length);
    }
    assertEquals((int) expected.getValue(), found.value());
  }

  /** Lengths of which every bit counts. */
  @Property(tries = 30)
  void longParts(@ForAll byte first, @ForAll @IntRange(max = 1 << 22) int zeros) {
    CRC32C expected = new CRC32C();
    byte[] one = {first};
    byte[] rest = new byte[zeros];
    expected.update(one);
    expected.update(rest);
    JoinedChecksum found = new JoinedChecksum();
    found.append(of(one), 1);
    found.append(of(rest), zeros);
    assertEquals((int) expected.getValue(), found.value());
  }

  private static int of(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return (int) sum.getValue();
  }
}
