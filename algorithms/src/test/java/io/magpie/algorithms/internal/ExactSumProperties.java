package io.magpie.algorithms.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Sums are those of BigDecimal, digit for digit. */
class ExactSumProperties {
  @Property(tries = 500)
  void doubles(@ForAll("doubles") List<Double> values, @ForAll("doubles") List<Double> others) {
    ExactSum sum = new ExactSum();
    ExactSum part = new ExactSum();
    BigDecimal expected = BigDecimal.ZERO;
    for (double value : values) {
      sum.add(value);
      expected = expected.add(new BigDecimal(value));
    }
    for (double value : others) {
      part.add(value);
      expected = expected.add(new BigDecimal(value));
    }
    sum.add(part);
    assertSame(expected, sum);
  }

  @Property(tries = 300)
  void longs(@ForAll List<Long> values) {
    ExactSum sum = new ExactSum();
    BigDecimal expected = BigDecimal.ZERO;
    for (long value : values) {
      sum.add(value);
      expected = expected.add(BigDecimal.valueOf(value));
    }
    assertSame(expected, sum);
  }

  /** Carries come after 2^29 additions to digits, too many for a test, or after fewer. */
  @Property(tries = 300)
  void carries(
      @ForAll("doubles") List<Double> values,
      @ForAll List<Long> longs,
      @ForAll @IntRange(min = 1, max = 9) int beforeCarries) {
    ExactSum sum = new ExactSum(beforeCarries);
    BigDecimal expected = BigDecimal.ZERO;
    for (double value : values) {
      sum.add(value);
      expected = expected.add(new BigDecimal(value));
    }
    for (long value : longs) {
      sum.add(value);
      expected = expected.add(BigDecimal.valueOf(value));
    }
    assertSame(expected, sum);
  }

  private static void assertSame(BigDecimal expected, ExactSum sum) {
    assertEquals(0, expected.compareTo(sum.value()), () -> expected + " but was " + sum.value());
  }

  @Example
  void largestValuesAddUp() {
    ExactSum sum = new ExactSum();
    for (int i = 0; i < 1000; i++) {
      sum.add(Double.MAX_VALUE);
      sum.add(Long.MIN_VALUE);
    }
    sum.add(Double.MIN_VALUE);
    BigDecimal thousand = BigDecimal.valueOf(1000);
    assertSame(
        new BigDecimal(Double.MAX_VALUE)
            .add(BigDecimal.valueOf(Long.MIN_VALUE))
            .multiply(thousand)
            .add(new BigDecimal(Double.MIN_VALUE)),
        sum);
  }

  @Example
  void whatIsNotFiniteIsRefused() {
    ExactSum sum = new ExactSum();
    assertThrows(IllegalArgumentException.class, () -> sum.add(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> sum.add(Double.NEGATIVE_INFINITY));
  }

  @Provide
  Arbitrary<List<Double>> doubles() {
    return Arbitraries.oneOf(
            Arbitraries.longs().map(Double::longBitsToDouble).filter(Double::isFinite),
            Arbitraries.of(
                0.0,
                -0.0,
                Double.MIN_VALUE,
                -Double.MIN_VALUE,
                Double.MIN_NORMAL,
                -Double.MAX_VALUE,
                Double.MAX_VALUE,
                1.0,
                -0.1,
                0x1p53))
        .list()
        .ofMaxSize(40);
  }
}
