package io.magpie.algorithms.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FuturesTest {
  @Test
  void whatWorkThrowsIsNotWrapped() {
    IllegalArgumentException mistake = new IllegalArgumentException("a repeated segment");
    CompletableFuture<Object> failing =
        CompletableFuture.supplyAsync(
            () -> {
              throw mistake;
            });
    CompletableFuture<String> after = failing.thenApply(Object::toString);
    assertSame(mistake, assertThrows(RuntimeException.class, () -> Futures.join(after)));
    OutOfMemoryError full = new OutOfMemoryError("no room");
    CompletableFuture<Object> lacking =
        CompletableFuture.supplyAsync(
            () -> {
              throw full;
            });
    assertSame(full, assertThrows(OutOfMemoryError.class, () -> Futures.join(lacking)));
    assertEquals(3, Futures.join(CompletableFuture.supplyAsync(() -> 3)));
  }
}
