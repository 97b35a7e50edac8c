package io.magpie.algorithms.nbody;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.FileReplacement;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files of bodies in Tipsy's binary format: a header, then particles of 32-bit numbers, first gas,
 * then dark matter, then stars. Both byte orders are read, and headers of 28 and of 32 bytes, by
 * which compilers align what follows; written is the standard form, big-endian with 32.
 *
 * <p>Dark matter and stars are bodies alike, in the order of the file. Read of each are mass,
 * position and velocity; its softening, potential, metals and time of formation are left out, as is
 * the time in the header. Files with gas are refused: it does not move by gravity alone.
 */
public final class TipsyFormat {
  private static final int HEADER = 28;
  private static final int PADDED_HEADER = 32;
  private static final int DARK_BYTES = 36;
  private static final int STAR_BYTES = 44;
  private static final int DIMENSIONS = 3;

  /** Particles that are read or written at a time. */
  private static final int BLOCK = 4096;

  private final Path file;

  private TipsyFormat(Path file) {
    this.file = file;
  }

  /**
   * Reads a file. Memory: 56 bytes for each body.
   *
   * @param file its path
   * @throws FileFormatException if it is malformed, has gas, too many bodies, or a number that is
   *     no body's; the message says what was found, and what to do
   * @throws IOException if it cannot be read
   */
  public static Bodies read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new TipsyFormat(file).read(in, Files.size(file));
    }
  }

  private Bodies read(InputStream in, long size) throws IOException {
    ByteBuffer header = ByteBuffer.wrap(in.readNBytes(HEADER));
    if (header.limit() < HEADER) {
      throw fault(
          header.limit() + " bytes",
          "a header of " + HEADER + " bytes",
          "name a binary file of Tipsy, or generate bodies");
    }
    ByteOrder order = order(header);
    header.order(order);
    int bodies = header.getInt(8);
    int gas = header.getInt(16);
    int dark = header.getInt(20);
    int stars = header.getInt(24);
    if (gas < 0 || dark < 0 || stars < 0 || bodies != (long) gas + dark + stars) {
      throw fault(
          bodies + " particles, of which " + gas + " gas, " + dark + " dark, " + stars + " stars",
          "numbers from 0 that add up",
          "the header is damaged");
    }
    if (gas > 0) {
      throw fault(
          gas + " gas particles",
          "dark matter and stars alone",
          "this simulates gravity without gas; convert them or leave them out");
    }
    if (bodies > Bodies.MOST) {
      throw fault(bodies + " particles", "at most " + Bodies.MOST, "take a sample of them");
    }
    long particles = (long) dark * DARK_BYTES + (long) stars * STAR_BYTES;
    if (size == PADDED_HEADER + particles) {
      in.skipNBytes(PADDED_HEADER - HEADER);
    } else if (size != HEADER + particles) {
      throw fault(
          size + " bytes",
          (HEADER + particles)
              + " or "
              + (PADDED_HEADER + particles)
              + " for "
              + dark
              + " dark and "
              + stars
              + " star particles",
          "the file is cut off or of another format");
    }
    Particles arrays = new Particles(bodies);
    readParticles(in, order, arrays, 0, dark, DARK_BYTES);
    readParticles(in, order, arrays, dark, bodies, STAR_BYTES);
    return Bodies.owning(arrays.masses, arrays.positions, arrays.velocities);
  }

  /** The byte order in which the header has three dimensions. */
  private ByteOrder order(ByteBuffer header) throws FileFormatException {
    for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
      if (header.order(order).getInt(12) == DIMENSIONS) {
        return order;
      }
    }
    throw fault(
        header.order(ByteOrder.BIG_ENDIAN).getInt(12)
            + " dimensions (or "
            + header.order(ByteOrder.LITTLE_ENDIAN).getInt(12)
            + " in the other byte order)",
        "3",
        "name a binary file of Tipsy, not compressed");
  }

  /** What is read, body by body. */
  private static final class Particles {
    final double[] masses;
    final double[] positions;
    final double[] velocities;

    Particles(int bodies) {
      masses = new double[bodies];
      positions = new double[DIMENSIONS * bodies];
      velocities = new double[DIMENSIONS * bodies];
    }
  }

  private void readParticles(
      InputStream in, ByteOrder order, Particles into, int first, int last, int bytes)
      throws IOException {
    byte[] block = new byte[BLOCK * bytes];
    for (int from = first; from < last; from += BLOCK) {
      int count = Math.min(BLOCK, last - from);
      if (in.readNBytes(block, 0, count * bytes) < count * bytes) {
        throw new EOFException(file + ": became shorter while it was read");
      }
      ByteBuffer particles = ByteBuffer.wrap(block).order(order);
      for (int i = 0; i < count; i++) {
        int at = i * bytes;
        int body = from + i;
        into.masses[body] = number("mass", body, particles.getFloat(at));
        if (into.masses[body] < 0) {
          throw fault(
              "mass " + into.masses[body] + " of particle " + body, "0 or more", "correct it");
        }
        for (int k = 0; k < DIMENSIONS; k++) {
          into.positions[DIMENSIONS * body + k] =
              number("a coordinate", body, particles.getFloat(at + 4 + 4 * k));
          into.velocities[DIMENSIONS * body + k] =
              number("a velocity", body, particles.getFloat(at + 16 + 4 * k));
        }
      }
    }
  }

  private double number(String what, int body, float value) throws FileFormatException {
    if (!Float.isFinite(value)) {
      throw fault(
          what + " of particle " + body + " that is " + value,
          "a finite number",
          "the file is damaged, or a simulation that wrote it diverged");
    }
    return value;
  }

  private FileFormatException fault(String found, String expected, String remedy) {
    return new FileFormatException(file, 0, found, expected, remedy, null);
  }

  /**
   * Writes bodies as dark matter. A file of that name is replaced when the new one is complete.
   * Numbers are rounded to 32 bits.
   *
   * @param bodies the bodies
   * @param potentials one for each body, which goes with it
   * @param time what the header has
   * @param softening what each body has
   * @param file its path
   * @throws IllegalArgumentException if a number is beyond the range of 32 bits; nothing is written
   * @throws IOException if it cannot be written
   */
  public static void write(
      Bodies bodies, double[] potentials, double time, double softening, Path file)
      throws IOException {
    if (potentials.length != bodies.count()) {
      throw new IllegalArgumentException(
          potentials.length + " potentials for " + bodies.count() + " bodies");
    }
    try (FileReplacement replacement = new FileReplacement(file)) {
      ByteBuffer block = ByteBuffer.allocate(Math.max(PADDED_HEADER, BLOCK * DARK_BYTES));
      block.putDouble(time).putInt(bodies.count()).putInt(DIMENSIONS);
      block.putInt(0).putInt(bodies.count()).putInt(0).putInt(0);
      for (int i = 0; i < bodies.count(); i++) {
        if (block.remaining() < DARK_BYTES) {
          replacement.sink().bytes(block.array(), 0, block.position());
          block.clear();
        }
        block.putFloat(rounded(bodies.mass(i)));
        for (int k = 0; k < DIMENSIONS; k++) {
          block.putFloat(rounded(bodies.position(i, k)));
        }
        for (int k = 0; k < DIMENSIONS; k++) {
          block.putFloat(rounded(bodies.velocity(i, k)));
        }
        block.putFloat(rounded(softening)).putFloat(rounded(potentials[i]));
      }
      replacement.sink().bytes(block.array(), 0, block.position());
      replacement.complete();
      replacement.commit();
    }
  }

  private static float rounded(double value) {
    float rounded = (float) value;
    if (!Float.isFinite(rounded)) {
      throw new IllegalArgumentException(
          value + " is beyond the range of Tipsy's numbers, which have 32 bits");
    }
    return rounded;
  }
}
