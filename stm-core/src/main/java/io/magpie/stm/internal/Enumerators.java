package io.magpie.stm.internal;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The numbers that a module's headers have for the constants of an enum. An enumerator's name in
 * the source is a prefix and the constant's in lower case.
 *
 * @param numbers of the constants
 * @param constants of the numbers
 */
public record Enumerators<E extends Enum<E>>(Map<E, Integer> numbers, Map<Integer, E> constants) {
  /**
   * Looks the numbers up.
   *
   * @throws IllegalArgumentException if the headers lack one
   */
  public static <E extends Enum<E>> Enumerators<E> of(
      SharedNumbers shared, String prefix, Class<E> names) {
    Map<E, Integer> numbers = new EnumMap<>(names);
    Map<Integer, E> constants = new HashMap<>();
    for (E each : names.getEnumConstants()) {
      String name = prefix + each.name().toLowerCase(Locale.ROOT);
      int number = Math.toIntExact(shared.number(name));
      numbers.put(each, number);
      constants.put(number, each);
    }
    return new Enumerators<>(numbers, constants);
  }

  /** The number of a constant. */
  public int number(E constant) {
    return numbers.get(constant);
  }

  /** The constant of a number; null if it is none's. */
  public E constant(int number) {
    return constants.get(number);
  }
}
