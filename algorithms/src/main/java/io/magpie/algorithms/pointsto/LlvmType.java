package io.magpie.algorithms.pointsto;

import java.util.List;

/**
 * A type of LLVM's, as far as pointers go.
 *
 * @param form what it is
 * @param carries whether a value of it may hold a pointer
 * @param bits of an integer
 * @param parts of a structure its fields; of an array or vector the type of its elements; of a
 *     function what it returns
 */
record LlvmType(Form form, boolean carries, int bits, List<LlvmType> parts) {
  /** Kinds of types. */
  enum Form {
    /** A pointer, or a type that is not known yet. */
    POINTER,
    INTEGER,
    STRUCTURE,
    /** Elements of one type. */
    ARRAY,
    FUNCTION,
    METADATA,
    /** Everything else; holds no pointer. */
    OTHER
  }

  static final LlvmType POINTER = new LlvmType(Form.POINTER, true, 0, List.of());
  static final LlvmType OTHER = new LlvmType(Form.OTHER, false, 0, List.of());
  static final LlvmType METADATA = new LlvmType(Form.METADATA, false, 0, List.of());

  static LlvmType integer(int bits, int pointerBits) {
    return new LlvmType(Form.INTEGER, bits >= pointerBits, bits, List.of());
  }

  static LlvmType structure(List<LlvmType> fields) {
    return new LlvmType(
        Form.STRUCTURE, fields.stream().anyMatch(LlvmType::carries), 0, List.copyOf(fields));
  }

  /** Integers that are too short for a pointer one by one may hold it together. */
  static LlvmType array(long length, LlvmType element, int pointerBits) {
    boolean together =
        element.form == Form.INTEGER && length >= (pointerBits - 1) / element.bits + 1;
    return new LlvmType(Form.ARRAY, element.carries || together, 0, List.of(element));
  }

  static LlvmType function(LlvmType result) {
    return new LlvmType(Form.FUNCTION, false, 0, List.of(result));
  }

  /** The type of a field or element; this one, if it has none. */
  LlvmType part(int index) {
    return switch (form) {
      case STRUCTURE -> index >= 0 && index < parts.size() ? parts.get(index) : this;
      case ARRAY -> parts.get(0);
      default -> this;
    };
  }
}
