package io.magpie.verification.workload;

import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Numbers for the elements of an array, as they are written: whether they fit is known only where
 * the type of the elements is. Immutable.
 */
public final class NumberList {
  private final int length;
  private final IntFunction<String> numbers;
  private final IntFunction<String> places; // null: their indices say it

  private NumberList(int length, IntFunction<String> numbers, IntFunction<String> places) {
    this.length = length;
    this.numbers = numbers;
    this.places = places;
  }

  /** A copy of whole numbers. */
  public static NumberList of(int... numbers) {
    int[] copy = numbers.clone();
    return new NumberList(copy.length, i -> Integer.toString(copy[i]), null);
  }

  /**
   * A copy of numbers in decimal, each finite, with or without sign, point and exponent.
   *
   * @throws IllegalArgumentException if one is not such a number
   */
  public static NumberList of(List<String> numbers) {
    return checked(numbers, null);
  }

  /**
   * A copy of numbers that come from a place that messages are to name.
   *
   * @param numbers as of {@link #of(List)}
   * @param places where a number stands, by its index, such as {@code weights.txt:3}; always the
   *     same for the same index
   * @throws IllegalArgumentException if one is not such a number
   */
  public static NumberList of(List<String> numbers, IntFunction<String> places) {
    return checked(numbers, Objects.requireNonNull(places, "places"));
  }

  private static NumberList checked(List<String> numbers, IntFunction<String> places) {
    List<String> copy = List.copyOf(numbers);
    NumberList list = new NumberList(copy.size(), copy::get, places);
    for (int i = 0; i < list.length; i++) {
      if (!isNumber(list.get(i))) {
        throw new IllegalArgumentException(
            list.place(i) + ": '" + list.get(i) + "' is not a number");
      }
    }
    return list;
  }

  /** Whether a text is a finite number in decimal. */
  static boolean isNumber(String text) {
    try {
      return text.matches("[-+0-9.eE]+") && Double.isFinite(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** How many there are. */
  public int length() {
    return length;
  }

  /**
   * A number as it is written.
   *
   * @param index 0 to {@code length() - 1}
   */
  public String get(int index) {
    return numbers.apply(index);
  }

  /** Where a number comes from, for messages. */
  String place(int index) {
    return places == null ? "element " + index : places.apply(index);
  }

  /** Whether they come from a place that messages are to name. */
  boolean hasPlaces() {
    return places != null;
  }

  /** Equal if the numbers are written alike, wherever they come from. */
  @Override
  public boolean equals(Object other) {
    if (!(other instanceof NumberList list) || list.length != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (!get(i).equals(list.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + get(i).hashCode();
    }
    return hash;
  }

  /** How many there are: they may be too many to show. */
  @Override
  public String toString() {
    return length + " numbers";
  }
}
