package io.magpie.algorithms.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourcesTest {
  private final List<Integer> closed = new ArrayList<>();

  private AutoCloseable part(int number, Exception failure) {
    return () -> {
      closed.add(number);
      if (failure != null) {
        throw failure;
      }
    };
  }

  @Test
  void theLastOneIsClosedFirstAndNullIsNone() {
    Resources.close(part(0, null), null, part(1, null));
    assertEquals(List.of(1, 0), closed);
    Resources.close(List.of(part(2, null), part(3, null)));
    assertEquals(List.of(1, 0, 3, 2), closed);
  }

  @Test
  void failuresSpareNothing() {
    IllegalStateException first = new IllegalStateException("first");
    IOException second = new IOException("second");
    AutoCloseable[] parts = {part(0, null), part(1, second), part(2, first), part(3, null)};
    assertSame(first, assertThrows(RuntimeException.class, () -> Resources.close(parts)));
    assertEquals(List.of(3, 2, 1, 0), closed);
    assertEquals(1, first.getSuppressed().length);
    assertSame(second, first.getSuppressed()[0].getCause());
  }

  @Test
  void aHolderFreesAllThatItHolds() {
    RuntimeException failure = new IllegalStateException("not freed");
    try (Device device = Device.open("cpu:1")) {
      DeviceMemory memory =
          new DeviceMemory(device) {
            @Override
            public void free(DeviceArray<?> array) {
              super.free(array);
              if (array.length() == 2) {
                throw failure;
              }
            }
          };
      Holder holder = new Holder(memory);
      for (int length : new int[] {1, 2, 3}) {
        holder.ints(length);
      }
      assertSame(failure, assertThrows(IllegalStateException.class, holder::close));
      assertEquals(0, memory.held());
    }
  }
}
