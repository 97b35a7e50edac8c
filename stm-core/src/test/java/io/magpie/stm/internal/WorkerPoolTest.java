package io.magpie.stm.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
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

  /** Also where threads that are not wanted look for tasks, as they do behind one for all. */
  @Test
  void noMoreTakePartThanAreWanted() {
    try (WorkerPool pool = new WorkerPool(4, "test")) {
      for (int round = 0; round < 3000; round++) {
        int helpers = round % 4;
        Set<Integer> workers = ConcurrentHashMap.newKeySet();
        pool.run(workers::add, helpers);
        assertTrue(workers.stream().allMatch(each -> each <= helpers), workers::toString);
      }
    }
  }

  /** A pool without a task leaves the processors alone. */
  @Test
  void threadsWithoutATaskSleep() throws Exception {
    try (WorkerPool pool = new WorkerPool(4, "idle")) {
      for (int round = 0; round < 100; round++) {
        pool.run(worker -> {}, 3);
      }
      Thread.sleep(50);
      long before = processorNanos("idle-");
      Thread.sleep(500);
      long used = processorNanos("idle-") - before;
      assertTrue(used < 20_000_000, used + " ns");
      AtomicInteger woken = new AtomicInteger();
      CountDownLatch all = new CountDownLatch(4);
      pool.run(
          worker -> {
            all.countDown();
            await(all);
            woken.incrementAndGet();
          },
          3);
      assertEquals(4, woken.get());
    }
  }

  /** Processor time of the threads whose names begin so. */
  private static long processorNanos(String prefix) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long sum = 0;
    int found = 0;
    for (ThreadInfo each : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (each != null && each.getThreadName().startsWith(prefix)) {
        sum += threads.getThreadCpuTime(each.getThreadId());
        found++;
      }
    }
    assertEquals(3, found);
    return sum;
  }

  /** Threads that look for tasks are not in the way of those that have one. */
  @Test
  void manyPoolsWithMoreThreadsThanProcessorsGoOn() throws Exception {
    int pools = 6;
    AtomicLong done = new AtomicLong();
    Thread[] callers = new Thread[pools];
    for (int i = 0; i < pools; i++) {
      callers[i] =
          new Thread(
              () -> {
                try (WorkerPool pool = new WorkerPool(4, "many")) {
                  for (int round = 0; round < 1000; round++) {
                    AtomicInteger next = new AtomicInteger();
                    pool.run(
                        worker -> {
                          while (next.getAndIncrement() < 8) {
                            done.incrementAndGet();
                          }
                        },
                        3);
                  }
                }
              });
      callers[i].start();
    }
    for (Thread each : callers) {
      each.join();
    }
    assertEquals(8L * 1000 * pools, done.get());
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
