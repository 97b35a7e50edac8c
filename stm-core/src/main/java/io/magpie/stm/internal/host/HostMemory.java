package io.magpie.stm.internal.host;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import io.magpie.stm.MagpieException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Zeroed, 64-byte aligned memory outside the Java heap for the {@code cpu} and {@code sim} devices
 * of this process. Large blocks ask for huge pages. Requests beyond what the machine or its control
 * group has left are refused, because the system would grant them and kill the process later.
 */
public final class HostMemory {
  private static final long ALIGNMENT = 64;
  private static final long HUGE_PAGE = 2L << 20;
  private static final int MADV_HUGEPAGE = 14;
  private static final long WORTH_ASKING_THE_SYSTEM = 16L << 20;
  private static final AtomicLong ALLOCATED = new AtomicLong();
  private static final Map<Long, Block> BLOCKS = new ConcurrentHashMap<>();

  private record Block(long raw, long bytes) {}

  /** The C library's functions, bound directly. */
  private static final class CLibrary {
    static {
      Native.register(CLibrary.class, Platform.C_LIBRARY_NAME);
    }

    static native long calloc(long count, long bytes);

    static native void free(long address);

    static native int madvise(long address, long bytes, int advice);

    static native long memcpy(long to, long from, long bytes);
  }

  private HostMemory() {}

  /** The address of a new block, or 0 if there is too little memory. */
  static long allocate(long bytes) {
    if (bytes >= WORTH_ASKING_THE_SYSTEM && bytes > freeBytes()) {
      return 0;
    }
    boolean huge = bytes >= 2 * HUGE_PAGE && Platform.isLinux();
    long alignment = huge ? HUGE_PAGE : ALIGNMENT;
    if (bytes > Long.MAX_VALUE - alignment) {
      return 0;
    }
    long raw = CLibrary.calloc(1, bytes + alignment);
    if (raw == 0) {
      return 0;
    }
    long address = (raw + alignment - 1) & -alignment;
    if (huge) {
      // Only advice: where the system has no huge pages, small ones do.
      int ignored = CLibrary.madvise(address, bytes & -HUGE_PAGE, MADV_HUGEPAGE);
      assert ignored == 0 || ignored == -1;
    }
    BLOCKS.put(address, new Block(raw, bytes));
    ALLOCATED.addAndGet(bytes);
    return address;
  }

  static void free(long address) {
    Block block = BLOCKS.remove(address);
    if (block == null) {
      throw new IllegalStateException("no block begins at this address");
    }
    ALLOCATED.addAndGet(-block.bytes);
    CLibrary.free(block.raw);
  }

  /** Memory of the machine, or of this process's control group if that is less. */
  static long totalBytes() {
    return Math.min(meminfo("MemTotal:"), controlGroupLimit());
  }

  /**
   * What could still be allocated: free memory, less what was promised to earlier blocks but never
   * touched, as the system reports it.
   */
  static long freeBytes() {
    long total = totalBytes();
    long available = meminfo("MemAvailable:");
    long limit = controlGroupLimit();
    if (limit != Long.MAX_VALUE) {
      available = Math.min(available, Math.max(0, limit - controlGroupUse()));
    }
    return Math.max(0, Math.min(available, total - ALLOCATED.get()));
  }

  private static long meminfo(String key) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
        if (line.startsWith(key)) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
        }
      }
    } catch (IOException | NumberFormatException e) {
      // no such file on this system: unknown, the allocator's own refusal remains
    }
    return Long.MAX_VALUE;
  }

  private static long controlGroupLimit() {
    return Math.min(
        number("/sys/fs/cgroup/memory.max"), number("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  }

  private static long controlGroupUse() {
    long v2 = number("/sys/fs/cgroup/memory.current");
    long use = v2 != Long.MAX_VALUE ? v2 : number("/sys/fs/cgroup/memory/memory.usage_in_bytes");
    return use == Long.MAX_VALUE ? 0 : Math.max(0, use - controlGroupCache());
  }

  /** Pages of files that the group gives up when it needs memory; counted in its use. */
  private static long controlGroupCache() {
    for (String file : List.of("/sys/fs/cgroup/memory.stat", "/sys/fs/cgroup/memory/memory.stat")) {
      try (Stream<String> lines = Files.lines(Path.of(file))) {
        return lines
            .map(line -> line.split(" ", 2))
            .filter(
                part -> part[0].equals("inactive_file") || part[0].equals("total_inactive_file"))
            .mapToLong(part -> Long.parseLong(part[1].strip()))
            .max()
            .orElse(0);
      } catch (IOException | NumberFormatException e) {
        // Absent: the other version, or no control group.
      }
    }
    return 0;
  }

  private static long number(String file) {
    try {
      return Long.parseLong(Files.readString(Path.of(file)).strip());
    } catch (IOException | NumberFormatException e) {
      return Long.MAX_VALUE; // absent, or "max"
    }
  }

  /** Copies elements of a Java array of numbers to an address. */
  public static void write(Object array, int index, int count, long address) {
    Pointer pointer = new Pointer(address);
    if (array instanceof byte[] bytes) {
      pointer.write(0, bytes, index, count);
    } else if (array instanceof short[] shorts) {
      pointer.write(0, shorts, index, count);
    } else if (array instanceof int[] ints) {
      pointer.write(0, ints, index, count);
    } else if (array instanceof long[] longs) {
      pointer.write(0, longs, index, count);
    } else if (array instanceof float[] floats) {
      pointer.write(0, floats, index, count);
    } else if (array instanceof double[] doubles) {
      pointer.write(0, doubles, index, count);
    } else {
      throw new IllegalArgumentException("not an array of numbers: " + array.getClass());
    }
  }

  /** Copies from an address into elements of a Java array of numbers. */
  public static void read(long address, Object array, int index, int count) {
    Pointer pointer = new Pointer(address);
    if (array instanceof byte[] bytes) {
      pointer.read(0, bytes, index, count);
    } else if (array instanceof short[] shorts) {
      pointer.read(0, shorts, index, count);
    } else if (array instanceof int[] ints) {
      pointer.read(0, ints, index, count);
    } else if (array instanceof long[] longs) {
      pointer.read(0, longs, index, count);
    } else if (array instanceof float[] floats) {
      pointer.read(0, floats, index, count);
    } else if (array instanceof double[] doubles) {
      pointer.read(0, doubles, index, count);
    } else {
      throw new IllegalArgumentException("not an array of numbers: " + array.getClass());
    }
  }

  /** Copies the bytes between a buffer's position and its limit to an address. */
  public static void write(ByteBuffer source, long address) {
    put(source, buffer(address, source.remaining()));
  }

  /** Copies from an address into the bytes between a buffer's position and its limit. */
  public static void read(long address, ByteBuffer target) {
    put(buffer(address, target.remaining()), target);
  }

  private static ByteBuffer buffer(long address, int bytes) {
    return new Pointer(address).getByteBuffer(0, bytes);
  }

  /**
   * Copies by Java's own means and not by the C library's: where a file has become shorter than
   * what is mapped of it, these throw an error, and those end the process. HotSpot throws it when
   * the thread next enters the runtime, as it does for every array of arrays: so one is made here,
   * before a caller might miss the error, or be struck by it with a lock in its hand.
   */
  private static void put(ByteBuffer from, ByteBuffer to) {
    try {
      to.put(from);
      Reference.reachabilityFence(new byte[from.position() & 1][to.position() & 1]);
    } catch (InternalError e) {
      throw new MagpieException(
          "a mapped file was made shorter, or cannot be read or written, while it was copied", e);
    }
  }

  /** Copies between blocks that do not overlap. */
  static void copy(long from, long to, long bytes) {
    CLibrary.memcpy(to, from, bytes);
  }

  /** Stores a value again and again, so many bytes apart, and leaves what is between as it is. */
  static void fillApart(long address, long value, int valueBytes, long count, int stride) {
    Pointer target = new Pointer(address);
    int most = (1 << 20) / stride;
    for (long done = 0; done < count; done += most) {
      int part = (int) Math.min(most, count - done);
      byte[] bytes = new byte[(part - 1) * stride + valueBytes];
      target.read(done * stride, bytes, 0, bytes.length);
      for (int i = 0; i < part; i++) {
        for (int k = 0; k < valueBytes; k++) {
          bytes[i * stride + k] = (byte) (value >>> 8 * k); // little-endian, as x86-64 is
        }
      }
      target.write(done * stride, bytes, 0, bytes.length);
    }
  }

  static void fill(long address, long value, int valueBytes, long count) {
    Pointer target = new Pointer(address);
    byte[] chunk = new byte[(int) Math.min(count, 1 << 14) * valueBytes];
    boolean sameBytes = true;
    for (int i = 0; i < chunk.length; i++) {
      chunk[i] = (byte) (value >>> 8 * (i % valueBytes)); // little-endian, as x86-64 is
      sameBytes &= chunk[i] == chunk[0];
    }
    long bytes = count * valueBytes;
    if (sameBytes) {
      target.setMemory(0, bytes, chunk[0]);
      return;
    }
    for (long done = 0; done < bytes; done += chunk.length) {
      target.write(done, chunk, 0, (int) Math.min(chunk.length, bytes - done));
    }
  }
}
