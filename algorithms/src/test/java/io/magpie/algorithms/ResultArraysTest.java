package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ResultArraysTest {
  @Test
  void arraysAreKeptWhileTheirLengthIsThatOfTheResult() {
    ResultArrays arrays = new ResultArrays();
    int[] first = arrays.ints("labels", 10);
    assertEquals(10, first.length);
    assertSame(first, arrays.ints("labels", 10));
    assertNotSame(first, arrays.ints("parts", 10));
    assertEquals(9, arrays.ints("labels", 9).length);
    assertEquals(11, arrays.ints("labels", 11).length);
  }

  @Test
  void arraysOfUnknownLengthAreKeptWhileTheyAreLongEnough() {
    ResultArrays arrays = new ResultArrays();
    int[] first = arrays.intsFrom("corners", 80);
    assertEquals(90, first.length);
    assertSame(first, arrays.intsFrom("corners", 0));
    assertSame(first, arrays.intsFrom("corners", 90));
    assertEquals(102, arrays.intsFrom("corners", 91).length);
    double[] coordinates = arrays.doublesFrom("coordinates", 16);
    assertEquals(18, coordinates.length);
    assertSame(coordinates, arrays.doublesFrom("coordinates", 18));
  }

  @Test
  void givenArraysAreFilledAndNeverReplaced() {
    int[] labels = new int[3];
    double[] coordinates = new double[4];
    ResultArrays arrays =
        new ResultArrays().give("labels", labels).give("coordinates", coordinates);
    assertSame(labels, arrays.ints("labels", 3));
    assertSame(coordinates, arrays.doublesFrom("coordinates", 2));
    assertRefused(
        "the array given for labels is int[3]: expected int[4]", () -> arrays.ints("labels", 4));
    assertRefused(
        "the array given for labels is int[3]: expected int[2]", () -> arrays.ints("labels", 2));
    assertRefused(
        "the array given for coordinates is double[4]: expected double[5] or longer",
        () -> arrays.doublesFrom("coordinates", 5));
    assertRefused(
        "the array given for labels is int[3]: expected double[3] or longer",
        () -> arrays.doublesFrom("labels", 3));
    assertSame(labels, arrays.ints("labels", 3));
  }

  @Test
  void namesThatAnAlgorithmDoesNotHaveAreRefused() {
    ResultArrays arrays = new ResultArrays().give("labels", new int[1]).give("lables", new int[1]);
    assertRefused(
        "arrays were given for lables, but the results are labels", () -> arrays.begin("labels"));
    assertEquals(0, arrays.calls());
    ResultArrays kept = new ResultArrays();
    kept.ints("labels", 1); // of another algorithm: no objection
    assertEquals(1, kept.begin("parts"));
    assertEquals(1, kept.calls());
    assertThrows(NullPointerException.class, () -> kept.give("labels", (int[]) null));
  }

  private static void assertRefused(String message, Runnable call) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
  }
}
