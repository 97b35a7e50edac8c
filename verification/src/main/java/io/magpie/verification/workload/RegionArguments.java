package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.FieldKind;
import io.magpie.stm.FieldKind.Element;
import io.magpie.stm.Fields;
import io.magpie.stm.Region;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import io.magpie.verification.workload.ArgumentSpec.Form;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/** The arguments of a region on a device, made as {@link ArgumentSpec}s say, and made so again. */
final class RegionArguments implements AutoCloseable {
  /** Elements that are generated and copied at once. */
  private static final int PIECE = 1 << 16;

  private final Device device;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final List<StmObjects> objects = new ArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<Runnable> fillings = new ArrayList<>();

  private RegionArguments(Device device) {
    this.device = device;
  }

  /**
   * Allocates the arguments, with their contents.
   *
   * @throws IllegalArgumentException if there is not one for each field, or one does not fit its
   *     field; the message names field and kind
   */
  static RegionArguments allocate(Device device, Region region, Map<String, ArgumentSpec> specs) {
    Map<String, FieldKind> fields = region.fields();
    checkNames(region, fields, specs);
    RegionArguments arguments = new RegionArguments(device);
    try {
      fields.forEach(
          (name, kind) -> {
            ArgumentSpec spec = specs.get(name);
            try {
              arguments.add(name, kind, spec);
            } catch (NumberFormatException e) {
              throw new IllegalArgumentException(
                  describe(name, kind) + ": '" + spec.value() + "' is none of its values", e);
            } catch (MismatchException e) {
              throw new IllegalArgumentException(
                  describe(name, kind) + ": '" + spec + "' does not fit; expected " + e.expected,
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

  private static void checkNames(
      Region region, Map<String, FieldKind> fields, Map<String, ArgumentSpec> specs) {
    String all =
        fields.entrySet().stream()
            .map(field -> describe(field.getKey(), field.getValue()))
            .collect(Collectors.joining(", "));
    for (String name : specs.keySet()) {
      if (!fields.containsKey(name)) {
        throw new IllegalArgumentException(
            "region " + region.name() + " has no field '" + name + "'; its fields are " + all);
      }
    }
    List<String> missing = fields.keySet().stream().filter(f -> !specs.containsKey(f)).toList();
    if (!missing.isEmpty()) {
      String first = missing.get(0);
      throw new IllegalArgumentException(
          "region "
              + region.name()
              + " lacks arguments for "
              + missing.stream()
                  .map(name -> describe(name, fields.get(name)))
                  .collect(Collectors.joining(", "))
              + "; give each, as in --arg "
              + first
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

  private void add(String name, FieldKind kind, ArgumentSpec spec) {
    switch (kind.form()) {
      case OBJECTS -> {
        if (spec.form() != Form.OBJECTS) {
          throw new MismatchException(Form.OBJECTS.syntax());
        }
        StmObjects made = keep(device.objects(spec.length()));
        objects.add(made);
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
        values.put(name, none ? null : array(kind, spec));
      }
    }
  }

  /** The number as a field of this type takes it. */
  private static Number scalar(Element element, String number) {
    return switch (element) {
      case I32 -> Integer.valueOf(number);
      case U32 -> Integer.toUnsignedLong(Integer.parseUnsignedInt(number));
      case I64 -> Long.valueOf(number);
      case U64 -> Long.parseUnsignedLong(number);
      case F32 -> Float.valueOf(number);
      case F64 -> Double.valueOf(number);
      case BYTES -> throw new IllegalStateException("a scalar of bytes");
    };
  }

  private DeviceArray<?> array(FieldKind kind, ArgumentSpec spec) {
    LongFunction<Number> contents = contents(kind, spec);
    long length = spec.length();
    return switch (kind.element()) {
      case I32, U32 -> {
        DeviceArray<int[]> array = keep(device.ints(length));
        fillings.add(
            () ->
                fill(
                    length,
                    (first, count) -> {
                      int[] piece = new int[count];
                      Arrays.setAll(piece, i -> contents.apply(first + i).intValue());
                      array.copyFrom(piece, 0, first, count);
                    }));
        yield array;
      }
      case I64, U64 -> {
        DeviceArray<long[]> array = keep(device.longs(length));
        fillings.add(
            () ->
                fill(
                    length,
                    (first, count) -> {
                      long[] piece = new long[count];
                      Arrays.setAll(piece, i -> contents.apply(first + i).longValue());
                      array.copyFrom(piece, 0, first, count);
                    }));
        yield array;
      }
      case F32 -> {
        DeviceArray<float[]> array = keep(device.floats(length));
        fillings.add(
            () ->
                fill(
                    length,
                    (first, count) -> {
                      float[] piece = new float[count];
                      for (int i = 0; i < count; i++) {
                        piece[i] = contents.apply(first + i).floatValue();
                      }
                      array.copyFrom(piece, 0, first, count);
                    }));
        yield array;
      }
      case F64 -> {
        DeviceArray<double[]> array = keep(device.doubles(length));
        fillings.add(
            () ->
                fill(
                    length,
                    (first, count) -> {
                      double[] piece = new double[count];
                      Arrays.setAll(piece, i -> contents.apply(first + i).doubleValue());
                      array.copyFrom(piece, 0, first, count);
                    }));
        yield array;
      }
      case BYTES -> {
        DeviceArray<int[]> array = keep(device.ints(length * (kind.elementBytes() / 4)));
        fillings.add(() -> array.fill(0));
        yield array;
      }
    };
  }

  /** The elements of an array by index. */
  private static LongFunction<Number> contents(FieldKind kind, ArgumentSpec spec) {
    Element element = kind.element();
    if (element == Element.BYTES) {
      if (spec.form() != Form.ZEROS || kind.elementBytes() % 4 != 0) {
        throw new MismatchException("zeros:LENGTH, of structs whose size is a multiple of 4 bytes");
      }
      return index -> 0;
    }
    return switch (spec.form()) {
      case ZEROS -> index -> 0;
      case IOTA -> index -> index;
      case FILL -> {
        Number value = scalar(element, spec.value());
        yield index -> value;
      }
      case RANDOM -> {
        Number bound = scalar(element, spec.value());
        boolean real = element == Element.F32 || element == Element.F64;
        if (real
            ? bound.doubleValue() <= 0
            : bound.longValue() == 0 || isNegative(element, bound)) {
          throw new MismatchException("random:BOUND:LENGTH with a BOUND above 0");
        }
        yield real
            ? index -> (mix(spec.seed(), index) >>> 11) * 0x1p-53 * bound.doubleValue()
            : index -> Long.remainderUnsigned(mix(spec.seed(), index), bound.longValue());
      }
      case OBJECTS, POOL, NULL, NUMBER ->
          throw new MismatchException(
              Form.ZEROS.syntax()
                  + ", "
                  + Form.FILL.syntax()
                  + ", "
                  + Form.IOTA.syntax()
                  + " or "
                  + Form.RANDOM.syntax());
    };
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

  /** Makes and copies some elements. */
  @FunctionalInterface
  private interface Filling {
    void fill(long first, int count);
  }

  private static void fill(long length, Filling filling) {
    for (long first = 0; first < length; first += PIECE) {
      filling.fill(first, (int) Math.min(PIECE, length - first));
    }
  }

  private <T extends AutoCloseable> T keep(T resource) {
    open.add(resource);
    return resource;
  }

  /** The array of a field; null if it has none. */
  DeviceArray<?> array(String field) {
    return values.get(field) instanceof DeviceArray<?> array ? array : null;
  }

  /** The values for the region's fields. */
  Fields fields() {
    return Fields.of(values);
  }

  /** The objects among them, in the fields' order. */
  List<StmObjects> objects() {
    return Collections.unmodifiableList(objects);
  }

  /** Makes the contents of all arrays, objects and pools as at first. */
  void reset() {
    fillings.forEach(Runnable::run);
  }

  @Override
  public void close() {
    Resources.close(open);
  }
}
