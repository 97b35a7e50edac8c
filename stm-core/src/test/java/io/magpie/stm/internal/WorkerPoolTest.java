package io.magpie.stm.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class WorkerPoolTest {
  @Test
  void manyShortTasksAreEachDoneOnceAndLeftByAll() {
    try (WorkerPool pool = new WorkerPool(4, "test")) {
      for (int round = 0; round < 5000; round++) {
        AtomicLong next = new AtomicLong();
        AtomicLong sum = new AtomicLong();
        AtomicInteger inside = new AtomicInteger();
        int items = round % 9;
        pool.run(
            worker -> {
              inside.incrementAndGet();
              for (long i = next.getAndIncrement(); i < items; i = next.getAndIncrement()) {
                sum.addAndGet(i + 1);
              }
              inside.decrementAndGet();
            },
            round % 5);
        assertEquals((long) items * (items + 1) / 2, sum.get());
        assertEquals(0, inside.get());
      }
    }
  }

  @Test
  void everyWorkerTakesPartUnderItsOwnNumber() throws Exception {
    try (WorkerPool pool = new WorkerPool(3, "test")) {
      assertEquals(3, pool.size());
      Set<Integer> workers = ConcurrentHashMap.newKeySet();
      CountDownLatch all = new CountDownLatch(3);
      AtomicInteger late = new AtomicInteger();
      pool.run(
          worker -> {
            workers.add(worker);
            all.countDown();
            try {
              if (!all.await(30, TimeUnit.SECONDS)) {
                late.incrementAndGet();
              }
            } catch (InterruptedException e) {
              late.incrementAndGet();
            }
          },
          2);
      assertEquals(0, late.get());
      assertTrue(workers.containsAll(Set.of(0, 1, 2)));
    }
  }

  @Test
  void whatAnyParticipantThrowsReachesTheCaller() {
    try (WorkerPool pool = new WorkerPool(3, "test")) {
      for (int round = 0; round < 300; round++) {
        int thrower = round % 3;
        Throwable thrown =
            round % 2 == 0 ? new IllegalStateException("oops") : new OutOfMemoryError("oops");
        CountDownLatch all = new CountDownLatch(3);
        AtomicInteger ended = new AtomicInteger();
        Throwable seen =
            assertThrows(
                thrown.getClass(),
                () ->
                    pool.run(
                        worker -> {
                          all.countDown();
                          await(all);
                          if (worker == thrower) {
                            WorkerPoolTest.<RuntimeException>sneak(thrown);
                          }
                          ended.incrementAndGet();
                        },
                        2));
        assertSame(thrown, seen);
        assertEquals(2, ended.get());
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable e) throws T {
    throw (T) e;
  }
}
