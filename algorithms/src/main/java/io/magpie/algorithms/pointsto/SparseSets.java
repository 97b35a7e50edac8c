package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;
import java.util.Arrays;

/** Sparse sets: the words that are not empty, in a hash table that is doubled when it is full. */
final class SparseSets implements Sets {
  /** Words that there is room for at first, for each constraint. */
  private static final int FIRST_ROOM = 4;

  private static final int LEAST_ROOM = 1024;

  /** Bytes of a slot; of differences there are three more arrays. */
  private static final int SLOT = 20;

  private static final int SLOT_OF_DIFFERENCES = 44;

  /** Slots that are copied from the device at a time. */
  private static final int BLOCK = 1 << 20;

  private final DeviceConstraints constraints;
  private final DeviceMemory memory;
  private final Nodes nodes;
  private final Launches launches;
  private final boolean differences;
  private final int mostRoom;
  private final DeviceArray<int[]> first;
  private Table table;
  private long mergedAtMove;

  /** One hash table. */
  private final class Table {
    final int room;
    DeviceArray<long[]> key;
    DeviceArray<long[]> words;
    DeviceArray<int[]> next;
    DeviceArray<long[]> sent;
    DeviceArray<long[]> dereferenced;
    DeviceArray<long[]> difference;

    Table(int room) {
      this.room = room;
      long slots = slots(room);
      long more = differences ? slots : 0;
      try {
        key = memory.longs(slots).named("key");
        words = memory.longs(slots).named("words");
        next = memory.ints(slots).named("next");
        sent = memory.longs(more).named("words");
        dereferenced = memory.longs(more).named("words");
        difference = memory.longs(more).named("words");
        key.fill(-1);
      } catch (RuntimeException e) {
        free();
        throw e instanceof DeviceOutOfMemoryException full ? tooLarge(room, full) : e;
      }
    }

    void free() {
      memory.free(key);
      memory.free(words);
      memory.free(next);
      memory.free(sent);
      memory.free(dereferenced);
      memory.free(difference);
    }
  }

  /**
   * @param differences whether there are sets, too, of what was sent on, of what was dereferenced,
   *     and of what is new
   * @param firstRoom how many words there is room for at first, at least 1
   * @param mostRoom how many words that are not empty there may be
   */
  SparseSets(
      DeviceConstraints constraints,
      Nodes nodes,
      Launches launches,
      boolean differences,
      long firstRoom,
      int mostRoom) {
    this.constraints = constraints;
    this.memory = constraints.scratch().memory();
    this.nodes = nodes;
    this.launches = launches;
    this.differences = differences;
    this.mostRoom = mostRoom;
    this.first = constraints.scratch().ints("first", constraints.variables());
    first.fill(-1);
    this.table = new Table((int) Math.min(mostRoom, firstRoom));
  }

  /** Words that constraints are given room for at first. */
  static long firstRoom(ConstraintSet constraints) {
    return Math.max(LEAST_ROOM, FIRST_ROOM * constraints.count());
  }

  /** A power of two by a third more than the room at least, so that searches are short. */
  private static long slots(int room) {
    long power = Long.highestOneBit(room + room / 3L);
    return power < room + room / 3L ? 2 * power : power;
  }

  /** Says what the table is, and what would need less. */
  private DeviceOutOfMemoryException tooLarge(int room, DeviceOutOfMemoryException e) {
    long bytes = slots(room) * (differences ? SLOT_OF_DIFFERENCES : SLOT);
    String remedy =
        differences
            ? "propagation=push or pull needs less than half"
            : "a device with more memory helps, or fewer variables whose address is taken";
    DeviceOutOfMemoryException told =
        new DeviceOutOfMemoryException(
            String.format(
                "the table of sparse points-to sets (room for %,d words of %d locations, %,d bytes"
                    + " in all; %s)",
                room, WORD, bytes, remedy),
            constraints.device().description().spec(),
            e.neededBytes(),
            e.freeBytes());
    told.initCause(e);
    return told;
  }

  @Override
  public String kernel(String name) {
    return name + "_sparse";
  }

  @Override
  public long work() {
    return constraints.variables() + nodes.seen("words");
  }

  @Override
  public long work(int members) {
    return members * Math.max(1, work() / constraints.variables());
  }

  /**
   * Words of nodes that were merged since the last move are dropped first, which may do. A word is
   * lost only where the table is full, but a GPU may have filled it beyond its room.
   */
  @Override
  public boolean makeRoom() {
    if (nodes.total("lost_words") == 0) {
      return false;
    }
    boolean drops = nodes.seen("merged") > mergedAtMove;
    if (drops) {
      mergedAtMove = nodes.seen("merged");
      move(table.room);
    }
    if (!drops || nodes.seen("words") > table.room / 2) {
      if (table.room < mostRoom) {
        move(2 * Math.max(table.room, nodes.seen("words")));
      } else if (!drops) {
        throw tooManyWords();
      }
    }
    return true;
  }

  /**
   * Moves all words to a table that has at least so much room, and room for all of them: as no
   * other launch runs, their number is exact.
   */
  private void move(long leastRoom) {
    Table old = table;
    table = new Table((int) Math.min(mostRoom, Math.max(leastRoom, nodes.seen("words"))));
    try {
      first.fill(-1);
      nodes.setTotal("words", 0);
      nodes.setTotal("lost_words", 0);
      launches.run(
          "move_words",
          old.key.length(),
          new Fields()
              .set("key", old.key)
              .set("words", old.words)
              .set("nodes", nodes.fields())
              .set("to", fields()));
    } finally {
      old.free();
    }
    if (nodes.total("lost_words") != 0) {
      throw tooManyWords(); // only the bound on room makes it less than what there is
    }
  }

  private PointsToSizeException tooManyWords() {
    return new PointsToSizeException(
        String.format(
            "the points-to sets have more than %,d words of %d locations that are not empty;"
                + " raise sparse-words, or use sets=dense",
            mostRoom, WORD));
  }

  @Override
  public Fields fields() {
    return fields(table.words);
  }

  @Override
  public Fields sentFields() {
    return fields(table.sent);
  }

  @Override
  public Fields dereferencedFields() {
    return fields(table.dereferenced);
  }

  @Override
  public Fields differenceFields() {
    return fields(table.difference);
  }

  private Fields fields(DeviceArray<long[]> words) {
    return new Fields()
        .set("room", table.room)
        .set("slots", table.key.length())
        .set("key", table.key)
        .set("words", words)
        .set("next", table.next)
        .set("first", first)
        .set("totals", nodes.totals());
  }

  @Override
  public void copyTo(PointsToResult.Builder result, int[] roots) {
    int[] end = new int[roots.length + 1];
    forEachWord((v, k, word) -> end[roots[v] == v ? v + 1 : 0]++);
    end[0] = 0;
    for (int v = 0; v < roots.length; v++) {
      end[v + 1] += end[v];
    }
    int[] number = new int[end[roots.length]];
    long[] bits = new long[number.length];
    int[] next = end.clone();
    forEachWord(
        (v, k, word) -> {
          if (roots[v] == v) {
            number[next[v]] = k;
            bits[next[v]++] = word;
          }
        });
    int[] locations = constraints.locations();
    for (int v = 0; v < roots.length; v++) {
      if (roots[v] == v) {
        result.add(set(number, bits, end[v], end[v + 1], locations));
      } else {
        result.addSame(roots[v]);
      }
    }
  }

  /** The variables of a set's words, which are in any order; they are sorted. */
  private static int[] set(int[] number, long[] bits, int begin, int end, int[] locations) {
    int size = 0;
    for (int i = begin; i < end; i++) {
      size += Long.bitCount(bits[i]);
    }
    int[] set = new int[size];
    int at = 0;
    for (int i = begin; i < end; i++) {
      for (long word = bits[i]; word != 0; word &= word - 1) {
        set[at++] = locations[number[i] * WORD + Long.numberOfTrailingZeros(word)];
      }
    }
    Arrays.sort(set);
    return set;
  }

  /** A word that is not empty. */
  private interface WordConsumer {
    void accept(int variable, int number, long word);
  }

  private void forEachWord(WordConsumer consumer) {
    long slots = table.key.length();
    for (long at = 0; at < slots; at += BLOCK) {
      long count = Math.min(BLOCK, slots - at);
      long[] keys = table.key.slice(at, count).toArray();
      long[] words = table.words.slice(at, count).toArray();
      for (int i = 0; i < count; i++) {
        if (keys[i] != -1) {
          consumer.accept((int) (keys[i] >>> 32), (int) keys[i], words[i]);
        }
      }
    }
  }

  @Override
  public void close() {
    table.free();
  }
}
