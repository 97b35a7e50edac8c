package io.magpie.algorithms.internal;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * What a gzip file holds (RFC 1952): one member or several, each complete. After the last, as with
 * gzip itself, only zero bytes may follow, which tapes and some tools fill blocks with. Java's own
 * stream takes any fault in a later member's header for the end of the file.
 */
final class GzipInput extends InputStream {
  private static final int MAGIC = 0x8b1f;
  private static final int DEFLATE = 8;
  private static final int HEADER_CHECKSUM = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xe0;

  private final InputStream in;
  private final byte[] buffer;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private int position;
  private int limit;
  private boolean ended;

  /** Takes the first member's header. */
  GzipInput(InputStream in, int bufferBytes) throws IOException {
    this.in = in;
    buffer = new byte[bufferBytes];
    try {
      header();
    } catch (IOException e) {
      inflater.end();
      throw e;
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!ended) {
      int count = inflate(bytes, from, length);
      if (count > 0) {
        checksum.update(bytes, from, count);
        return count;
      }
      if (inflater.finished()) {
        trailer();
        ended = !anotherMember();
      } else if (inflater.needsDictionary()) {
        throw new ZipException("a preset dictionary is needed");
      } else {
        require();
        inflater.setInput(buffer, position, limit - position);
        position = limit;
      }
    }
    return -1;
  }

  private int inflate(byte[] bytes, int from, int length) throws ZipException {
    try {
      return inflater.inflate(bytes, from, length);
    } catch (DataFormatException e) {
      throw new ZipException(e.getMessage());
    }
  }

  /** Makes at least one byte available; false at the end of the file. */
  private boolean fill() throws IOException {
    while (position == limit) {
      int count = in.read(buffer, 0, buffer.length);
      if (count < 0) {
        return false;
      }
      position = 0;
      limit = count;
    }
    return true;
  }

  private void require() throws IOException {
    if (!fill()) {
      throw new EOFException();
    }
  }

  /** Takes a byte of a header. */
  private int take() throws IOException {
    require();
    checksum.update(buffer[position]);
    return buffer[position++] & 0xff;
  }

  private int take16() throws IOException {
    return take() | take() << 8;
  }

  private void header() throws IOException {
    checksum.reset();
    int magic = take16();
    if (magic != MAGIC) {
      throw new ZipException("no gzip magic number where a member must begin");
    }
    int method = take();
    if (method != DEFLATE) {
      throw new ZipException("unknown compression method " + method);
    }
    int flags = take();
    if ((flags & RESERVED) != 0) {
      throw new ZipException("unknown flags " + flags);
    }
    skip(6); // time, how hard it was tried, system
    if ((flags & EXTRA) != 0) {
      skip(take16());
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    if ((flags & HEADER_CHECKSUM) != 0) {
      int expected = (int) checksum.getValue() & 0xffff;
      if (take16() != expected) {
        throw new ZipException("wrong checksum of a header");
      }
    }
    checksum.reset();
  }

  private void skip(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      take();
    }
  }

  private void skipText() throws IOException {
    while (take() != 0) {
      // Up to its end.
    }
  }

  /** Takes what follows a member's data: checksum and length. */
  private void trailer() throws IOException {
    position = limit - inflater.getRemaining();
    int sum = (int) checksum.getValue();
    int length = (int) inflater.getBytesWritten();
    if (take32() != sum) {
      throw new ZipException("wrong checksum of the data");
    }
    if (take32() != length) {
      throw new ZipException("wrong length of the data");
    }
  }

  private int take32() throws IOException {
    return take16() | take16() << 16;
  }

  /** Begins another member if there is one. */
  private boolean anotherMember() throws IOException {
    if (!fill()) {
      return false;
    }
    if (buffer[position] != 0) {
      header();
      inflater.reset();
      return true;
    }
    while (fill()) {
      if (buffer[position++] != 0) {
        throw new ZipException("other bytes after the zeros behind the last member");
      }
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }
}
