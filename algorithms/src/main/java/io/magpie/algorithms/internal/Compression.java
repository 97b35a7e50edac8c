package io.magpie.algorithms.internal;

import java.util.Locale;

/** How the bytes of a file are packed, told by the end of its name. */
public enum Compression {
  NONE("", "plain"),
  GZIP(".gz", "gzip"),
  XZ(".xz", "xz");

  private final String suffix;
  private final String title;

  Compression(String suffix, String title) {
    this.suffix = suffix;
    this.title = title;
  }

  public static Compression of(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    return name.endsWith(GZIP.suffix) ? GZIP : name.endsWith(XZ.suffix) ? XZ : NONE;
  }

  public String suffix() {
    return suffix;
  }

  public String title() {
    return title;
  }
}
