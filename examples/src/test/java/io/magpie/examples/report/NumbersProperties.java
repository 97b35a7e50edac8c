package io.magpie.examples.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;

class NumbersProperties {
  private static String plain(String value) {
    return Numbers.plain(new BigDecimal(value));
  }

  @Example
  void numbersAreShort() {
    assertEquals("9,223,372,036,854,775,807", plain("9223372036854775807"));
    assertEquals("1,000", plain("1E+3"));
    assertEquals("0", plain("0.0"));
    assertEquals("0.03", plain("0.0300"));
    assertEquals("179.9996", plain("179.99964"));
    assertEquals("2,459,938", plain("2459937.5"));
    assertEquals("0.0123", Numbers.millis(0.01234));
    assertEquals("110.6", Numbers.millis(110.619748));
    assertEquals("16.8M", Numbers.brief(16777216));
    assertEquals("4000", Numbers.brief(4000));
    assertEquals("1M", Numbers.brief(999_961));
    assertEquals("10k", Numbers.brief(9998));
    assertEquals("kernel time", Numbers.time("kernels"));
    assertEquals("0.25", Numbers.brief(0.25));
    assertEquals("forest weight", Numbers.words("forestWeight"));
    assertEquals("wait expired", Numbers.words("wait_expired"));
    assertEquals("33.33%", Numbers.percent(1 / 3.0));
  }

  @Example
  void mediansOfLargeWholeNumbersAreExact() {
    BigDecimal large = new BigDecimal("9223372036854775807");
    assertEquals(large, Numbers.median(List.of(large, BigDecimal.ONE, large)));
    assertEquals(
        new BigDecimal("4611686018427387904"),
        Numbers.median(List.of(large, BigDecimal.ONE)).stripTrailingZeros());
  }

  @Example
  void axesHaveAFewRoundTicks() {
    assertEquals(List.of(0.0, 1000.0, 2000.0, 3000.0, 4000.0), Axis.upTo(3357).ticks());
    assertEquals(List.of(0.0, 0.25, 0.5, 0.75, 1.0), Axis.upTo(1).ticks());
    assertEquals(1, Axis.upTo(0).high());
    assertEquals(List.of(1.0, 10.0, 100.0), Axis.ofTimes(3, 40).ticks());
    assertEquals(0.5, new Axis(1, 100, true, List.of()).at(10), 1e-12);
  }

  @Property(tries = 300)
  void ticksAreOnTheAxis(@ForAll @DoubleRange(min = 1e-6, max = 1e12) @Scale(9) double largest) {
    Axis axis = Axis.upTo(largest);
    assertTrue(axis.high() >= largest * (1 - 1e-9), axis.toString());
    assertTrue(axis.high() <= largest * 2.6, axis.toString());
    assertTrue(axis.ticks().size() >= 2 && axis.ticks().size() <= 6, axis.toString());
    axis.ticks().forEach(tick -> assertTrue(axis.at(tick) >= 0 && axis.at(tick) <= 1 + 1e-12));
  }
}
