package io.magpie.stm;

import io.magpie.stm.FieldKind.Element;
import io.magpie.stm.internal.ElementType;
import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Memory.Contents;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the arguments of a launch into a functor's bytes, each checked against its field. */
final class ArgumentPacker {
  /** How many arguments are remembered: launches in a loop often take turns with two or three. */
  private static final int KEPT = 4;

  private final String owner;
  private final Device device;
  private final List<ModuleTable.Field> fields;
  private final ArgumentPlaces places;
  private final String[]
      members; // the struct that a field is in, `a.b` for one in another; "" for none
  private final String[] names; // within it
  private final ArrayField[] arrayFields; // null for fields that take no array
  private final Map<String, Map<String, ArrayField>> byStruct = new HashMap<>();
  private final boolean looksAtNames;
  private final Fields[] latest = new Fields[KEPT]; // what `bound` is of
  private final long[] versions = new long[KEPT];
  private final Object[][] bound = new Object[KEPT][];
  private int oldest;

  /**
   * What an array is set to: a field, or the member whose data it is.
   *
   * @param struct which it is in; empty for none
   * @param name in there
   * @param kind of the field
   */
  private record ArrayField(String struct, String name, FieldKind kind) {
    String path() {
      return struct.isEmpty() ? name : struct + "." + name;
    }
  }

  /**
   * @param owner the kernel's or region's name, for messages
   * @param module where the functor is, on the device where arrays must lie
   * @param fields the functor's fields in order
   */
  ArgumentPacker(String owner, OpenModule module, List<ModuleTable.Field> fields) {
    this.owner = owner;
    this.device = module.device();
    this.fields = fields;
    this.places = ArgumentPlaces.of(module.table().shared());
    this.looksAtNames = module.looksAtNames();
    this.members = new String[fields.size()];
    this.names = new String[fields.size()];
    for (int i = 0; i < names.length; i++) {
      String path = fields.get(i).name();
      int dot = path.lastIndexOf('.');
      members[i] = path.substring(0, Math.max(dot, 0));
      names[i] = path.substring(dot + 1);
    }
    this.arrayFields = new ArrayField[names.length];
    for (int i = 0; i < names.length; i++) {
      ArrayField field = arrayField(i);
      arrayFields[i] = field;
      if (field != null) {
        byStruct.computeIfAbsent(field.struct(), none -> new HashMap<>()).put(field.name(), field);
      }
    }
  }

  private ArrayField arrayField(int i) {
    FieldKind kind = fields.get(i).kind();
    if (kind.form() != FieldKind.Form.POINTER && kind.form() != FieldKind.Form.ARRAY) {
      return null;
    }
    boolean isData = names[i].equals("data") && arrayInWords(members[i]) != null;
    String path = isData ? members[i] : fields.get(i).name();
    int dot = path.lastIndexOf('.');
    return new ArrayField(path.substring(0, Math.max(dot, 0)), path.substring(dot + 1), kind);
  }

  /**
   * The values of the functor's fields, in the order of the fields. The latest few that were bound
   * are not looked up again unless they have changed. For one thread at a time.
   *
   * @throws ArgumentMismatchException if a field has no value, or a value has no field
   */
  Object[] bind(Fields given) {
    long version = given.version();
    int place = 0;
    while (place < KEPT && latest[place] != given) {
      place++;
    }
    if (place < KEPT && versions[place] == version) {
      return bound[place];
    }
    Object[] found = lookUp(given);
    if (place == KEPT) {
      place = oldest;
      oldest = (oldest + 1) % KEPT;
    }
    latest[place] = given;
    versions[place] = version;
    bound[place] = found;
    return found;
  }

  private Object[] lookUp(Fields given) {
    Object[] found = new Object[names.length];
    String member = "";
    Map<String, Object> values = given.values();
    for (int i = 0; i < names.length; i++) {
      if (!members[i].equals(member)) { // fields of a struct follow each other
        member = members[i];
        values = (member.isEmpty() ? given : struct(given, member)).values();
      }
      found[i] = values.get(names[i]);
      if (found[i] == null && !values.containsKey(names[i])) {
        throw mismatch(fields.get(i), "no value" + andUnknown(given));
      }
      if (found[i] instanceof Fields struct) {
        throw mismatch(fields.get(i), "a struct of " + String.join(", ", struct.values().keySet()));
      }
    }
    if (given.size() != names.length) {
      throw new ArgumentMismatchException(
          owner, unknown("", given).get(0), "one of its fields: " + fieldsOf(""), "a value");
    }
    if (looksAtNames) {
      checkNames(found);
    }
    return found;
  }

  /**
   * Refuses an array that is named after another field of the struct, where each would take it. One
   * that is of another kind is refused as that, when it is packed.
   */
  private void checkNames(Object[] found) {
    for (int i = 0; i < found.length; i++) {
      String name = found[i] instanceof DeviceArray<?> array ? array.name() : null;
      ArrayField field = arrayFields[i];
      if (name == null || field == null || name.equals(field.name())) {
        continue;
      }
      DeviceArray<?> array = (DeviceArray<?>) found[i];
      ArrayField meant = byStruct.get(field.struct()).get(name);
      if (meant != null
          && misfit(field.kind(), array) == null
          && misfit(meant.kind(), array) == null) {
        throw mismatch(
            fields.get(i),
            String.format(
                "%s, which is named after '%s': set that to it, or name no arrays that change"
                    + " places",
                array, meant.path()));
      }
    }
  }

  private Fields struct(Fields given, String path) {
    Fields at = given;
    for (int from = 0; from <= path.length(); ) {
      int end = path.indexOf('.', from) < 0 ? path.length() : path.indexOf('.', from);
      Object next = at.values().get(path.substring(from, end));
      if (!(next instanceof Fields inner)) {
        throw new ArgumentMismatchException(
            owner,
            path.substring(0, end),
            structInWords(path.substring(0, end)),
            next == null ? "no value" + andUnknown(given) : describe(next));
      }
      at = inner;
      from = end + 1;
    }
    return at;
  }

  /** The memory behind the values of fields. */
  List<AccessTrace.Memory> memory(Fields given) {
    return memoryOf(lookUp(given));
  }

  /** The memory behind bound values. */
  List<AccessTrace.Memory> memoryOf(Object[] found) {
    List<AccessTrace.Memory> memory = new ArrayList<>();
    for (int i = 0; i < found.length; i++) {
      String name = fields.get(i).name();
      if (found[i] instanceof DeviceArray<?> array) {
        int element = Math.max(1, fields.get(i).kind().elementBytes());
        int stride = array.spacing() == null ? element : array.spacing().stride();
        long count = array.bytes() / element;
        long bytes = stride == element ? array.bytes() : bytesOf(count, element, stride);
        memory.add(
            new AccessTrace.Memory(
                name, array.firstAddress(), bytes, element, stride, Contents.DATA, 0, null));
      } else if (found[i] instanceof StmObjects objects) {
        long bytes = bytesOf(objects.count(), Integer.BYTES, objects.stride());
        memory.add(
            new AccessTrace.Memory(
                name,
                objects.address(),
                bytes,
                Integer.BYTES,
                objects.stride(),
                Contents.OBJECTS,
                0,
                null));
      } else if (found[i] instanceof SlotPool pool) {
        memory.add(pool.memory(name));
      }
    }
    return memory;
  }

  private static long bytesOf(long count, int element, int stride) {
    return count == 0 ? 0 : (count - 1) * stride + element;
  }

  /** Bound values by the names of their fields. */
  Map<String, Object> byField(Object[] found) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < found.length; i++) {
      values.put(fields.get(i).name(), found[i]);
    }
    return Collections.unmodifiableMap(values);
  }

  /** Names of values that no field takes. */
  private List<String> unknown(String prefix, Fields given) {
    List<String> unknown = new ArrayList<>();
    for (Map.Entry<String, Object> entry : given.values().entrySet()) {
      String path = prefix + entry.getKey();
      boolean inner = entry.getValue() instanceof Fields;
      String begin = path + (inner ? "." : "");
      if (fields.stream()
          .noneMatch(each -> inner ? each.name().startsWith(begin) : each.name().equals(begin))) {
        unknown.add(path);
      } else if (inner) {
        unknown.addAll(unknown(begin, (Fields) entry.getValue()));
      }
    }
    return unknown;
  }

  /** What is likely meant for a field without a value. */
  private String andUnknown(Fields given) {
    List<String> unknown = unknown("", given);
    return unknown.isEmpty()
        ? ""
        : "; '"
            + String.join("', '", unknown)
            + (unknown.size() == 1 ? "' is" : "' are")
            + " no field of it";
  }

  /** What a struct takes, as one writes it. */
  private String structInWords(String path) {
    String array = arrayInWords(path);
    return array != null ? array : "a struct (a Fields) of " + fieldsOf(path + ".");
  }

  /** The same if it is a guarded array or one in rows; else null. */
  private String arrayInWords(String path) {
    String set = "set(\"" + path.substring(path.lastIndexOf('.') + 1) + "\", ";
    return switch (fieldsOf(path + ".")) {
      case "data, guards" ->
          isInCells(path)
              ? (isFused(path) ? "fused" : "guarded") + " cells, by " + set + "cells)"
              : "a guarded array, by " + set + "data, objects)";
      case "data, columns, guards" ->
          "a guarded array in rows, by " + set + "data, columns, objects)";
      case "data, columns" -> "an array in rows, by " + set + "data, columns)";
      default -> null;
    };
  }

  private boolean isInCells(String path) {
    return fields.stream()
        .anyMatch(each -> each.name().equals(path + ".data") && each.kind().stride() != 0);
  }

  private boolean isFused(String path) {
    return fields.stream()
        .anyMatch(each -> each.name().equals(path + ".data") && each.kind().isFused());
  }

  private String fieldsOf(String prefix) {
    return fields.isEmpty()
        ? "none"
        : fields.stream()
            .map(ModuleTable.Field::name)
            .filter(name -> name.startsWith(prefix))
            .map(name -> name.substring(prefix.length()))
            .collect(Collectors.joining(", "));
  }

  /** A zeroed buffer that the device can read, at least 64-byte aligned. */
  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect((bytes + 63) / 64 * 64 + 128)
        .alignedSlice(64)
        .order(ByteOrder.nativeOrder());
  }

  /** The objects among the bound values, each once. */
  List<StmObjects> objectsIn(Object[] arguments) {
    List<StmObjects> found = new ArrayList<>();
    for (Object argument : arguments) {
      if (argument instanceof StmObjects objects && !found.contains(objects)) {
        found.add(objects);
      }
    }
    return found;
  }

  /**
   * Bytes of the words of the objects among the bound values, and of the data that they guard.
   * Cells count as words that lie apart.
   */
  long bytesOfObjects(Object[] arguments) {
    long bytes = objectsIn(arguments).stream().mapToLong(StmObjects::bytes).sum();
    for (int i = 0; i < arguments.length; i++) {
      if (fields.get(i).kind().form() == FieldKind.Form.OBJECTS && names[i].equals("guards")) {
        bytes += bytesGuardedBy(i, arguments);
      }
    }
    return bytes;
  }

  /** Bytes of the array, or of the rows, of which these fields' objects are the last. */
  private long bytesGuardedBy(int guards, Object[] arguments) {
    for (int i = guards - 1; i >= 0 && members[i].equals(members[guards]); i--) {
      if (names[i].equals("data") && arguments[i] instanceof DeviceArray<?> data) {
        return data.spacing() == null ? data.bytes() : 0;
      }
    }
    return 0;
  }

  /**
   * The pools among the bound values by number; null where the region has no pool of that number.
   *
   * @throws ArgumentMismatchException if one of them is not a pool, or one is given twice
   */
  SlotPool[] poolsIn(Object[] arguments) {
    SlotPool[] found = new SlotPool[0];
    for (int i = 0; i < arguments.length; i++) {
      ModuleTable.Field field = fields.get(i);
      if (field.kind().form() != FieldKind.Form.POOL) {
        continue;
      }
      SlotPool pool = pool(field, arguments[i]);
      if (Arrays.asList(found).contains(pool)) {
        throw mismatch(field, "a pool that is another argument too");
      }
      found = Arrays.copyOf(found, Math.max(found.length, field.kind().number() + 1));
      found[field.kind().number()] = pool;
    }
    return found;
  }

  /** The field that takes the pool of this number. */
  String poolName(int number) {
    return fields.stream()
        .filter(field -> field.kind().form() == FieldKind.Form.POOL)
        .filter(field -> field.kind().number() == number)
        .map(ModuleTable.Field::name)
        .findFirst()
        .orElseThrow();
  }

  private SlotPool pool(ModuleTable.Field field, Object argument) {
    if (!(argument instanceof SlotPool pool)) {
      throw mismatch(field, describe(argument));
    }
    checkDevice(field, pool.device(), pool);
    return pool;
  }

  /**
   * Writes all values.
   *
   * @param arguments as {@link #bind} has given them
   * @param base where the functor begins in the buffer
   * @throws ArgumentMismatchException if one does not fit
   */
  void pack(Object[] arguments, ByteBuffer buffer, int base) {
    for (int i = 0; i < arguments.length; i++) {
      ModuleTable.Field field = fields.get(i);
      int at = base + field.offset();
      switch (field.kind().form()) {
        case SCALAR -> packScalar(field, arguments[i], buffer, at);
        case POINTER -> {
          if (arguments[i] == null) {
            buffer.putLong(at, 0);
          } else {
            buffer.putLong(at, array(field, arguments[i]).address());
          }
        }
        case ARRAY -> {
          DeviceArray<?> array = array(field, arguments[i]);
          buffer.putLong(at + places.data(), array.firstAddress());
          buffer.putLong(at + places.length(), array.bytes() / field.kind().elementBytes());
        }
        case OBJECTS -> {
          if (!(arguments[i] instanceof StmObjects objects)) {
            throw mismatch(field, describe(arguments[i]));
          }
          checkDevice(field, objects.device(), objects);
          checkCells(i, objects, arguments);
          if (field.kind().number() > 0) {
            checkGuards(i, objects, arguments);
          }
          buffer.putLong(at + places.objects().words(), objects.address());
          buffer.putInt(at + places.objects().count(), (int) objects.count());
          buffer.putInt(at + places.objects().policy(), objects.policyTag());
        }
        case POOL -> pool(field, arguments[i]).writeTo(buffer, at, places.objects());
      }
    }
  }

  /** Whether objects are in cells if they have to be, and in those of the field before. */
  private void checkCells(int i, StmObjects objects, Object[] arguments) {
    ModuleTable.Field field = fields.get(i);
    int stride = field.kind().stride();
    if (objects.stride() != (stride == 0 ? Integer.BYTES : stride)) {
      throw mismatch(field, objects + " of " + objects.stride() + " bytes each");
    }
    if (stride != 0) { // of a guarded_cells, whose data are the field before
      boolean known = i > 0 && arguments[i - 1] instanceof DeviceArray<?>;
      long data = known ? ((DeviceArray<?>) arguments[i - 1]).firstAddress() : 0;
      FieldKind kind = fields.get(i - 1).kind();
      if (!known || data - objects.address() != kind.offset() - kind.wordOffset()) {
        throw mismatch(field, objects + " of other cells than the data");
      }
    }
  }

  /**
   * Whether there are enough objects for what they guard: the array that is the field before, or
   * the rows of one that is followed by the number of its columns.
   */
  private void checkGuards(int i, StmObjects objects, Object[] arguments) {
    boolean inRows = fields.get(i - 1).kind().form() == FieldKind.Form.SCALAR;
    ModuleTable.Field data = fields.get(inRows ? i - 2 : i - 1);
    long length =
        ((DeviceArray<?>) arguments[inRows ? i - 2 : i - 1]).bytes() / data.kind().elementBytes();
    if (inRows) {
      long columns = ((Number) arguments[i - 1]).longValue() & 0xffffffffL; // a u32
      length = columns == 0 ? 0 : length / columns;
    }
    int each = fields.get(i).kind().number();
    long needed = (length + each - 1) / each;
    if (objects.count() < needed) {
      throw mismatch(
          fields.get(i),
          String.format(
              "%s, where the %d %s of %s need %d",
              objects, length, inRows ? "rows" : "elements", data.name(), needed));
    }
  }

  private void packScalar(ModuleTable.Field field, Object value, ByteBuffer buffer, int at) {
    Element element = field.kind().element();
    boolean whole =
        value instanceof Integer
            || value instanceof Long
            || value instanceof Short
            || value instanceof Byte;
    switch (element) {
      case I32, U32 -> {
        if (!whole) {
          throw mismatch(field, describe(value));
        }
        long number = ((Number) value).longValue();
        // An int stands for its bits, so every int goes into a u32; a long must be in range.
        long most = element == Element.I32 ? Integer.MAX_VALUE : 0xffffffffL;
        long least = element == Element.U32 && value instanceof Long ? 0 : Integer.MIN_VALUE;
        if (number < least || number > most) {
          throw mismatch(field, describe(value) + ", outside " + least + " to " + most);
        }
        buffer.putInt(at, (int) number);
      }
      case I64, U64 -> {
        if (!whole) {
          throw mismatch(field, describe(value));
        }
        long number = ((Number) value).longValue();
        if (element == Element.U64 && number < 0 && !(value instanceof Long)) {
          throw mismatch(field, describe(value) + ": give a long for 64 bits");
        }
        buffer.putLong(at, number);
      }
      case F32 -> {
        if (!(value instanceof Float number)) {
          throw mismatch(
              field,
              describe(value) + (value instanceof Double ? ": a cast to float is needed" : ""));
        }
        buffer.putFloat(at, number);
      }
      case F64 -> {
        if (!(value instanceof Double) && !(value instanceof Float)) {
          throw mismatch(field, describe(value));
        }
        buffer.putDouble(at, ((Number) value).doubleValue());
      }
      case I8, U8, I16, U16, BYTES -> throw new IllegalStateException("no scalar's type");
    }
  }

  private DeviceArray<?> array(ModuleTable.Field field, Object argument) {
    if (!(argument instanceof DeviceArray<?> array)) {
      throw mismatch(field, describe(argument));
    }
    checkDevice(field, array.device(), array);
    String misfit = misfit(field.kind(), array);
    if (misfit != null) {
      throw mismatch(field, array + misfit);
    }
    return array;
  }

  /** What keeps an array from a field of this kind, as it follows the array; null if nothing. */
  private static String misfit(FieldKind kind, DeviceArray<?> array) {
    if (array.isConst() && !kind.isConst()) {
      return ", and the field's elements are not const";
    }
    boolean fits =
        switch (kind.element()) {
          case I8, U8 -> array.type() == ElementType.BYTE;
          case I16, U16 -> array.type() == ElementType.SHORT;
          case I32, U32 -> array.type() == ElementType.INT;
          case I64, U64 -> array.type() == ElementType.LONG;
          case F32 -> array.type() == ElementType.FLOAT;
          case F64 -> array.type() == ElementType.DOUBLE;
          case BYTES -> array.bytes() % kind.elementBytes() == 0;
        };
    if (!fits) {
      return kind.element() == Element.BYTES ? " (" + array.bytes() + " bytes)" : "";
    }
    if (kind.stride() != 0 || array.spacing() != null) {
      return misplaced(kind, array);
    }
    if (kind.element() == Element.BYTES) {
      // A struct may be read by one access of up to 16 bytes.
      long alignment = Math.min(16, Integer.lowestOneBit(kind.elementBytes()));
      if (array.address() % alignment != 0) {
        return " that does not begin at a multiple of " + alignment + " bytes";
      }
    }
    return null;
  }

  /** The same of an array or a field in cells: whether both are, and in such cells. */
  private static String misplaced(FieldKind kind, DeviceArray<?> array) {
    DeviceArray.Spacing spacing = array.spacing();
    if (spacing == null || kind.stride() == 0) {
      return "";
    }
    if (kind.isFused() != (spacing.offset() == 0)) {
      return kind.isFused() ? ", not fused" : ", fused";
    }
    int bytes = spacing.each() * array.type().bytes();
    if (bytes != kind.elementBytes() || spacing.offset() != kind.offset()) {
      return String.format(
          " whose %d bytes are aligned to %d, where %d are to %d",
          bytes, spacing.offset(), kind.elementBytes(), kind.offset());
    }
    return array.beginsACell() ? null : " that begins within a struct";
  }

  private void checkDevice(ModuleTable.Field field, Device other, Object argument) {
    if (other != device) {
      throw mismatch(
          field,
          argument + (sameSpec(other) ? " (another device of the same name)" : ", another device"));
    }
  }

  private boolean sameSpec(Device other) {
    return other.description().spec().equals(device.description().spec());
  }

  private ArgumentMismatchException mismatch(ModuleTable.Field field, String actual) {
    return new ArgumentMismatchException(
        owner,
        field.name(),
        field.kind().inWordsOfJava() + " on " + device.description().spec(),
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
