package io.magpie.stm;

import io.magpie.stm.internal.ElementType;

/**
 * Transactional objects with their data next to their tracking words, for a region's {@code
 * magpie::stm::guarded_cells<T>}: datum i belongs to object i. So a transaction finds both in one
 * place of memory, where {@linkplain Fields#set(String, DeviceArray, StmObjects) two arrays} have
 * two: meant for large data that are accessed at random, so that neither is in a cache.
 *
 * <pre>{@code
 * try (GuardedCells<int[]> balance = device.cells(int[].class, accounts)) {
 *   balance.data().fill(100);
 *   transfer.run(transfers, new Fields().set("balance", balance));
 *   int[] after = balance.data().toArray();
 * }
 * }</pre>
 *
 * <p>A cell is the word, 4 bytes, and behind it the datum, in as many bytes as the next power of 2:
 * 8 for an {@code int}, 16 for a {@code long} or three {@code float}. A datum is one element of the
 * array's type, or a struct of several.
 *
 * <p>{@linkplain Device#fusedCells Fused} cells, for {@code magpie::stm::fused_cells<T>}, have data
 * of 4 bytes and change word and datum at once, which is faster. In return their data cannot be
 * read past a transaction, and who locks one has its datum: that of a cell that is locked when a
 * launch ends by a fault is lost, and reads as 0.
 *
 * <p>The number of cells is fixed. Runs under {@link Policy#OPTIMISTIC_HAND_OFF}, {@link
 * Policy#PR_STM} and {@link Policy#OBSTRUCTION_FREE} are refused by a {@link MagpieException}:
 * their objects have versions, for which cells have no room.
 *
 * @param <A> {@code byte[]}, {@code short[]}, {@code int[]}, {@code long[]}, {@code float[]} or
 *     {@code double[]}
 */
public final class GuardedCells<A> implements Device.Owned {
  private static final int WORD_BYTES = Integer.BYTES;

  /** The largest datum. */
  static final int MOST_BYTES = 64;

  private final DeviceArray<int[]> memory;
  private final DeviceArray<A> data;
  private final StmObjects objects;

  /**
   * @param offset of the data in a cell
   * @param wordOffset of the tracking word
   */
  private GuardedCells(
      Device device, ElementType<A> type, long count, int each, int offset, int wordOffset) {
    StmObjects.checkCount(count);
    int end = Math.max(offset + each * type.bytes(), wordOffset + WORD_BYTES);
    int stride = Integer.highestOneBit(2 * end - 1);
    this.memory =
        DeviceArray.allocate(
            device, ElementType.INT, count * (stride / WORD_BYTES), count + " cells");
    this.data =
        DeviceArray.spaced(
            memory, type, new DeviceArray.Spacing(each, stride, offset), count * each);
    this.objects =
        new StmObjects(
            device,
            count,
            DeviceArray.spaced(
                memory, ElementType.INT, new DeviceArray.Spacing(1, stride, wordOffset), count));
  }

  static <A> GuardedCells<A> beside(
      Device device, ElementType<A> type, long count, int each, int alignment) {
    int bytes = each * type.bytes();
    if (each < 1 || each > MOST_BYTES || bytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a datum in a cell has 1 to "
              + MOST_BYTES / type.bytes()
              + " elements of type "
              + type
              + ", at most "
              + MOST_BYTES
              + " bytes, got "
              + each);
    }
    if (alignment != 0
        && (Integer.bitCount(alignment) != 1
            || alignment > Long.BYTES
            || alignment < type.bytes()
            || bytes % alignment != 0)) {
      throw new IllegalArgumentException(
          "a datum of "
              + bytes
              + " bytes, elements of type "
              + type
              + ", is aligned to a power of 2 that divides it, from "
              + type.bytes()
              + " to 8 bytes, got "
              + alignment);
    }
    int offset = Math.max(WORD_BYTES, Math.max(type.bytes(), alignment));
    return new GuardedCells<>(device, type, count, each, offset, 0);
  }

  static <A> GuardedCells<A> fused(Device device, ElementType<A> type, long count) {
    if (type.bytes() != WORD_BYTES) {
      throw new IllegalArgumentException(
          "a datum in a fused cell has 4 bytes, int[] or float[], got " + type + "[]: use cells");
    }
    return new GuardedCells<>(device, type, count, 1, 0, type.bytes());
  }

  /** Number of cells. */
  public long count() {
    return objects.count();
  }

  /** The device they lie on. */
  public Device device() {
    return objects.device();
  }

  /**
   * The data, zeros at first: {@link #count()} elements, or those of as many structs, one struct
   * after the other. A view, which ends with the cells.
   */
  public DeviceArray<A> data() {
    return data;
  }

  /** The objects. A view, which ends with the cells. */
  public StmObjects objects() {
    return objects;
  }

  /** Frees the memory. Closing twice is harmless. */
  @Override
  public void close() {
    objects.close();
    data.close();
    memory.close();
  }

  @Override
  public String toString() {
    return count() + " cells on " + device().description().spec();
  }
}
