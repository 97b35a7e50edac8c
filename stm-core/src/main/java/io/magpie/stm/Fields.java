package io.magpie.stm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Values for the fields of a kernel or region, by name: its arguments.
 *
 * <p>A functor's member that is itself a struct takes a {@code Fields} of its own, which may be
 * made once and given to every kernel that has such a member:
 *
 * <pre>{@code
 * Fields graph = new Fields().set("offsets", offsets).set("neighbors", neighbors);
 * kernel.run(n, new Fields().set("graph", graph).set("limit", 7));
 * }</pre>
 *
 * <p>A name with dots, {@code set("graph.offsets", offsets)}, sets a field of such a member: in the
 * {@code Fields} that it has, which other kernels may have as well, or else in new ones.
 *
 * <p>The module's table says which fields there are and what each takes. It is consulted at a
 * launch, before anything runs: a name that the functor does not have, a field without a value, and
 * a value of another kind are refused by a {@link MagpieException}. Setting a field again replaces
 * its value, so one object serves launch after launch.
 *
 * <p>A scalar of 32 bits takes an {@code int}, whose bits also stand for an unsigned value, or a
 * {@code long} in range; one of 64 bits takes either, but not a negative {@code int} if it is
 * unsigned. A {@code float} field takes {@code float} only, a {@code double} field both.
 *
 * <p>Not for use by several threads at once while it is changed. A launch reads it once, at its
 * beginning.
 */
public final class Fields {
  private static final AtomicLong CHANGES = new AtomicLong();

  private final Map<String, Object> values = new LinkedHashMap<>();
  private final List<Fields> structs = new ArrayList<>(); // those among the values
  private long lastChange;

  /** Without values. */
  public Fields() {}

  /**
   * The same for values that are known at run time only.
   *
   * @param values by name; those within a struct by {@code member.field}. Each is a number, a
   *     {@link DeviceArray}, {@link StmObjects}, a {@link SlotPool} or null
   */
  public static Fields of(Map<String, ?> values) {
    Fields all = new Fields();
    values.forEach(all::put);
    return all;
  }

  /** Sets a scalar. */
  public Fields set(String field, int value) {
    return put(field, value);
  }

  /** Sets a scalar. */
  public Fields set(String field, long value) {
    return put(field, value);
  }

  /** Sets a scalar. */
  public Fields set(String field, float value) {
    return put(field, value);
  }

  /** Sets a scalar. */
  public Fields set(String field, double value) {
    return put(field, value);
  }

  /** Sets an array or a pointer; null is a null pointer. */
  public Fields set(String field, DeviceArray<?> array) {
    return put(field, array);
  }

  /** Sets the handle of objects. */
  public Fields set(String field, StmObjects objects) {
    return put(field, objects);
  }

  /** Sets a pool. */
  public Fields set(String field, SlotPool pool) {
    return put(field, pool);
  }

  /** Sets all fields of a member that is a struct. */
  public Fields set(String member, Fields fields) {
    return put(member, Objects.requireNonNull(fields, "fields"));
  }

  /**
   * Sets a guarded array, {@code magpie::stm::guarded}: the member's fields {@code data} and {@code
   * guards}.
   *
   * @param guards the objects that its data belong to; several arrays may have the same
   */
  public Fields set(String member, DeviceArray<?> data, StmObjects guards) {
    return set(member, new Fields().set("data", data).set("guards", guards));
  }

  /**
   * Sets a guarded array whose data lie next to their objects' words, {@code
   * magpie::stm::guarded_cells}: the member's fields {@code data} and {@code guards}.
   */
  public Fields set(String member, GuardedCells<?> cells) {
    return set(member, new Fields().set("data", cells.data()).set("guards", cells.objects()));
  }

  /**
   * Sets an array in rows, {@code magpie::matrix}: the member's fields {@code data} and {@code
   * columns}.
   *
   * @param columns length of a row, at least 1
   * @throws IllegalArgumentException if it is less
   */
  public Fields set(String member, DeviceArray<?> data, int columns) {
    return set(member, matrix(data, columns));
  }

  /**
   * Sets a guarded array in rows, {@code magpie::stm::guarded_matrix}: the member's fields {@code
   * data}, {@code columns} and {@code guards}.
   *
   * @param columns length of a row, at least 1
   * @param guards the objects that its rows belong to; several arrays may have the same
   * @throws IllegalArgumentException if there are no columns
   */
  public Fields set(String member, DeviceArray<?> data, int columns, StmObjects guards) {
    return set(member, matrix(data, columns).set("guards", guards));
  }

  private static Fields matrix(DeviceArray<?> data, int columns) {
    if (columns < 1) {
      throw new IllegalArgumentException("columns must be at least 1, got " + columns);
    }
    return new Fields().set("data", data).set("columns", columns);
  }

  private Fields put(String field, Object value) {
    int dot = Objects.requireNonNull(field, "field").indexOf('.');
    if (dot >= 0) {
      struct(field.substring(0, dot)).put(field.substring(dot + 1), value);
      return this;
    }
    Object old = values.put(field, value);
    if (old instanceof Fields struct) {
      structs.remove(struct);
    }
    if (value instanceof Fields struct) {
      structs.add(struct);
    }
    lastChange = CHANGES.incrementAndGet();
    return this;
  }

  /** The fields of a member that is a struct; without values if it has none yet. */
  private Fields struct(String member) {
    Object there = values.get(member);
    if (there == null && !values.containsKey(member)) {
      Fields struct = new Fields();
      put(member, struct);
      return struct;
    }
    if (there instanceof Fields struct) {
      return struct;
    }
    throw new IllegalArgumentException(
        "'" + member + "' has a value of its own, so it is no struct with fields to set");
  }

  /** Greater after each change, including those of a struct within. */
  long version() {
    long version = lastChange;
    for (int i = 0; i < structs.size(); i++) {
      version = Math.max(version, structs.get(i).version());
    }
    return version;
  }

  /** Number of values, those of a struct within among them. */
  int size() {
    int size = values.size();
    for (int i = 0; i < structs.size(); i++) {
      size += structs.get(i).size() - 1;
    }
    return size;
  }

  /** The values by name, in the order of their first setting. */
  Map<String, Object> values() {
    return values;
  }

  /** The names, and those of structs as {@code member.field}. */
  @Override
  public String toString() {
    return values.keySet().toString();
  }
}
