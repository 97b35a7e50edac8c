package io.magpie.verification.history;

import io.magpie.stm.Recording.Format;
import java.util.Arrays;
import java.util.List;

/**
 * The attempts of a run, numbered from 0 in the order in which they were added. Immutable, and held
 * in columns: 42 bytes for each attempt and 8 for each access.
 *
 * <p>The accesses of an attempt are a set: their order has no meaning. Reads of an attempt's own
 * writes may be left out.
 */
public final class History {
  /** Outcome of an attempt that committed. */
  public static final int COMMIT = Format.COMMIT;

  /**
   * Outcome of an attempt that its item canceled: it ended for good, decided by what it read, and
   * wrote nothing.
   */
  public static final int CANCEL = Format.CANCEL;

  /** Outcome of an attempt that aborted, plus the cause's number, 0 to 239. */
  public static final int ABORT = Format.ABORT;

  /** Accesses that one attempt can have, one less than 2<sup>24</sup>. */
  public static final int MAX_ACCESSES = (1 << 24) - 1;

  /** Binary logarithm of the number of attempts of a block, all but the last. */
  public static final int BLOCK_BITS = 14;

  private static final int MASK = (1 << BLOCK_BITS) - 1;

  /** Columns of up to 2^BLOCK_BITS attempts. */
  static final class Block {
    int[] threads;
    int[] items;
    int[] attempts;
    int[] ranks;
    byte[] outcomes;
    long[] begins;
    long[] ends;
    int[] starts;
    long[] accesses;

    /** Of attempts that ended their items, two words for each datum accessed; null if none has. */
    long[] data;

    int[] dataStarts;

    Block(int capacity, int accessCapacity) {
      threads = new int[capacity];
      items = new int[capacity];
      attempts = new int[capacity];
      ranks = new int[capacity];
      outcomes = new byte[capacity];
      begins = new long[capacity];
      ends = new long[capacity];
      starts = new int[capacity + 1];
      accesses = new long[accessCapacity];
    }

    int capacity() {
      return threads.length;
    }

    /** Makes room for more attempts. */
    void grow(int capacity) {
      threads = Arrays.copyOf(threads, capacity);
      items = Arrays.copyOf(items, capacity);
      attempts = Arrays.copyOf(attempts, capacity);
      ranks = Arrays.copyOf(ranks, capacity);
      outcomes = Arrays.copyOf(outcomes, capacity);
      begins = Arrays.copyOf(begins, capacity);
      ends = Arrays.copyOf(ends, capacity);
      starts = Arrays.copyOf(starts, capacity + 1);
      dataStarts = dataStarts == null ? null : Arrays.copyOf(dataStarts, capacity + 1);
    }
  }

  private final Block[] blocks;
  private final int size;
  private final long accesses;
  private final int greatestObject;

  History(List<Block> blocks, int size, long accesses, int greatestObject) {
    this.blocks = blocks.toArray(Block[]::new);
    this.size = size;
    this.accesses = accesses;
    this.greatestObject = greatestObject;
  }

  /** Number of attempts. */
  public int size() {
    return size;
  }

  /** Number of accesses of all attempts. */
  public long accesses() {
    return accesses;
  }

  /** The greatest object that is accessed; -1 if none is. */
  public int greatestObject() {
    return greatestObject;
  }

  private Block block(int attempt) {
    if (attempt < 0 || attempt >= size) {
      throw new IndexOutOfBoundsException("attempt " + attempt + " of " + size);
    }
    return blocks[attempt >>> BLOCK_BITS];
  }

  /** The thread that made an attempt; -1 if it is unknown. */
  public int thread(int attempt) {
    return block(attempt).threads[attempt & MASK];
  }

  /** The item of an attempt, as an unsigned number. */
  public int item(int attempt) {
    return block(attempt).items[attempt & MASK];
  }

  /** The how-manieth attempt of its item it is, from 1, as an unsigned number. */
  public int number(int attempt) {
    return block(attempt).attempts[attempt & MASK];
  }

  /** The rank of an attempt, as an unsigned number. */
  public int rank(int attempt) {
    return block(attempt).ranks[attempt & MASK];
  }

  /** {@link #COMMIT}, {@link #CANCEL}, or {@link #ABORT} plus a cause. */
  public int outcome(int attempt) {
    return block(attempt).outcomes[attempt & MASK] & 0xff;
  }

  /** Time before the first operation of an attempt. */
  public long begin(int attempt) {
    return block(attempt).begins[attempt & MASK];
  }

  /** Time after the last operation of an attempt, not before {@link #begin}. */
  public long end(int attempt) {
    return block(attempt).ends[attempt & MASK];
  }

  /** Number of accesses of an attempt. */
  public int accessCount(int attempt) {
    int[] starts = block(attempt).starts;
    return starts[(attempt & MASK) + 1] - starts[attempt & MASK];
  }

  /** Access {@code index} of an attempt; {@link Access} takes it apart. */
  public long access(int attempt, int index) {
    Block block = block(attempt);
    int start = block.starts[attempt & MASK];
    if (index < 0 || index >= block.starts[(attempt & MASK) + 1] - start) {
      throw new IndexOutOfBoundsException("access " + index + " of attempt " + attempt);
    }
    return block.accesses[start + index];
  }

  /**
   * Accesses of an attempt to data, as far as they were recorded: of attempts that ended their
   * items. In the order in which they were made.
   */
  public int dataCount(int attempt) {
    int[] starts = block(attempt).dataStarts;
    return starts == null ? 0 : starts[(attempt & MASK) + 1] - starts[attempt & MASK];
  }

  /** Access {@code index} of an attempt to a datum. */
  public DataAccess data(int attempt, int index) {
    Block block = block(attempt);
    if (index < 0 || index >= dataCount(attempt)) {
      throw new IndexOutOfBoundsException("datum " + index + " of attempt " + attempt);
    }
    int at = 2 * (block.dataStarts[attempt & MASK] + index);
    return new DataAccess(block.data[at], block.data[at + 1]);
  }

  /** Number of blocks. Attempt {@code a} is in block {@code a >>> BLOCK_BITS}. */
  public int blocks() {
    return blocks.length;
  }

  /**
   * The accesses of a block's attempts, one after the other. For passes over everything: the array
   * is the history's own and must not be changed.
   */
  public long[] blockAccesses(int block) {
    return blocks[block].accesses;
  }

  /**
   * Where accesses begin: those of attempt {@code a} are at {@code starts[i]} to {@code starts[i +
   * 1]} of {@link #blockAccesses}, {@code i} being the low {@link #BLOCK_BITS} bits of {@code a}.
   * The array is the history's own and must not be changed.
   */
  public int[] blockStarts(int block) {
    return blocks[block].starts;
  }

  /**
   * The accesses to data of a block's attempts, two words each as {@link DataAccess} has them; null
   * if it has none. The array is the history's own and must not be changed.
   */
  public long[] blockData(int block) {
    return blocks[block].data;
  }

  /**
   * Where accesses to data begin, as {@link #blockStarts} says it of others, counted in accesses;
   * null if the block has none. The array is the history's own and must not be changed.
   */
  public int[] blockDataStarts(int block) {
    return blocks[block].dataStarts;
  }

  /** Number of attempts of a block. */
  public int blockSize(int block) {
    return Math.min(size - (block << BLOCK_BITS), 1 << BLOCK_BITS);
  }

  /** Whether an attempt ended its item: it committed or was canceled. */
  public boolean completed(int attempt) {
    return outcome(attempt) <= CANCEL;
  }
}
