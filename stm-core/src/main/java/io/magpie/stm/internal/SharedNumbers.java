package io.magpie.stm.internal;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a module's headers say by name of what launches share with this library: numbers, and where
 * members of structs lie. {@code magpie/detail/shared_lines.hpp} and {@code stm/launch_table.hpp}
 * list it. What the library asks for and the headers do not say is refused, when the module is
 * loaded.
 */
public final class SharedNumbers {
  private final Map<String, Long> numbers;
  private final Map<String, StructLayout.Place> members;
  private final Map<Class<?>, StructLayout<?>> layouts = new ConcurrentHashMap<>();

  SharedNumbers(Map<String, Long> numbers, Map<String, StructLayout.Place> members) {
    this.numbers = Map.copyOf(numbers);
    this.members = Map.copyOf(members);
  }

  /**
   * The number of that name, which is the one that it has in the source.
   *
   * @throws IllegalArgumentException if the headers do not say it
   */
  public long number(String name) {
    return find(name)
        .orElseThrow(() -> new IllegalArgumentException("its headers share no number " + name));
  }

  /** The number of that name, if the headers say it. */
  public Optional<Long> find(String name) {
    return Optional.ofNullable(numbers.get(name));
  }

  /**
   * Checks a number that the library has by itself, because it needs it before a module is loaded.
   *
   * @throws IllegalArgumentException if the headers have another, or none
   */
  public void require(String name, long known) {
    if (number(name) != known) {
      throw new IllegalArgumentException(
          name + " is " + number(name) + " in its headers, and " + known + " in this library");
    }
  }

  /**
   * Where a struct has the members that an enum's constants are named after, in upper case.
   *
   * @throws IllegalArgumentException if the headers lack the struct or a member
   */
  @SuppressWarnings("unchecked") // each class is the key of its own layout
  public <M extends Enum<M>> StructLayout<M> layout(String struct, Class<M> names) {
    return (StructLayout<M>) layouts.computeIfAbsent(names, absent -> newLayout(struct, names));
  }

  private <M extends Enum<M>> StructLayout<M> newLayout(String struct, Class<M> names) {
    return new StructLayout<>(
        Math.toIntExact(number("sizeof(" + struct + ")")),
        Arrays.stream(names.getEnumConstants())
            .map(each -> member(struct + "." + each.name().toLowerCase(Locale.ROOT)))
            .toList());
  }

  /**
   * Where a member of so many bytes lies in its struct, named as {@code struct.member}.
   *
   * @throws IllegalArgumentException if the headers lack it, or have it of another size
   */
  public int offset(String name, int bytes) {
    StructLayout.Place place = member(name);
    if (place.bytes() != bytes) {
      throw new IllegalArgumentException(
          name + " has " + place.bytes() + " bytes in its headers, and " + bytes + " here");
    }
    return place.offset();
  }

  private StructLayout.Place member(String name) {
    StructLayout.Place found = members.get(name);
    if (found == null) {
      throw new IllegalArgumentException("its headers share no member " + name);
    }
    return found;
  }
}
