package io.magpie.algorithms.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.tukaani.xz.XZOutputStream;

/** Formats text and little-endian numbers into a buffer in front of a stream. */
public final class ByteSink implements AutoCloseable {
  private static final int LONGEST_NUMBER = 20;

  private final OutputStream out;
  private final byte[] buffer = new byte[1 << 16];
  private final CRC32C checksum = new CRC32C();
  private int fill;

  public ByteSink(OutputStream out) {
    this.out = out;
  }

  private void flush() throws IOException {
    checksum.update(buffer, 0, fill);
    out.write(buffer, 0, fill);
    fill = 0;
  }

  private void reserve(int bytes) throws IOException {
    if (buffer.length - fill < bytes) {
      flush();
    }
  }

  private ByteSink put(int c) throws IOException {
    reserve(1);
    buffer[fill++] = (byte) c;
    return this;
  }

  public ByteSink blank() throws IOException {
    return put(' ');
  }

  public ByteSink tab() throws IOException {
    return put('\t');
  }

  public ByteSink newLine() throws IOException {
    return put('\n');
  }

  /** Writes ASCII text. */
  public ByteSink text(String text) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      put(text.charAt(i));
    }
    return this;
  }

  /** Writes a number, which is not negative, in decimal. */
  public ByteSink number(long value) throws IOException {
    reserve(LONGEST_NUMBER);
    int digits = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      digits++;
    }
    int at = fill + digits;
    fill = at;
    long rest = value;
    do {
      buffer[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest > 0);
    return this;
  }

  /** Writes a number in decimal. */
  public ByteSink signed(long value) throws IOException {
    if (value >= 0) {
      return number(value);
    }
    return value == Long.MIN_VALUE ? text(Long.toString(value)) : put('-').number(-value);
  }

  /** Writes a finite number so that reading it gives the same double; a whole one without point. */
  public ByteSink decimal(double value) throws IOException {
    long whole = (long) value;
    if (Math.abs(value) < 1e18 && whole == value && (whole != 0 || 1 / value > 0)) {
      return signed(whole);
    }
    return text(Double.toString(value));
  }

  public ByteSink bytes(byte[] bytes) throws IOException {
    return bytes(bytes, 0, bytes.length);
  }

  /** Writes a part of an array. */
  public ByteSink bytes(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      reserve(1);
      int count = Math.min(length - done, buffer.length - fill);
      System.arraycopy(bytes, offset + done, buffer, fill, count);
      fill += count;
      done += count;
    }
    return this;
  }

  /** Writes four bytes, the least significant one first. */
  public ByteSink int32(int value) throws IOException {
    reserve(4);
    buffer[fill] = (byte) value;
    buffer[fill + 1] = (byte) (value >>> 8);
    buffer[fill + 2] = (byte) (value >>> 16);
    buffer[fill + 3] = (byte) (value >>> 24);
    fill += 4;
    return this;
  }

  /** Writes eight bytes, the least significant one first. */
  public ByteSink int64(long value) throws IOException {
    return int32((int) value).int32((int) (value >>> 32));
  }

  public ByteSink int32s(int[] values) throws IOException {
    for (int value : values) {
      int32(value);
    }
    return this;
  }

  /** The CRC-32C of everything written so far. */
  public int checksum() throws IOException {
    flush();
    return (int) checksum.getValue();
  }

  /** Hands everything on, with what the compression has to add at the end. */
  public void finish() throws IOException {
    flush();
    if (out instanceof GZIPOutputStream gzip) {
      gzip.finish();
    } else if (out instanceof XZOutputStream xz) {
      xz.finish();
    }
  }

  /** Closes the stream; what {@link #finish} has not handed on is lost. */
  @Override
  public void close() throws IOException {
    out.close();
  }
}
