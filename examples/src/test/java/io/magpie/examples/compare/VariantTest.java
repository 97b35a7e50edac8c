package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariantTest {
  private static final List<Choice> CHOICES =
      List.of(
          Choice.of("merge", "", "stm", "atomic"),
          Choice.of("policy", "", "hand_off", "priority_rule").onlyWith("merge=stm"),
          Choice.number("threads", "", 0).onlyWith("merge=stm"));

  private static List<String> combine(String... terms) {
    return Variant.combinations(CHOICES, List.of(terms)).stream().map(Variant::toString).toList();
  }

  @Test
  void theDefaultOfEachIfNothingIsListed() {
    assertEquals(List.of("merge=stm,policy=hand_off,threads=0"), combine());
  }

  @Test
  void whatHasNoEffectMakesNoVariant() {
    List<String> all =
        List.of(
            "merge=stm,policy=hand_off,threads=0",
            "merge=stm,policy=priority_rule,threads=0",
            "merge=atomic");
    assertEquals(all, combine("merge=stm,atomic", "policy=hand_off,priority_rule"));
    assertEquals(all, combine("all"));
    assertEquals(all, combine("merge=all", "policy=all"));
    assertEquals(List.of("merge=atomic"), combine("merge=atomic", "all"), "all of the rest");
  }

  @Test
  void numbersAreFree() {
    assertEquals(
        List.of("merge=stm,policy=hand_off,threads=64", "merge=stm,policy=hand_off,threads=1024"),
        combine("threads=64,1024"));
  }

  @Test
  void labelsNameTheDifferences() {
    assertEquals(
        List.of("stm hand_off", "stm priority_rule", "atomic"),
        Variant.labels(Variant.combinations(CHOICES, List.of("all"))));
    assertEquals(
        List.of("threads=1", "threads=2"),
        Variant.labels(Variant.combinations(CHOICES, List.of("threads=1,2"))));
    assertEquals(List.of("stm"), Variant.labels(Variant.combinations(CHOICES, List.of())));
  }

  @Test
  void theLabelOfOnlyOneNamesANumber() {
    List<Choice> parts = List.of(Choice.number("parts", "", 64));
    assertEquals(List.of("parts=64"), Variant.labels(Variant.combinations(parts, List.of())));
  }

  @Test
  void numbersAreOfTheirRange() {
    Choice angle = Choice.number("angle", "", 30, 1, 34);
    assertEquals("1..34", angle.allowed());
    angle.check("1");
    angle.check("34");
    for (String each : List.of("0", "35", "-1", "1.5", "")) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> angle.check(each), each);
      assertEquals("angle=" + each + ": expected 1..34", e.getMessage());
    }
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    for (String term :
        List.of("speed=1", "merge", "merge=fast", "threads=many", "=stm", "merge=")) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> combine(term), term);
      assertTrue(e.getMessage().contains("expected"), e.getMessage());
    }
    IllegalArgumentException useless =
        assertThrows(IllegalArgumentException.class, () -> combine("merge=atomic", "threads=5"));
    assertTrue(useless.getMessage().contains("threads=5 has no effect: expected merge=stm"));
    assertThrows(
        IllegalArgumentException.class, () -> Variant.of(CHOICES, Map.of("colour", "blue")));
  }
}
