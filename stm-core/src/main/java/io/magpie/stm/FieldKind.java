package io.magpie.stm;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a field of a kernel or region holds, and so what the argument for it must be.
 *
 * @param form scalar, pointer, array with length, the handle of tracking words, or a pool of slots
 * @param element the scalar's type, or the element type behind a pointer; null for objects and
 *     pools
 * @param elementBytes size of the scalar or element in bytes; 4 for objects and pools
 * @param number which of its region's pools it is; of objects that guard an array, how many of its
 *     data, or of its rows, each stands for, 0 = any; 0 for other forms
 * @param isConst whether the kernel or region only reads the elements behind a pointer
 * @param stride in cells, bytes from an element or a tracking word to the next; else 0
 * @param offset of an array in cells, bytes from a cell's beginning to the element; else 0
 */
public record FieldKind(
    Form form,
    Element element,
    int elementBytes,
    int number,
    boolean isConst,
    int stride,
    int offset) {
  /** Bytes of a cell are a power of 2. */
  private static final Pattern IN_CELLS =
      Pattern.compile(
          "(?:(?<array>array:[a-z0-9:]+)|objects)@(?<stride>8|16|32|64|128)"
              + "(?:\\+(?<offset>[048]))?(?<number>:[0-9]{1,10})?");

  /** The most pools of a region. */
  public static final int MOST_POOLS = 4;

  /** One that is in no cells. */
  private FieldKind(Form form, Element element, int elementBytes, int number, boolean isConst) {
    this(form, element, elementBytes, number, isConst, 0, 0);
  }

  /** The shape of a field. */
  public enum Form {
    SCALAR,
    POINTER,
    ARRAY,
    OBJECTS,
    POOL
  }

  /** Scalars and elements. */
  public enum Element {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    BYTES
  }

  /**
   * Reads a kind such as {@code u32}, {@code array:const:f64}, {@code ptr:bytes16}, {@code
   * objects}, {@code objects:1} or {@code pool:0}; in cells {@code array:u32@8+4}, in fused ones
   * {@code array:u32@8+0}, and {@code objects@8:1}.
   *
   * @throws IllegalArgumentException if the text is none of these
   */
  public static FieldKind parse(String text) {
    if (text.equals("objects")) {
      return new FieldKind(Form.OBJECTS, null, 4, 0, false);
    }
    Matcher inCells = IN_CELLS.matcher(text);
    if (inCells.matches()
        && (inCells.group("array") == null) == (inCells.group("offset") == null)
        && (inCells.group("array") == null || inCells.group("number") == null)) {
      String dense =
          inCells.group("array") != null
              ? inCells.group("array")
              : "objects" + Objects.requireNonNullElse(inCells.group("number"), "");
      int offset = inCells.group("offset") == null ? 0 : Integer.parseInt(inCells.group("offset"));
      FieldKind kind = parse(dense).inCells(Integer.parseInt(inCells.group("stride")), offset);
      if (kind.isFused() && (kind.elementBytes != 4 || kind.stride != 8)) {
        throw new IllegalArgumentException("unknown kind '" + text + "'");
      }
      return kind;
    }
    if (text.matches("objects:[0-9]{1,10}")) {
      long number = Long.parseLong(text.substring(8)); // of 32 bits in the library
      if (number > Integer.MAX_VALUE) {
        throw new IllegalArgumentException("unknown kind '" + text + "'");
      }
      return new FieldKind(Form.OBJECTS, null, 4, (int) number, false);
    }
    if (text.matches("pool:[0-9]") && text.charAt(5) - '0' < MOST_POOLS) {
      return new FieldKind(Form.POOL, null, 4, text.charAt(5) - '0', false);
    }
    if (text.startsWith("ptr:")) {
      return ofElement(Form.POINTER, text.substring(4), text);
    }
    if (text.startsWith("array:")) {
      return ofElement(Form.ARRAY, text.substring(6), text);
    }
    FieldKind scalar = ofElement(Form.SCALAR, text, text);
    if (scalar.element == Element.BYTES || scalar.elementBytes < 4) {
      throw new IllegalArgumentException("unknown kind '" + text + "'");
    }
    return scalar;
  }

  private FieldKind inCells(int stride, int offset) {
    return new FieldKind(form, element, elementBytes, number, isConst, stride, offset);
  }

  private static FieldKind ofElement(Form form, String element, String whole) {
    boolean isConst = element.startsWith("const:");
    String bare = isConst ? element.substring(6) : element;
    return switch (bare) {
      case "i8" -> new FieldKind(form, Element.I8, 1, 0, isConst);
      case "u8" -> new FieldKind(form, Element.U8, 1, 0, isConst);
      case "i16" -> new FieldKind(form, Element.I16, 2, 0, isConst);
      case "u16" -> new FieldKind(form, Element.U16, 2, 0, isConst);
      case "i32" -> new FieldKind(form, Element.I32, 4, 0, isConst);
      case "u32" -> new FieldKind(form, Element.U32, 4, 0, isConst);
      case "i64" -> new FieldKind(form, Element.I64, 8, 0, isConst);
      case "u64" -> new FieldKind(form, Element.U64, 8, 0, isConst);
      case "f32" -> new FieldKind(form, Element.F32, 4, 0, isConst);
      case "f64" -> new FieldKind(form, Element.F64, 8, 0, isConst);
      default -> {
        if (!bare.matches("bytes[1-9][0-9]{0,8}")) {
          throw new IllegalArgumentException("unknown kind '" + whole + "'");
        }
        yield new FieldKind(form, Element.BYTES, Integer.parseInt(bare.substring(5)), 0, isConst);
      }
    };
  }

  /** Bytes that a field of this kind takes in the functor. */
  public int fieldBytes() {
    return switch (form) {
      case SCALAR -> elementBytes;
      case POINTER -> 8;
      case ARRAY, OBJECTS -> 16;
      case POOL -> 24;
    };
  }

  /** Whether it is the data of fused cells. */
  public boolean isFused() {
    return stride != 0 && offset == 0 && form == Form.ARRAY;
  }

  /** Of data in cells: where in a cell the tracking word is. */
  public int wordOffset() {
    return isFused() ? elementBytes : 0;
  }

  /** The kind in words for messages, such as {@code cells of u32}. */
  public String inWords() {
    String name =
        element == null
            ? ""
            : element == Element.BYTES
                ? elementBytes + "-byte structs"
                : element.name().toLowerCase(Locale.ROOT);
    return switch (form) {
      case SCALAR -> "a scalar of type " + name;
      case POINTER -> "a pointer to " + name;
      case ARRAY ->
          stride == 0 ? "an array of " + name : (isFused() ? "fused " : "") + "cells of " + name;
      case OBJECTS -> stride == 0 ? "objects" : "the objects of cells";
      case POOL -> "a pool of slots";
    };
  }

  /**
   * The same with what Java gives for it, where the words do not say that: {@code cells of u32 (a
   * GuardedCells)}.
   */
  public String inWordsOfJava() {
    String given =
        switch (form) {
          case SCALAR -> "";
          case POINTER -> "an array, or null";
          case ARRAY -> stride == 0 ? "" : "a GuardedCells";
          case OBJECTS -> stride == 0 ? "an StmObjects" : "a GuardedCells";
          case POOL -> "a SlotPool";
        };
    return given.isEmpty() ? inWords() : inWords() + " (" + given + ")";
  }
}
