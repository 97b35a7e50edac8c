package io.magpie.stm.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.magpie.stm.internal.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class WatchdogTest {
  private static Watchdog.Guard guard(Memory flag, long nanos) {
    flag.clear();
    return Watchdog.start(new Backend.Watch(Pointer.nativeValue(flag), nanos), () -> {});
  }

  private static void awaitRaised(Memory flag) throws InterruptedException {
    while (flag.getInt(0) == 0) {
      Thread.sleep(1);
    }
  }

  /** The thread sleeps for the longest when the short one comes, and again after it. */
  @Test
  void aShortWatchEndsBeforeALongOne() throws Exception {
    Memory slow = new Memory(4);
    Memory quick = new Memory(4);
    Watchdog.Guard hours = guard(slow, Long.MAX_VALUE);
    for (int round = 0; round < 3; round++) {
      long begin = System.nanoTime();
      Watchdog.Guard soon = guard(quick, TimeUnit.MILLISECONDS.toNanos(5));
      awaitRaised(quick);
      assertTrue(System.nanoTime() - begin >= TimeUnit.MILLISECONDS.toNanos(5));
      assertTrue(soon.end());
      assertEquals(0, slow.getInt(0));
    }
    assertFalse(hours.end());
  }

  @Test
  void anEndedWatchRaisesNothing() throws Exception {
    Memory flag = new Memory(4);
    while (guard(flag, TimeUnit.MILLISECONDS.toNanos(200)).end()) {
      Thread.sleep(10); // the machine is busy: its time was up before it could be ended
    }
    Memory later = new Memory(4);
    Watchdog.Guard second = guard(later, TimeUnit.MILLISECONDS.toNanos(400));
    awaitRaised(later);
    assertEquals(0, flag.getInt(0));
    assertTrue(second.end());
  }

  @Test
  void whatDoesNotEndIsInterruptedUntilItDoes() throws Exception {
    Memory flag = new Memory(4);
    flag.clear();
    Semaphore interrupts = new Semaphore(0);
    long begin = System.nanoTime();
    Watchdog.Guard guard =
        Watchdog.start(
            new Backend.Watch(Pointer.nativeValue(flag), TimeUnit.MILLISECONDS.toNanos(5)),
            interrupts::release);
    awaitRaised(flag);
    interrupts.acquire(2);
    assertTrue(System.nanoTime() - begin >= Watchdog.GRACE.toNanos());
    assertTrue(guard.end());
    interrupts.drainPermits();
    assertFalse(interrupts.tryAcquire(300, TimeUnit.MILLISECONDS));
  }

  @Test
  void aCancelIsAnEndOfTime() throws Exception {
    Memory flag = new Memory(4);
    flag.clear();
    Backend.Watch watch = new Backend.Watch(Pointer.nativeValue(flag), 0);
    Watchdog.Guard guard = Watchdog.start(watch, () -> {});
    watch.onCancel(guard::endEarly);
    assertEquals(0, flag.getInt(0));
    watch.cancel();
    assertEquals(1, flag.getInt(0));
    assertTrue(guard.end());
  }

  /** None is missed, however starts and looks meet. */
  @Test
  void manyThreadsWatchAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        running.add(
            threads.submit(
                () -> {
                  Memory flag = new Memory(4);
                  for (int i = 0; i < 200; i++) {
                    Watchdog.Guard other = guard(new Memory(4), TimeUnit.HOURS.toNanos(1));
                    Watchdog.Guard guard = guard(flag, 1 + i % 7 * 100_000L);
                    awaitRaised(flag);
                    assertTrue(guard.end());
                    assertFalse(other.end());
                  }
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
  }
}
