package io.magpie.examples.cli.commands;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Takes what a program prints to Java's standard output, until it is closed. */
final class StandardOutput implements AutoCloseable {
  private final PrintStream before = System.out;
  private final PrintStream taking;

  /**
   * @param out takes it, a line at a time
   */
  StandardOutput(PrintWriter out) {
    out.flush();
    ByteArrayOutputStream text =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            out.write(toString(StandardCharsets.UTF_8));
            out.flush();
            reset();
          }
        };
    taking = new PrintStream(text, true, StandardCharsets.UTF_8);
    System.setOut(taking);
  }

  @Override
  public void close() {
    System.setOut(before);
    taking.flush();
  }
}
