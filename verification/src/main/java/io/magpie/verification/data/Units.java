package io.magpie.verification.data;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Memory in pieces that accesses share or do not: words of 4 bytes; single bytes of the words in
 * which an access covers only some.
 */
final class Units {
  private final Set<Long> divided = new HashSet<>();

  /** Those of some accesses. */
  Units(List<Access> accesses) {
    for (Access each : accesses) {
      if (each.address() % 4 != 0 || each.bytes() % 4 != 0) {
        words(each).forEach(divided::add);
      }
    }
  }

  private static LongStream words(Access access) {
    return LongStream.rangeClosed(
        access.address() >>> 2, access.address() + access.bytes() - 1 >>> 2);
  }

  /** The pieces that an access covers, by their first bytes. */
  LongStream of(Access access) {
    long end = access.address() + access.bytes();
    return words(access)
        .flatMap(
            word ->
                divided.contains(word)
                    ? LongStream.range(
                        Math.max(word << 2, access.address()), Math.min((word << 2) + 4, end))
                    : LongStream.of(word << 2));
  }

  /** How long the piece is that begins at an address. */
  int bytes(long unit) {
    return divided.contains(unit >>> 2) ? 1 : 4;
  }

  /** The accesses to each piece, in their order. */
  static Map<Long, List<Access>> group(List<Access> accesses) {
    Units units = new Units(accesses);
    Map<Long, List<Access>> grouped = new LinkedHashMap<>();
    for (Access each : accesses) {
      units
          .of(each)
          .forEach(unit -> grouped.computeIfAbsent(unit, key -> new ArrayList<>()).add(each));
    }
    return grouped;
  }

  /** The accesses that share a byte with one of them. */
  static Stream<Access> of(Map<Long, List<Access>> grouped, Access access) {
    return LongStream.range(access.address(), access.address() + access.bytes())
        .mapToObj(grouped::get)
        .filter(each -> each != null)
        .flatMap(List::stream);
  }
}
