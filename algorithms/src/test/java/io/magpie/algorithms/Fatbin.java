package io.magpie.algorithms;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What the machine code in an uncompressed fatbin says about its kernels.
 *
 * <p>A fatbin is a header and entries; an entry of kind 2 is an ELF file for one architecture. In
 * it each kernel has a section {@code .nv.info.<kernel>} of attributes: one byte format, one byte
 * name, then two bytes of value or, in format 4, of length of the value that follows. Attribute
 * 0x17 describes one parameter: ordinal at byte 4, offset at byte 6, size in bits 18 to 31 of the
 * word at byte 8.
 */
final class Fatbin {
  private static final int MAGIC = 0xBA55ED50;
  private static final int KIND_ELF = 2;
  private static final int FORMAT_SIZED_VALUE = 4;
  private static final int ATTRIBUTE_PARAMETER = 0x17;
  private static final String SECTION = ".nv.info.";

  /** One parameter of a kernel: its offset in the parameter space and its size, in bytes. */
  record Parameter(int ordinal, int offset, int size) {}

  private Fatbin() {}

  /** For each ELF in the fatbin the kernels' parameters by kernel name. */
  static List<TreeMap<String, List<Parameter>>> kernels(byte[] fatbin) {
    List<TreeMap<String, List<Parameter>>> images = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(fatbin).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.getInt(0) != MAGIC) {
      throw new IllegalArgumentException("no fatbin");
    }
    int at = bytes.getShort(6);
    int end = at + (int) bytes.getLong(8);
    while (at < end) {
      int kind = bytes.getShort(at);
      int header = bytes.getInt(at + 4);
      int size = (int) bytes.getLong(at + 8);
      if (kind == KIND_ELF) {
        images.add(kernelsOfElf(bytes.slice(at + header, size).order(ByteOrder.LITTLE_ENDIAN)));
      }
      at += header + size;
    }
    return images;
  }

  private static TreeMap<String, List<Parameter>> kernelsOfElf(ByteBuffer elf) {
    if (elf.getInt(0) != 0x464C457F) {
      throw new IllegalArgumentException("a compressed entry, or no ELF");
    }
    TreeMap<String, List<Parameter>> kernels = new TreeMap<>();
    int table = (int) elf.getLong(0x28);
    int entry = elf.getShort(0x3A);
    int count = elf.getShort(0x3C);
    int names = (int) elf.getLong(table + elf.getShort(0x3E) * entry + 0x18);
    for (int i = 0; i < count; i++) {
      int section = table + i * entry;
      String name = text(elf, names + elf.getInt(section));
      if (name.startsWith(SECTION)) {
        int offset = (int) elf.getLong(section + 0x18);
        int size = (int) elf.getLong(section + 0x20);
        kernels.put(name.substring(SECTION.length()), parameters(elf.slice(offset, size)));
      }
    }
    return kernels;
  }

  private static List<Parameter> parameters(ByteBuffer slice) {
    ByteBuffer attributes = slice.order(ByteOrder.LITTLE_ENDIAN);
    List<Parameter> parameters = new ArrayList<>();
    int at = 0;
    while (at < attributes.limit()) {
      int format = attributes.get(at);
      int attribute = attributes.get(at + 1);
      int value = at + 4;
      if (format == FORMAT_SIZED_VALUE) {
        if (attribute == ATTRIBUTE_PARAMETER) {
          parameters.add(
              new Parameter(
                  attributes.getShort(value + 4),
                  attributes.getShort(value + 6),
                  attributes.getInt(value + 8) >>> 18));
        }
        at = value + attributes.getShort(at + 2);
      } else {
        at = value;
      }
    }
    return parameters;
  }

  private static String text(ByteBuffer elf, int at) {
    int end = at;
    while (elf.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - at];
    elf.get(at, bytes);
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
