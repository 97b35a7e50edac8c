package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {
  private final List<String> closed = new ArrayList<>();

  private AutoCloseable thing(String name, Exception failure) {
    return () -> {
      closed.add(name);
      if (failure != null) {
        throw failure;
      }
    };
  }

  @Test
  void eachIsClosedWhateverTheOthersDo() {
    IllegalStateException first = new IllegalStateException("third");
    IOException second = new IOException("first");
    Closing closing = new Closing();
    closing.add(thing("first", second));
    closing.add(thing("second", null));
    closing.add(thing("third", first));
    assertSame(first, closing.closeAfter(null));
    assertEquals(List.of("third", "second", "first"), closed);
    assertArrayEquals(new Throwable[] {second}, first.getSuppressed());
    assertNull(closing.closeAfter(null), "all are closed");
    assertEquals(3, closed.size());
  }

  @Test
  void aFailureBeforeThatCountsMore() {
    OutOfMemoryError before = new OutOfMemoryError("before");
    IOException after = new IOException("after");
    Closing closing = new Closing();
    closing.add(thing("only", after));
    assertSame(before, closing.closeAfter(before));
    assertArrayEquals(new Throwable[] {after}, before.getSuppressed());
    assertThrows(OutOfMemoryError.class, () -> Closing.rethrow(before));
    assertSame(
        after, assertThrows(IllegalStateException.class, () -> Closing.rethrow(after)).getCause());
    Closing.rethrow(null);
  }
}
