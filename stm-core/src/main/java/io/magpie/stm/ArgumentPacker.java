package io.magpie.stm;

import io.magpie.stm.FieldKind.Element;
import io.magpie.stm.internal.ModuleTable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the arguments of a launch into a functor's bytes, each checked against its field. */
final class ArgumentPacker {
  private final String owner;
  private final Device device;
  private final List<ModuleTable.Field> fields;

  /**
   * @param owner the kernel's or region's name, for messages
   * @param device where arrays must lie
   * @param fields the functor's fields in order
   */
  ArgumentPacker(String owner, Device device, List<ModuleTable.Field> fields) {
    this.owner = owner;
    this.device = device;
    this.fields = fields;
  }

  /** A zeroed buffer that the device can read, at least 64-byte aligned. */
  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect((bytes + 63) / 64 * 64 + 128)
        .alignedSlice(64)
        .order(ByteOrder.nativeOrder());
  }

  /**
   * The objects among the arguments, each once, after all arguments have been checked for number.
   */
  List<StmObjects> objectsIn(Object[] arguments) {
    checkNumber(arguments);
    List<StmObjects> found = new ArrayList<>();
    for (Object argument : arguments) {
      if (argument instanceof StmObjects objects && !found.contains(objects)) {
        found.add(objects);
      }
    }
    return found;
  }

  /**
   * The pools among the arguments by number, after all arguments have been checked for number; null
   * where the region has no pool of that number.
   *
   * @throws ArgumentMismatchException if one of them is no pool, or the same one twice
   */
  SlotPool[] poolsIn(Object[] arguments) {
    checkNumber(arguments);
    SlotPool[] found = new SlotPool[0];
    for (int i = 0; i < arguments.length; i++) {
      ModuleTable.Field field = fields.get(i);
      if (field.kind().form() != FieldKind.Form.POOL) {
        continue;
      }
      SlotPool pool = pool(i, field, arguments[i]);
      if (Arrays.asList(found).contains(pool)) {
        throw mismatch(i, field, "a pool that is another argument too");
      }
      found = Arrays.copyOf(found, Math.max(found.length, field.kind().number() + 1));
      found[field.kind().number()] = pool;
    }
    return found;
  }

  private SlotPool pool(int index, ModuleTable.Field field, Object argument) {
    if (!(argument instanceof SlotPool pool)) {
      throw mismatch(index, field, describe(argument));
    }
    checkDevice(index, field, pool.device(), pool);
    return pool;
  }

  /**
   * Writes all arguments.
   *
   * @param base where the functor begins in the buffer
   * @throws ArgumentMismatchException if one does not fit
   */
  void pack(Object[] arguments, ByteBuffer buffer, int base) {
    checkNumber(arguments);
    for (int i = 0; i < arguments.length; i++) {
      ModuleTable.Field field = fields.get(i);
      int at = base + field.offset();
      switch (field.kind().form()) {
        case SCALAR -> packScalar(i, field, arguments[i], buffer, at);
        case POINTER -> {
          if (arguments[i] == null) {
            buffer.putLong(at, 0);
          } else {
            buffer.putLong(at, array(i, field, arguments[i]).address());
          }
        }
        case ARRAY -> {
          DeviceArray<?> array = array(i, field, arguments[i]);
          buffer.putLong(at, array.address());
          buffer.putLong(at + 8, array.bytes() / field.kind().elementBytes());
        }
        case OBJECTS -> {
          if (!(arguments[i] instanceof StmObjects objects)) {
            throw mismatch(i, field, describe(arguments[i]));
          }
          checkDevice(i, field, objects.device(), objects);
          buffer.putLong(at, objects.address());
          buffer.putInt(at + 8, (int) objects.count());
          buffer.putInt(at + 12, objects.policyTag());
        }
        case POOL -> pool(i, field, arguments[i]).writeTo(buffer, at);
      }
    }
  }

  private void checkNumber(Object[] arguments) {
    if (arguments == null || arguments.length != fields.size()) {
      throw new ArgumentMismatchException(
          owner,
          -1,
          fields.stream().map(ModuleTable.Field::name).collect(Collectors.joining(", ")),
          fields.size() == 1 ? "1 argument" : fields.size() + " arguments",
          arguments == null
              ? "null in place of all; a single null is (Object) null"
              : Integer.toString(arguments.length));
    }
  }

  private void packScalar(
      int index, ModuleTable.Field field, Object value, ByteBuffer buffer, int at) {
    Element element = field.kind().element();
    boolean whole =
        value instanceof Integer
            || value instanceof Long
            || value instanceof Short
            || value instanceof Byte;
    switch (element) {
      case I32, U32 -> {
        if (!whole) {
          throw mismatch(index, field, describe(value));
        }
        long number = ((Number) value).longValue();
        // An int stands for its bits, so every int goes into a u32; a long must be in range.
        long most = element == Element.I32 ? Integer.MAX_VALUE : 0xffffffffL;
        long least = element == Element.U32 && value instanceof Long ? 0 : Integer.MIN_VALUE;
        if (number < least || number > most) {
          throw mismatch(index, field, describe(value) + ", outside " + least + " to " + most);
        }
        buffer.putInt(at, (int) number);
      }
      case I64, U64 -> {
        if (!whole) {
          throw mismatch(index, field, describe(value));
        }
        long number = ((Number) value).longValue();
        if (element == Element.U64 && number < 0 && !(value instanceof Long)) {
          throw mismatch(index, field, describe(value) + ": give a long for 64 bits");
        }
        buffer.putLong(at, number);
      }
      case F32 -> {
        if (!(value instanceof Float number)) {
          throw mismatch(
              index,
              field,
              describe(value) + (value instanceof Double ? ": a cast to float is needed" : ""));
        }
        buffer.putFloat(at, number);
      }
      case F64 -> {
        if (!(value instanceof Double) && !(value instanceof Float)) {
          throw mismatch(index, field, describe(value));
        }
        buffer.putDouble(at, ((Number) value).doubleValue());
      }
      case BYTES -> throw mismatch(index, field, describe(value));
    }
  }

  private DeviceArray<?> array(int index, ModuleTable.Field field, Object argument) {
    if (!(argument instanceof DeviceArray<?> array)) {
      throw mismatch(index, field, describe(argument));
    }
    checkDevice(index, field, array.device(), array);
    FieldKind kind = field.kind();
    boolean fits =
        switch (kind.element()) {
          case I32, U32 -> array.type() == ElementType.INT;
          case I64, U64 -> array.type() == ElementType.LONG;
          case F32 -> array.type() == ElementType.FLOAT;
          case F64 -> array.type() == ElementType.DOUBLE;
          case BYTES -> array.bytes() % kind.elementBytes() == 0;
        };
    if (!fits) {
      throw mismatch(
          index,
          field,
          array + (kind.element() == Element.BYTES ? " (" + array.bytes() + " bytes)" : ""));
    }
    if (kind.element() == Element.BYTES) {
      // A struct may be read by one access of up to 16 bytes.
      long alignment = Math.min(16, Integer.lowestOneBit(kind.elementBytes()));
      if (array.address() % alignment != 0) {
        throw mismatch(
            index, field, array + " that does not begin at a multiple of " + alignment + " bytes");
      }
    }
    return array;
  }

  private void checkDevice(int index, ModuleTable.Field field, Device other, Object argument) {
    if (other != device) {
      throw mismatch(
          index,
          field,
          argument + (sameSpec(other) ? " (another device of the same name)" : ", another device"));
    }
  }

  private boolean sameSpec(Device other) {
    return other.description().spec().equals(device.description().spec());
  }

  private ArgumentMismatchException mismatch(int index, ModuleTable.Field field, String actual) {
    return new ArgumentMismatchException(
        owner,
        index,
        field.name(),
        field.kind().inWords() + " on " + device.description().spec(),
        actual);
  }

  private static String describe(Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof Number) {
      return value.getClass().getSimpleName() + " " + value;
    }
    if (value instanceof DeviceArray<?>
        || value instanceof StmObjects
        || value instanceof SlotPool) {
      return value.toString();
    }
    return value.getClass().isArray()
        ? "a Java " + value.getClass().getSimpleName() + ": copy it to the device first"
        : value.getClass().getName();
  }
}
