package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.FieldKind;
import io.magpie.stm.FieldKind.Element;
import io.magpie.stm.Fields;
import io.magpie.stm.GuardedCells;
import io.magpie.stm.Region;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import io.magpie.verification.workload.ArgumentSpec.Form;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/** The arguments of a region on a device, made as {@link ArgumentSpec}s say, and made so again. */
final class RegionArguments implements AutoCloseable {
  /** Elements that are generated and copied at once. */
  private static final int PIECE = 1 << 16;

  /** Pieces of an array that are kept for the next filling: of its first two million elements. */
  private static final int KEPT_PIECES = 32;

  private static final String DATA = ".data";
  private static final String GUARDS = ".guards";
  private static final String COLUMNS = ".columns";

  private final Device device;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final Map<String, StmObjects> objects = new LinkedHashMap<>();
  private final Map<String, GuardedCells<?>> cells = new LinkedHashMap<>(); // by array
  private final Map<Integer, SlotPool> pools = new TreeMap<>(); // by their numbers in the region
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<Runnable> fillings = new ArrayList<>();

  private RegionArguments(Device device) {
    this.device = device;
  }

  /**
   * Allocates the arguments, with their contents.
   *
   * @throws IllegalArgumentException if there is not one for each field; the message names field
   *     and kind
   * @throws UnsuitableArgumentException if one has no field, or does not fit it
   * @throws NumberRangeException if that is a number from a place that has a name
   */
  static RegionArguments allocate(Device device, Region region, Map<String, ArgumentSpec> given) {
    Map<String, FieldKind> fields = region.fields();
    Map<String, ArgumentSpec> specs = withGuards(fields, withMembers(fields, given));
    checkNames(region, fields, specs);
    RegionArguments arguments = new RegionArguments(device);
    try {
      List<String> names = new ArrayList<>(fields.keySet());
      // What stands for another field's value comes behind all values.
      names.sort(Comparator.comparing(name -> specs.get(name).form() == Form.FIELD));
      names.forEach(
          name -> {
            FieldKind kind = fields.get(name);
            ArgumentSpec spec = specs.get(name);
            try {
              arguments.add(name, kind, spec);
            } catch (RangeException e) {
              String message = describe(argument(fields, name), kind) + ": " + e.getMessage();
              throw spec.numbers() != null && spec.numbers().hasPlaces()
                  ? new NumberRangeException(message, e)
                  : new UnsuitableArgumentException(message, e);
            } catch (MismatchException e) {
              throw new UnsuitableArgumentException(
                  describe(argument(fields, name), kind)
                      + ": "
                      + spec.quoted()
                      + " does not fit; expected "
                      + e.expected,
                  e);
            }
          });
      arguments.reset();
      return arguments;
    } catch (RuntimeException e) {
      arguments.close();
      throw e;
    }
  }

  /**
   * The specs with one for the data of each guarded array, which is that of the array, and one for
   * its objects: without one of their own there are as many as its data, or its rows, need.
   */
  private static Map<String, ArgumentSpec> withGuards(
      Map<String, FieldKind> fields, Map<String, ArgumentSpec> given) {
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>(given);
    for (String guards : fields.keySet()) {
      if (!guardsAnArray(fields, guards)) {
        continue;
      }
      String array = arrayOf(guards, GUARDS);
      ArgumentSpec whole = specs.remove(array);
      if (whole != null && specs.putIfAbsent(array + DATA, whole) != null) {
        throw new UnsuitableArgumentException(
            array + " and " + array + DATA + " are the same argument; leave one of them out");
      }
      ArgumentSpec data = specs.get(array + DATA);
      if (data != null && needsNone(fields, guards)) {
        specs.putIfAbsent(
            guards,
            guardsOf(
                specs, array, dataOf(data, fields.get(array + DATA)), fields.get(guards).number()));
      }
    }
    return specs;
  }

  /** How many data an argument has: structs are listed by their words. */
  private static long dataOf(ArgumentSpec spec, FieldKind kind) {
    boolean words = spec.form() == Form.LIST && kind.element() == Element.BYTES;
    return words ? spec.length() / Math.max(1, wordsOf(kind)) : spec.length();
  }

  /**
   * @param data how many there are
   * @param each data, or rows, that an object stands for
   */
  private static ArgumentSpec guardsOf(
      Map<String, ArgumentSpec> specs, String array, long data, int each) {
    ArgumentSpec columns = specs.get(array + COLUMNS);
    long width =
        columns != null && columns.value().matches("[1-9][0-9]{0,8}")
            ? Long.parseLong(columns.value())
            : 1;
    long guarded = data / width;
    return new ArgumentSpec(Form.OBJECTS, "", (guarded + each - 1) / each, 0);
  }

  /** Whether a field is the objects of a guarded array. */
  private static boolean guardsAnArray(Map<String, FieldKind> fields, String field) {
    return field.endsWith(GUARDS)
        && fields.get(field).form() == FieldKind.Form.OBJECTS
        && fields.containsKey(arrayOf(field, GUARDS) + DATA);
  }

  /** Whether a field needs no argument where the data that it guards have one. */
  private static boolean needsNone(Map<String, FieldKind> fields, String field) {
    return guardsAnArray(fields, field) && fields.get(field).number() > 0;
  }

  private static String arrayOf(String field, String part) {
    return field.substring(0, field.length() - part.length());
  }

  /** The name that an argument is given by: the data of a guarded array have the name of that. */
  private static String argument(Map<String, FieldKind> fields, String field) {
    boolean guarded =
        field.endsWith(DATA)
            && fields.containsKey(arrayOf(field, DATA) + GUARDS)
            && guardsAnArray(fields, arrayOf(field, DATA) + GUARDS);
    return guarded ? arrayOf(field, DATA) : field;
  }

  /**
   * The region's field that has this name, or is the data of the guarded array that has; null if
   * there is none.
   */
  String field(String name) {
    if (values.containsKey(name)) {
      return name;
    }
    return values.containsKey(name + DATA) && values.containsKey(name + GUARDS)
        ? name + DATA
        : null;
  }

  /** The specs with one for each field of the structs whose fields one spec gives. */
  private static Map<String, ArgumentSpec> withMembers(
      Map<String, FieldKind> fields, Map<String, ArgumentSpec> given) {
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>(given);
    given.forEach(
        (struct, spec) -> {
          List<String> within =
              fields.keySet().stream().filter(name -> name.startsWith(struct + ".")).toList();
          if (spec.form() == Form.MEMBERS && !within.isEmpty()) {
            specs.remove(struct);
            for (String name : within) {
              if (!given.containsKey(name)) {
                String member = name.substring(struct.length() + 1);
                specs.put(name, member(spec, member, name, fields.get(name)));
              }
            }
          }
        });
    return specs;
  }

  private static ArgumentSpec member(
      ArgumentSpec struct, String member, String name, FieldKind kind) {
    ArgumentSpec spec = struct.members().get(member);
    if (spec == null) {
      throw new UnsuitableArgumentException(
          describe(name, kind)
              + ": "
              + struct.quoted()
              + " gives only "
              + String.join(", ", struct.members().keySet())
              + "; give this field by itself, as in --arg "
              + name
              + "="
              + form(kind));
    }
    return spec;
  }

  private static void checkNames(
      Region region, Map<String, FieldKind> fields, Map<String, ArgumentSpec> specs) {
    String all =
        fields.entrySet().stream()
            .map(field -> describe(field.getKey(), field.getValue()))
            .collect(Collectors.joining(", "));
    for (String name : specs.keySet()) {
      if (!fields.containsKey(name)) {
        throw new UnsuitableArgumentException(
            name
                + ": region "
                + region.name()
                + " has no field '"
                + name
                + "'; its fields are "
                + all);
      }
    }
    List<String> missing =
        fields.keySet().stream()
            .filter(field -> !specs.containsKey(field) && !needsNone(fields, field))
            .toList();
    if (!missing.isEmpty()) {
      String first = missing.get(0);
      throw new IllegalArgumentException(
          "region "
              + region.name()
              + " lacks arguments for "
              + missing.stream()
                  .map(name -> describe(argument(fields, name), fields.get(name)))
                  .collect(Collectors.joining(", "))
              + "; give each, as in --arg "
              + argument(fields, first)
              + "="
              + form(fields.get(first)));
    }
  }

  /** One way to write what fits a field. */
  private static String form(FieldKind kind) {
    return switch (kind.form()) {
      case OBJECTS -> Form.OBJECTS.syntax();
      case POOL -> Form.POOL.syntax();
      case SCALAR -> "7";
      case POINTER, ARRAY -> Form.ZEROS.syntax();
    };
  }

  private static String describe(String name, FieldKind kind) {
    return name + " (" + kind.inWords() + ")";
  }

  /** An argument whose form is not one of the field's. */
  private static final class MismatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String expected;

    MismatchException(String expected) {
      this.expected = expected;
    }
  }

  /** A number that the type of its field does not have. */
  private static final class RangeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RangeException(Element element, String place, String number, NumberFormatException cause) {
      super(
          (place.isEmpty() ? "" : place + ": ")
              + "'"
              + number
              + "' is not one of its values, "
              + range(element),
          cause);
    }

    private static String range(Element element) {
      return switch (element) {
        case I8 -> "whole numbers from -128 to 127";
        case U8 -> "whole numbers from 0 to 255";
        case I16 -> "whole numbers from -32768 to 32767";
        case U16 -> "whole numbers from 0 to 65535";
        case I32 -> "whole numbers from -2147483648 to 2147483647";
        case U32 -> "whole numbers from 0 to 4294967295";
        case I64 -> "whole numbers from -9223372036854775808 to 9223372036854775807";
        case U64 -> "whole numbers from 0 to 18446744073709551615";
        case F32 -> "numbers from -3.4028235e38 to 3.4028235e38";
        case F64 -> "numbers from -1.7976931348623157e308 to 1.7976931348623157e308";
        case BYTES -> "32-bit words, whole numbers from -2147483648 to 4294967295";
      };
    }
  }

  private void add(String name, FieldKind kind, ArgumentSpec spec) {
    switch (kind.form()) {
      case OBJECTS -> {
        if (kind.stride() != 0) {
          addGuardsOfCells(name, spec);
          return;
        }
        if (spec.form() == Form.FIELD && values.get(spec.value()) instanceof StmObjects same) {
          values.put(name, same);
          return;
        }
        if (spec.form() != Form.OBJECTS) {
          throw new MismatchException(
              Form.OBJECTS.syntax() + ", or the objects of a guarded array, as in rank.guards");
        }
        StmObjects made = keep(device.objects(spec.length()));
        objects.put(name, made);
        fillings.add(made::reset);
        values.put(name, made);
      }
      case POOL -> {
        if (spec.form() != Form.POOL) {
          throw new MismatchException(Form.POOL.syntax());
        }
        long live = Long.parseLong(spec.value());
        if (spec.length() > Integer.MAX_VALUE || live > spec.length()) {
          throw new MismatchException(
              Form.POOL.syntax() + " with LIVE up to CAPACITY, and that below 2^31");
        }
        SlotPool made = keep(device.newSlotPool(spec.length(), live));
        pools.put(kind.number(), made);
        fillings.add(made::reset);
        values.put(name, made);
      }
      case SCALAR -> {
        if (spec.form() != Form.NUMBER) {
          throw new MismatchException(Form.NUMBER.syntax());
        }
        values.put(name, scalar(kind.element(), spec.value()));
      }
      case POINTER, ARRAY -> {
        boolean none = kind.form() == FieldKind.Form.POINTER && spec.form() == Form.NULL;
        values.put(name, none ? null : array(name, kind, spec));
      }
    }
  }

  /** The objects of cells, which are made with the data. */
  private void addGuardsOfCells(String name, ArgumentSpec spec) {
    GuardedCells<?> of = cells.get(arrayOf(name, GUARDS));
    if (of == null) {
      return; // what is wrong with the data is told with them
    }
    if (spec.form() != Form.OBJECTS || spec.length() != of.count()) {
      throw new MismatchException("nothing, as these objects lie in cells with their data");
    }
    objects.put(name, of.objects());
    fillings.add(of.objects()::reset);
    values.put(name, of.objects());
  }

  /** The number as a field of this type takes it. */
  private static Number scalar(Element element, String number) {
    return scalar(element, number, "");
  }

  /**
   * The same for a number from a place, which the message names.
   *
   * @throws RangeException if the type does not have it
   */
  private static Number scalar(Element element, String number, String place) {
    try {
      return converted(element, number);
    } catch (NumberFormatException e) {
      throw new RangeException(element, place, number, e);
    }
  }

  private static Number converted(Element element, String number) {
    boolean ones = number.equals("-1"); // of unsigned numbers the greatest, as in C++
    return switch (element) {
      case I8 -> Byte.valueOf(number);
      case U8 -> ones ? 0xff : narrow(number, 0xff);
      case I16 -> Short.valueOf(number);
      case U16 -> ones ? 0xffff : narrow(number, 0xffff);
      case I32 -> Integer.valueOf(number);
      case U32 -> ones ? 0xffffffffL : Integer.toUnsignedLong(Integer.parseUnsignedInt(number));
      case I64 -> Long.valueOf(number);
      case U64 -> ones ? -1L : Long.parseUnsignedLong(number);
      case F32 -> finite(Float.parseFloat(number));
      case F64 -> Double.valueOf(number);
      case BYTES -> // a word of a struct
          number.startsWith("-") ? Integer.valueOf(number) : Integer.parseUnsignedInt(number);
    };
  }

  private static int narrow(String number, int most) {
    int value = Integer.parseUnsignedInt(number);
    if (Integer.compareUnsigned(value, most) > 0) {
      throw new NumberFormatException("too large");
    }
    return value;
  }

  private static float finite(float value) {
    if (Float.isInfinite(value)) {
      throw new NumberFormatException("too large");
    }
    return value;
  }

  private DeviceArray<?> array(String name, FieldKind kind, ArgumentSpec spec) {
    LongFunction<Number> contents = contents(kind, spec);
    return switch (kind.element()) {
      case I8, U8 ->
          filled(
              room(name, kind, spec, byte[].class, Byte.BYTES, device::bytes),
              contents,
              byte[]::new,
              (to, i, n) -> to[i] = n.byteValue());
      case I16, U16 ->
          filled(
              room(name, kind, spec, short[].class, Short.BYTES, device::shorts),
              contents,
              short[]::new,
              (to, i, n) -> to[i] = n.shortValue());
      case I32, U32 ->
          filled(
              room(name, kind, spec, int[].class, Integer.BYTES, device::ints),
              contents,
              int[]::new,
              (to, i, n) -> to[i] = n.intValue());
      case I64, U64 ->
          filled(
              room(name, kind, spec, long[].class, Long.BYTES, device::longs),
              contents,
              long[]::new,
              (to, i, n) -> to[i] = n.longValue());
      case F32 ->
          filled(
              room(name, kind, spec, float[].class, Float.BYTES, device::floats),
              contents,
              float[]::new,
              (to, i, n) -> to[i] = n.floatValue());
      case F64 ->
          filled(
              room(name, kind, spec, double[].class, Double.BYTES, device::doubles),
              contents,
              double[]::new,
              (to, i, n) -> to[i] = n.doubleValue());
      case BYTES -> structs(name, kind, spec, contents);
    };
  }

  private DeviceArray<?> structs(
      String name, FieldKind kind, ArgumentSpec spec, LongFunction<Number> contents) {
    if (wordsOf(kind) > 0) {
      return filled(
          room(name, kind, spec, int[].class, Integer.BYTES, device::ints),
          contents,
          int[]::new,
          (to, i, n) -> to[i] = n.intValue());
    }
    return filled(
        room(name, kind, spec, byte[].class, Byte.BYTES, device::bytes),
        contents,
        byte[]::new,
        (to, i, n) -> to[i] = n.byteValue());
  }

  /** An array for an argument, or the data of cells. */
  private <A> DeviceArray<A> room(
      String name,
      FieldKind kind,
      ArgumentSpec spec,
      Class<A> type,
      int bytes,
      LongFunction<DeviceArray<A>> newArray) {
    long length = dataOf(spec, kind);
    int each = kind.elementBytes() / bytes;
    if (kind.stride() == 0) {
      return newArray.apply(length * each);
    }
    GuardedCells<A> made =
        keep(
            kind.isFused()
                ? device.fusedCells(type, length)
                : device.cells(type, length, each, kind.offset() == Long.BYTES ? Long.BYTES : 0));
    cells.put(arrayOf(name, DATA), made);
    return made.data();
  }

  /** Words of 32 bits of a struct; 0 if it is not made of such. */
  private static int wordsOf(FieldKind kind) {
    return kind.elementBytes() % Integer.BYTES == 0 ? kind.elementBytes() / Integer.BYTES : 0;
  }

  /** Puts a number into a Java array. */
  @FunctionalInterface
  private interface Put<A> {
    void put(A to, int index, Number number);
  }

  /** An array that is filled before each run, piece by piece. */
  private <A> DeviceArray<A> filled(
      DeviceArray<A> array, LongFunction<Number> contents, IntFunction<A> newPiece, Put<A> put) {
    keep(array);
    long length = array.length();
    List<A> kept = new ArrayList<>();
    fillings.add(
        () -> {
          for (long first = 0; first < length; first += PIECE) {
            int count = (int) Math.min(PIECE, length - first);
            int number = (int) (first / PIECE);
            A piece = number < kept.size() ? kept.get(number) : newPiece.apply(count);
            if (number >= kept.size()) {
              for (int i = 0; i < count; i++) {
                put.put(piece, i, contents.apply(first + i));
              }
              if (number < KEPT_PIECES) {
                kept.add(piece);
              }
            }
            array.copyFrom(piece, 0, first, count);
          }
        });
    return array;
  }

  /** The elements of an array by index. */
  private static LongFunction<Number> contents(FieldKind kind, ArgumentSpec spec) {
    Element element = kind.element();
    if (element == Element.BYTES) {
      int words = wordsOf(kind);
      if (spec.form() == Form.LIST && words > 0 && spec.length() % words == 0) {
        return listed(element, spec.numbers());
      }
      if (spec.form() != Form.ZEROS) {
        throw new MismatchException(
            Form.ZEROS.syntax()
                + (words == 0
                    ? ""
                    : " or "
                        + Form.LIST.syntax()
                        + " with the 32-bit words of all structs, "
                        + words
                        + " of each"));
      }
      return index -> 0;
    }
    return switch (spec.form()) {
      case ZEROS -> index -> 0;
      case IOTA -> {
        long last = spec.length() - 1;
        if (last > 0) {
          scalar(element, Long.toString(last), "element " + last);
        }
        yield index -> index;
      }
      case FILL -> {
        Number value = scalar(element, spec.value());
        yield index -> value;
      }
      case LIST -> listed(element, spec.numbers());
      case RANDOM -> {
        Number bound = scalar(element, spec.value());
        boolean real = isReal(element);
        if (real
            ? bound.doubleValue() <= 0
            : bound.longValue() == 0
                || spec.value().startsWith("-")
                || isNegative(element, bound)) {
          throw new MismatchException("random:BOUND:LENGTH with a BOUND above 0");
        }
        yield real
            ? index -> (mix(spec.seed(), index) >>> 11) * 0x1p-53 * bound.doubleValue()
            : index -> Long.remainderUnsigned(mix(spec.seed(), index), bound.longValue());
      }
      case OBJECTS, FIELD, POOL, NULL, NUMBER, MEMBERS ->
          throw new MismatchException(
              Form.ZEROS.syntax()
                  + ", "
                  + Form.FILL.syntax()
                  + ", "
                  + Form.IOTA.syntax()
                  + ", "
                  + Form.RANDOM.syntax()
                  + " or "
                  + Form.LIST.syntax());
    };
  }

  /** Elements that are listed, converted once however often the array is filled. */
  private static LongFunction<Number> listed(Element element, NumberList numbers) {
    int length = numbers.length();
    if (isReal(element)) {
      double[] values = new double[length];
      for (int i = 0; i < length; i++) {
        values[i] = scalar(element, numbers.get(i), numbers.place(i)).doubleValue();
      }
      return index -> values[(int) index];
    }
    long[] values = new long[length];
    for (int i = 0; i < length; i++) {
      values[i] = scalar(element, numbers.get(i), numbers.place(i)).longValue();
    }
    return index -> values[(int) index];
  }

  private static boolean isReal(Element element) {
    return element == Element.F32 || element == Element.F64;
  }

  private static boolean isNegative(Element element, Number value) {
    return element != Element.U64 && value.longValue() < 0;
  }

  /** The index-th number of splitmix64 with this seed (Steele, Lea, Flood, OOPSLA 2014). */
  private static long mix(long seed, long index) {
    long z = seed + (index + 1) * 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private <T extends AutoCloseable> T keep(T resource) {
    open.add(resource);
    return resource;
  }

  /** The array of a field; null if it has none. */
  DeviceArray<?> array(String field) {
    return values.get(field) instanceof DeviceArray<?> array ? array : null;
  }

  /** Sets some bytes of a field's array, 1 to 8. */
  @SuppressWarnings("unchecked") // the piece is an array of the same type
  void set(String field, long offset, int bytes, long value) {
    DeviceArray<Object> array = (DeviceArray<Object>) array(field);
    int unit = (int) (array.bytes() / array.length());
    long first = offset / unit;
    int count = (int) ((offset + bytes - 1) / unit - first + 1);
    Object piece = array.slice(first, count).toArray();
    ByteBuffer buffer = ByteBuffer.allocate(count * unit).order(ByteOrder.nativeOrder());
    copy(piece, buffer);
    ByteBuffer bits = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    bits.putLong(0, value);
    boolean lowFirst = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    buffer.put((int) (offset % unit), bits.array(), lowFirst ? 0 : Long.BYTES - bytes, bytes);
    copy(buffer, piece);
    array.copyFrom(piece, 0, first, count);
  }

  private static void copy(Object array, ByteBuffer buffer) {
    if (array instanceof byte[] bytes) {
      buffer.put(0, bytes);
    } else if (array instanceof short[] shorts) {
      buffer.asShortBuffer().put(shorts);
    } else if (array instanceof int[] ints) {
      buffer.asIntBuffer().put(ints);
    } else if (array instanceof long[] longs) {
      buffer.asLongBuffer().put(longs);
    } else if (array instanceof float[] floats) {
      buffer.asFloatBuffer().put(floats);
    } else if (array instanceof double[] doubles) {
      buffer.asDoubleBuffer().put(doubles);
    }
  }

  private static void copy(ByteBuffer buffer, Object array) {
    if (array instanceof byte[] bytes) {
      buffer.get(0, bytes);
    } else if (array instanceof short[] shorts) {
      buffer.asShortBuffer().get(shorts);
    } else if (array instanceof int[] ints) {
      buffer.asIntBuffer().get(ints);
    } else if (array instanceof long[] longs) {
      buffer.asLongBuffer().get(longs);
    } else if (array instanceof float[] floats) {
      buffer.asFloatBuffer().get(floats);
    } else if (array instanceof double[] doubles) {
      buffer.asDoubleBuffer().get(doubles);
    }
  }

  /** All of them, by field. */
  Map<String, Object> values() {
    return Collections.unmodifiableMap(values);
  }

  /** The values for the region's fields. */
  Fields fields() {
    return Fields.of(values);
  }

  /** The names of all fields. */
  Set<String> names() {
    return Collections.unmodifiableSet(values.keySet());
  }

  /** The values of some fields, by the names that a kernel has for them. */
  Fields fields(Map<String, String> fields) {
    Map<String, Object> some = new LinkedHashMap<>();
    fields.forEach((name, field) -> some.put(name, values.get(field)));
    return Fields.of(some);
  }

  /** The objects among them, in the fields' order. */
  List<StmObjects> objects() {
    return List.copyOf(objects.values());
  }

  /** The names of their fields. */
  List<String> objectNames() {
    return List.copyOf(objects.keySet());
  }

  /** The pools, by their numbers. */
  List<SlotPool> pools() {
    return List.copyOf(pools.values());
  }

  /** Keeps what arrays and pools hold now. */
  SavedArguments save() {
    return new SavedArguments(device, values.values().stream().filter(Objects::nonNull).toList());
  }

  /** What is in the arrays, by field; they must be short enough for Java. */
  Map<String, Object> contents() {
    Map<String, Object> contents = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (value instanceof DeviceArray<?> array) {
            contents.put(name, array.toArray());
          }
        });
    return contents;
  }

  /** Makes the contents of all arrays, objects and pools as at first. */
  void reset() {
    fillings.forEach(Runnable::run);
  }

  @Override
  public void close() {
    OpenThings.close(open);
  }
}
