package io.magpie.stm;

import io.magpie.stm.internal.ElementType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * An array in a device's memory, or a slice of one. Lengths and positions are 64-bit; only what is
 * copied to or from one Java array is limited to that array's length.
 *
 * <p>Element types match a kernel's fields by size and kind: {@code byte[]} goes with int8 and
 * uint8, {@code short[]} with int16 and uint16, {@code int[]} with int32 and uint32, {@code long[]}
 * with int64 and uint64, {@code float[]} and {@code double[]} with theirs. Structs of N bytes take
 * an array of any type whose size is a multiple of N, or a slice that begins where such structs
 * may: at a multiple of the largest power of two that divides N, 16 at most. Bits of unsigned
 * values are those of the Java type.
 *
 * <p>The data of {@linkplain GuardedCells cells} are an array whose elements do not follow each
 * other: it is copied, filled, sliced and read like any other, at the cost of copying what is
 * between them, too, and goes to fields that are cells only; where elements have to follow each
 * other it is refused by an exception.
 *
 * <p>An array may be {@linkplain #named named} after the field that it is for.
 *
 * <p>Copies wait for launches asked for earlier. After {@link #copyFrom} the Java array or buffer
 * may be changed at once. Ranges outside an array throw {@link IndexOutOfBoundsException}; use
 * after closing throws {@link IllegalStateException}.
 *
 * @param <A> {@code byte[]}, {@code short[]}, {@code int[]}, {@code long[]}, {@code float[]} or
 *     {@code double[]}
 */
public final class DeviceArray<A> implements Device.Owned {
  /** Bytes that are copied at once where elements lie apart. */
  private static final int PIECE = 1 << 20;

  private final Device device;
  private final ElementType<A> type;
  private final DeviceArray<?> whole;

  /** Of the first element; in cells that of the whole view, where a slice begins at first. */
  private final long address;

  private final Spacing spacing;
  private final long first;
  private final long length;
  private final boolean isConst;
  private volatile String name; // null if it has none
  private volatile boolean closed;

  /**
   * How elements lie in cells.
   *
   * @param each elements that follow each other
   * @param stride bytes from the first of these to the next first one
   * @param offset bytes of a cell before the first one
   */
  record Spacing(int each, int stride, int offset) {}

  private DeviceArray(
      Device device, ElementType<A> type, DeviceArray<?> whole, long address, long length) {
    this(device, type, whole, address, null, 0, length, false);
  }

  private DeviceArray(
      Device device,
      ElementType<A> type,
      DeviceArray<?> whole,
      long address,
      Spacing spacing,
      long first,
      long length,
      boolean isConst) {
    this.device = device;
    this.type = type;
    this.whole = whole;
    this.address = address;
    this.spacing = spacing;
    this.first = first;
    this.length = length;
    this.isConst = isConst;
  }

  /** A view of elements that lie apart in memory, which begins with the first cell. */
  static <A> DeviceArray<A> spaced(
      DeviceArray<?> memory, ElementType<A> type, Spacing spacing, long length) {
    return new DeviceArray<>(
        memory.device, type, memory, memory.address() + spacing.offset, spacing, 0, length, false);
  }

  static <A> DeviceArray<A> allocate(Device device, ElementType<A> type, long length) {
    return allocate(device, type, length, type + " array of " + length + " elements");
  }

  /** Allocates under another name in messages. */
  static <A> DeviceArray<A> allocate(Device device, ElementType<A> type, long length, String what) {
    return device.exclusively(
        () -> {
          DeviceArray<A> array = internal(device, type, length, what);
          // Within the queue: a device that closes next must know of it.
          device.opened(array, what);
          return array;
        });
  }

  /** Allocates what belongs to the device's own parts: they close it, and no leak is told. */
  static <A> DeviceArray<A> internal(Device device, ElementType<A> type, long length, String what) {
    if (length < 0 || length > (1L << 60)) {
      throw new IllegalArgumentException(
          "the length of an array must be from 0 to 2^60, got " + length);
    }
    return device.exclusively(
        () ->
            new DeviceArray<>(
                device, type, null, device.allocate(length * type.bytes(), what), length));
  }

  /** Number of elements. */
  public long length() {
    return length;
  }

  /** Size of its elements in bytes; in cells, without what lies between them. */
  public long bytes() {
    return length * type.bytes();
  }

  /** The device it lies on. */
  public Device device() {
    return device;
  }

  /**
   * A view of a part. It shares memory with this array and ends with it; closing a slice ends only
   * the slice.
   *
   * @param from first element
   * @param length number of elements
   */
  public DeviceArray<A> slice(long from, long length) {
    requireOpen();
    Objects.checkFromIndexSize(from, length, this.length);
    return view(from, length, isConst);
  }

  /**
   * A view of all elements through which none is written: kernels and regions take it for fields of
   * const elements only, and copying, filling and setting are refused. So an input that is given in
   * place of a result is an error at the call. It shares memory with this array, which may be
   * written, and ends with it; slices of it are of the same kind.
   */
  public DeviceArray<A> asConst() {
    requireOpen();
    return view(0, length, true);
  }

  private DeviceArray<A> view(long from, long length, boolean isConst) {
    DeviceArray<?> of = whole == null ? this : whole;
    DeviceArray<A> view =
        spacing == null
            ? new DeviceArray<>(
                device, type, of, address + from * type.bytes(), null, 0, length, isConst)
            : new DeviceArray<>(device, type, of, address, spacing, first + from, length, isConst);
    view.name = name;
    return view;
  }

  /**
   * Names this array after the field that it is for, so that it is not taken for another one. Where
   * a functor, or a struct in it, has a field of this name that could have this array, none of its
   * other fields takes it:
   *
   * <pre>{@code
   * DeviceArray<int[]> parent = device.ints(n).named("parent");
   * DeviceArray<int[]> label = device.ints(n).named("label");
   * kernel.run(n, new Fields().set("parent", label).set("label", parent)); // is refused
   * }</pre>
   *
   * <p>Kernels without such a field take it for any; the name then only shows in messages. So two
   * arrays that change places on purpose, from round to round, get no names. The name is looked at
   * when a launch gets {@link Fields} that are new to it or have changed: name an array before.
   * Slices, const views and {@linkplain #grown grown} arrays made from now on have its name, and
   * can be named otherwise. Primitives and other parts of the library take arrays of any name.
   *
   * @param name that of a field within its struct, without dots; of a guarded array or one in rows,
   *     that of the member
   * @return this array
   */
  public DeviceArray<A> named(String name) {
    if (name.isBlank() || name.indexOf('.') >= 0) {
      throw new IllegalArgumentException(
          "an array's name is that of a field within its struct, without dots, got '" + name + "'");
    }
    this.name = name;
    return this;
  }

  /** The name of the field that it is for; null if it has none. */
  String name() {
    return name;
  }

  /**
   * Copies elements of a Java array to this array.
   *
   * @param source the Java array
   * @param sourceIndex its first element
   * @param index where that goes
   * @param count number of elements
   */
  public void copyFrom(A source, int sourceIndex, long index, int count) {
    require(!isConst, "copyFrom");
    Objects.checkFromIndexSize(sourceIndex, count, Array.getLength(source));
    Objects.checkFromIndexSize(index, (long) count, length);
    device.exclusively(
        () -> {
          requireOpen();
          if (spacing != null) {
            copyApart(source, sourceIndex, index, count, true);
          } else if (count > 0) {
            device.backend().write(source, sourceIndex, count, addressOf(index));
          }
          return null;
        });
  }

  /** Copies a Java array of the same length to this array. */
  public void copyFrom(A source) {
    copyFrom(source, 0, 0, sameLength(Array.getLength(source)));
  }

  /**
   * Copies the elements that a buffer has between its position and its limit to this array, by way
   * of no Java array. A mapped file's come from the system's cache of it; a file of more than 2 GiB
   * is mapped in parts, each of which has its index here. The buffer's position stays, so threads
   * may share it.
   *
   * @param source elements in the machine's order of bytes: a direct or mapped buffer, or one over
   *     a {@code byte[]}
   * @param index where the first one goes
   * @throws IllegalArgumentException if the buffer's {@linkplain ByteBuffer#order() order} is not
   *     the machine's, as a new buffer's is not on most machines, or it has a part of an element
   * @throws MagpieException if the file that it maps was made shorter or cannot be read; an
   *     undetermined part of the elements is copied
   */
  public void copyFrom(ByteBuffer source, long index) {
    require(!isConst, "copyFrom");
    ByteBuffer from = elements(source, index);
    device.exclusively(
        () -> {
          requireOpen();
          if (spacing != null) {
            copyApart(from, index, true);
          } else if (from.hasRemaining()) {
            device.backend().write(from, addressOf(index));
          }
          return null;
        });
  }

  /**
   * Copies an array of the same length, on the same device or another one; the two must not
   * overlap.
   *
   * <p>From another device it waits for what was asked of both earlier, and returns when the copy
   * is there. Until then no other thread uses either device. Inside a call of one of the two, as
   * what {@link Region#runRounds} does after a round, such a copy is possible only if that one was
   * opened before the other.
   *
   * <p>Between GPUs the data go directly, over NVLink or the bus, where one can reach the other's
   * memory. The first copy opens the way between the two, which stays open as long as the process
   * has them. Where there is no way, the driver copies by way of page-locked memory. Processors and
   * simulators share their memory. Between these and a GPU, and where elements are those of
   * {@linkplain GuardedCells cells}, it goes by way of Java arrays, one part after the other.
   *
   * @throws IllegalArgumentException if the source has another length, or the two overlap
   * @throws IllegalStateException if an array or its device is closed, this one is {@linkplain
   *     #asConst const}, or the source is on another device and this thread is inside a call of the
   *     one of both that was opened last
   * @throws MagpieException if a GPU refuses the copy or is dead
   */
  public void copyFrom(DeviceArray<A> source) {
    require(!isConst, "copyFrom");
    if (source.length != length) {
      throw new IllegalArgumentException(source + " has another length than " + this);
    }
    if (source.device != device) {
      copyFromOther(source);
      return;
    }
    device.exclusively(
        () -> {
          source.requireOpen();
          requireOpen();
          if (length == 0) {
            return null;
          }
          long from = source.addressOf(0);
          long to = addressOf(0);
          if (from <= addressOf(length - 1) && to <= source.addressOf(length - 1)) {
            throw new IllegalArgumentException(source + " and " + this + " overlap");
          }
          if (spacing == null && source.spacing == null) {
            device.backend().copy(from, to, bytes());
          } else {
            copyByPieces(source);
          }
          return null;
        });
  }

  private void copyFromOther(DeviceArray<A> source) {
    device.exclusively(
        source.device,
        () -> {
          source.requireOpen();
          requireOpen();
          boolean copied =
              length == 0
                  || spacing == null
                      && source.spacing == null
                      && device
                          .backend()
                          .copyFrom(
                              source.device.backend(), source.addressOf(0), addressOf(0), bytes());
          if (!copied) {
            copyByPieces(source);
          }
          return null;
        });
  }

  /**
   * A longer array with the elements of this one, then zeros. This array is closed.
   *
   * @param newLength at least the present length
   * @throws IllegalStateException if this is a slice
   * @throws DeviceOutOfMemoryException if there is no memory; this array is as it was
   */
  public DeviceArray<A> grown(long newLength) {
    require(whole == null, "grown");
    if (newLength < length) {
      throw new IllegalArgumentException(this + " cannot shrink to " + newLength);
    }
    return device.exclusively(
        () -> {
          requireOpen();
          DeviceArray<A> larger = allocate(device, type, newLength);
          larger.slice(0, length).copyFrom(this);
          larger.name = name;
          close();
          return larger;
        });
  }

  /**
   * Copies elements of this array to a Java array.
   *
   * @param target the Java array
   * @param targetIndex where the first element goes
   * @param index the first element
   * @param count number of elements
   */
  public void copyTo(A target, int targetIndex, long index, int count) {
    Objects.checkFromIndexSize(targetIndex, count, Array.getLength(target));
    Objects.checkFromIndexSize(index, (long) count, length);
    device.exclusively(
        () -> {
          requireOpen();
          if (spacing != null) {
            copyApart(target, targetIndex, index, count, false);
          } else if (count > 0) {
            device.backend().read(addressOf(index), target, targetIndex, count);
          }
          return null;
        });
  }

  /**
   * Copies as many elements of this array as a buffer takes between its position and its limit, by
   * way of no Java array. The buffer's position stays.
   *
   * @param target takes elements in the machine's order of bytes: a direct or mapped buffer, or one
   *     over a {@code byte[]}
   * @param index the first element
   * @throws IllegalArgumentException if the buffer is read-only, its {@linkplain ByteBuffer#order()
   *     order} is not the machine's, as a new buffer's is not on most machines, or it ends within
   *     an element
   * @throws MagpieException if the file that it maps was made shorter or cannot be written; an
   *     undetermined part of the elements is copied
   */
  public void copyTo(ByteBuffer target, long index) {
    if (target.isReadOnly()) {
      throw new IllegalArgumentException(
          "copyTo needs a buffer that can be written, got a read-only one: " + target);
    }
    ByteBuffer to = elements(target, index);
    device.exclusively(
        () -> {
          requireOpen();
          if (spacing != null) {
            copyApart(to, index, false);
          } else if (to.hasRemaining()) {
            device.backend().read(addressOf(index), to);
          }
          return null;
        });
  }

  /** The elements between a buffer's position and its limit, which are to be some of this array. */
  private ByteBuffer elements(ByteBuffer buffer, long index) {
    int bytes = type.bytes();
    if (buffer.order() != ByteOrder.nativeOrder() && bytes > 1) {
      throw new IllegalArgumentException(
          this
              + " needs a buffer in the machine's order, "
              + ByteOrder.nativeOrder()
              + ", got one in "
              + buffer.order()
              + "; if its bytes are in the machine's order, say so by"
              + " order(ByteOrder.nativeOrder())");
    }
    if (buffer.remaining() % bytes != 0) {
      throw new IllegalArgumentException(
          this + " needs a buffer of whole elements of " + bytes + " bytes, got " + buffer);
    }
    Objects.checkFromIndexSize(index, (long) buffer.remaining() / bytes, length);
    return buffer.slice().order(ByteOrder.nativeOrder());
  }

  /** Copies this array to a Java array of the same length. */
  public void copyTo(A target) {
    copyTo(target, 0, 0, sameLength(Array.getLength(target)));
  }

  /**
   * All elements as a new Java array.
   *
   * @throws IllegalStateException if there are more than a Java array holds; copy slices instead
   */
  public A toArray() {
    if (length > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException(this + " is too long for one Java array: copy slices of it");
    }
    A target = type.newArray((int) length);
    copyTo(target);
    return target;
  }

  /** Sets every element. The value may be signed or unsigned, of as many bits as an element. */
  public void fill(long value) {
    fillBits(type.bits(value));
  }

  /** Sets every element of a float or double array. */
  public void fill(double value) {
    fillBits(type.bits(value));
  }

  private void fillBits(long bits) {
    require(!isConst, "fill");
    device.exclusively(
        () -> {
          requireOpen();
          if (spacing == null) {
            if (length > 0) {
              device.backend().fill(address, bits, type.bytes(), length);
            }
            return null;
          }
          for (int i = 0; i < Math.min(spacing.each, length); i++) {
            long count = (length - i + spacing.each - 1) / spacing.each;
            device.backend().fill(addressOf(i), bits, type.bytes(), count, spacing.stride);
          }
          return null;
        });
  }

  /** One element of a byte, short or int array, sign-extended; waits for the device. */
  public int getInt(long index) {
    require(!type.isFloating() && type != ElementType.LONG, "getInt");
    return (int) wholeNumber(element(index));
  }

  /** One element of an array of whole numbers, sign-extended; waits for the device. */
  public long getLong(long index) {
    require(!type.isFloating(), "getLong");
    return wholeNumber(element(index));
  }

  /**
   * The first element. {@link Array#getInt} will not do: the high bits of the register it returns
   * in are arbitrary, and code that HotSpot compiles (seen in 17 and 25) for {@link
   * Integer#toUnsignedLong} of it keeps them.
   */
  private static long wholeNumber(Object array) {
    if (array instanceof byte[] bytes) {
      return bytes[0];
    } else if (array instanceof short[] shorts) {
      return shorts[0];
    } else if (array instanceof int[] ints) {
      return ints[0];
    }
    return ((long[]) array)[0];
  }

  /** One element of a float or double array; waits for the device. */
  public double getDouble(long index) {
    require(type.isFloating(), "getDouble");
    return Array.getDouble(element(index), 0);
  }

  /** Sets one element. The value may be signed or unsigned, of as many bits as an element. */
  public void set(long index, long value) {
    require(!isConst, "set");
    slice(index, 1).fill(value);
  }

  /** Sets one element of a float or double array. */
  public void set(long index, double value) {
    require(!isConst, "set");
    slice(index, 1).fill(value);
  }

  private A element(long index) {
    A one = type.newArray(1);
    copyTo(one, 0, index, 1);
    return one;
  }

  private void require(boolean holds, String method) {
    if (!holds) {
      throw new IllegalStateException(method + " does not apply to " + this);
    }
  }

  private int sameLength(int other) {
    if (other != length) {
      throw new IllegalArgumentException(
          this + " needs a Java array of " + length + ", got " + other);
    }
    return other;
  }

  /** Frees the memory; slices of this array end with it. Closing twice is harmless. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    if (whole == null) {
      device.closed(this);
      device.free(address);
    }
  }

  /** Whether it is a view {@linkplain #asConst through which none is written}. */
  public boolean isConst() {
    return isConst;
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * The address, if the array is open.
   *
   * @throws IllegalArgumentException if its elements lie apart
   */
  long address() {
    requireOpen();
    if (spacing != null) {
      throw new IllegalArgumentException(
          this + " has tracking words between its elements: copy it to an ordinary array first");
    }
    return address;
  }

  /**
   * The same for what is written.
   *
   * @throws IllegalStateException if nothing is written through it
   */
  long addressToWrite() {
    require(!isConst, "writing");
    return address();
  }

  /** The address of the first element, if the array is open. */
  long firstAddress() {
    requireOpen();
    return addressOf(0);
  }

  /** How its elements lie in cells; null if they follow each other. */
  Spacing spacing() {
    return spacing;
  }

  /** Whether its first element is the first one of a cell, or it is in none. */
  boolean beginsACell() {
    return spacing == null || first % spacing.each == 0;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
    if (whole != null && whole.closed) {
      throw new IllegalStateException(this + " is a slice of an array that is closed");
    }
  }

  private long addressOf(long index) {
    if (spacing == null) {
      return address + index * type.bytes();
    }
    long element = first + index;
    return address
        + element / spacing.each * spacing.stride
        + element % spacing.each * type.bytes();
  }

  /**
   * Copies elements that lie apart to a Java array or from it, by way of all that is between them.
   */
  private void copyApart(A array, int arrayIndex, long index, int count, boolean toDevice) {
    ElementType.Move<A> move = type.move(toDevice);
    int most = PIECE / spacing.stride * spacing.each;
    int part;
    for (int done = 0; done < count; done += part) {
      part = Math.min(most, count - done);
      long begin = addressOf(index + done);
      long end = addressOf(index + done + part - 1) + type.bytes();
      byte[] bytes = new byte[(int) (end - begin)];
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
      device.backend().read(begin, bytes, 0, bytes.length);
      for (int i = 0; i < part; i++) {
        int at = (int) (addressOf(index + done + i) - begin);
        move.move(array, arrayIndex + done + i, buffer, at);
      }
      if (toDevice) {
        device.backend().write(bytes, 0, bytes.length, begin);
      }
    }
  }

  /** Copies elements that lie apart to a buffer or from it. */
  private void copyApart(ByteBuffer buffer, long index, boolean toDevice) {
    int count = buffer.remaining() / type.bytes();
    ElementType.Move<A> move = type.move(!toDevice);
    A piece = type.newArray(Math.min(PIECE / type.bytes(), count));
    int part;
    for (int done = 0; done < count; done += part) {
      part = Math.min(Array.getLength(piece), count - done);
      if (!toDevice) {
        copyApart(piece, 0, index + done, part, false);
      }
      for (int i = 0; i < part; i++) {
        move.move(piece, i, buffer, (done + i) * type.bytes());
      }
      if (toDevice) {
        copyApart(piece, 0, index + done, part, true);
      }
    }
  }

  private void copyByPieces(DeviceArray<A> source) {
    int most = PIECE / type.bytes();
    A piece = type.newArray((int) Math.min(most, length));
    for (long done = 0; done < length; done += most) {
      int part = (int) Math.min(most, length - done);
      source.copyTo(piece, 0, done, part);
      copyFrom(piece, 0, done, part);
    }
  }

  ElementType<A> type() {
    return type;
  }

  @Override
  public String toString() {
    String of = isConst ? "const view, " : spacing == null ? "slice, " : "data in cells, ";
    return (whole == null ? "" : of)
        + type
        + " array "
        + (name == null ? "" : "'" + name + "' ")
        + "of "
        + length
        + " elements on "
        + device.description().spec();
  }
}
