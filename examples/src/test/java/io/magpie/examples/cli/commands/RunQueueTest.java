package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.examples.cli.ExitStatus;
import io.magpie.stm.Device;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.Recording;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.RunOutOfTimeException;
import io.magpie.verification.workload.CheckedRounds;
import io.magpie.verification.workload.DrawnWorkload;
import io.magpie.verification.workload.RecordedRuns;
import io.magpie.verification.workload.Workload;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RunQueueTest {
  /** What a thread has that closes nothing. */
  private record Lent(RecordedRuns runs) implements RunQueue.Worker {
    @Override
    public void close() {}
  }

  private static RecordedRuns runs(Workload workload) {
    return new RecordedRuns(
        workload, StmOptions.defaults(), Recording.Options.defaults(), 0, 1 << 26);
  }

  /** Each waits for all the others, so one after the other they would not end. */
  @Test
  void asManyRunsAsWereAskedForAreUnderWayAtOnce() {
    CountDownLatch underWay = new CountDownLatch(3);
    RunQueue.Run waits =
        (runs, items, number) -> {
          underWay.countDown();
          try {
            assertTrue(underWay.await(60, TimeUnit.SECONDS), "alone");
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return null;
        };
    try (RunQueue queue = new RunQueue(null, 3, () -> new Lent(null), waits)) {
      Set<Long> numbers = new HashSet<>();
      while (queue.hasRoom()) {
        queue.ask(1);
      }
      while (queue.pending() > 0) {
        RunQueue.Ended ended = queue.next();
        assertNull(ended.failure());
        numbers.add(ended.number());
      }
      assertEquals(Set.of(0L, 1L, 2L), numbers);
    }
  }

  /** To cancel the launch that is under way is not enough: the next one follows at once. */
  @Test
  @Timeout(300)
  void aRunOfManyLaunchesEndsWithTheQueue() {
    CountDownLatch underWay = new CountDownLatch(1);
    try (Device device = Device.open("cpu:1");
        DrawnWorkload workload =
            new DrawnWorkload(device, DrawnWorkload.Shape.parse("drawn:objects=8,accesses=2"), 1);
        RecordedRuns first = runs(workload);
        RecordedRuns second = runs(workload)) {
      RunQueue.Run run =
          (runs, items, number) -> {
            while (runs == first) {
              runs.run(items, number);
              underWay.countDown();
            }
            try {
              underWay.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            return null;
          };
      try (RunQueue queue = new RunQueue(first, 2, () -> new Lent(second), run)) {
        queue.ask(100);
        queue.ask(100);
        assertNull(queue.next().failure());
      }
    }
  }

  /** Also if another one ends first, of which less is known. */
  @Test
  void theGravestOfWhatIsUnderWayIsTold() {
    CountDownLatch late = new CountDownLatch(1);
    RunQueue.Run fails =
        (runs, items, number) -> {
          if (number == 0) {
            throw new RunOutOfTimeException("time ended a round");
          }
          try {
            late.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          throw new KernelFaultException("region", "1 thread", "an index lies outside", false);
        };
    try (RunQueue queue = new RunQueue(null, 2, () -> new Lent(null), fails)) {
      queue.ask(1);
      queue.ask(1);
      RunQueue.Ended first = queue.next();
      assertEquals(0, first.number());
      late.countDown();
      RunQueue.Ended gravest = new RecordedCheck(null, null).gravest(queue, first, good -> {});
      assertEquals(1, gravest.number());
      assertEquals(KernelFaultException.class, gravest.failure().getClass());
    }
  }

  /** What is wrong with one says nothing about the others: they have their rows. */
  @Test
  void goodRunsThatEndAfterAFailureAreHandedOver() {
    try (Device device = Device.open("cpu:1");
        DrawnWorkload workload =
            new DrawnWorkload(device, DrawnWorkload.Shape.parse("drawn:objects=8,accesses=2"), 1);
        RecordedRuns one = runs(workload)) {
      CheckedRounds rounds = one.rounds(10, 1, 1, Duration.ZERO);
      CountDownLatch late = new CountDownLatch(1);
      RunQueue.Run run =
          (runs, items, number) -> {
            if (number == 0) {
              throw new RunOutOfTimeException("time ended a round");
            }
            try {
              late.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            return rounds;
          };
      try (RunQueue queue = new RunQueue(null, 3, () -> new Lent(null), run)) {
        for (int i = 0; i < 3; i++) {
          queue.ask(10);
        }
        RunQueue.Ended first = queue.next();
        late.countDown();
        Set<Long> good = new HashSet<>();
        RunQueue.Ended gravest =
            new RecordedCheck(null, null).gravest(queue, first, each -> good.add(each.number()));
        assertEquals(0, gravest.number());
        assertEquals(Set.of(1L, 2L), good);
      }
    }
  }

  /** The others make what was asked for. */
  @Test
  void aThreadThatCannotBeginIsNamed() {
    RunQueue.Opener fails =
        () -> {
          throw new NoSuchFileException("arguments.txt");
        };
    try (RunQueue queue = new RunQueue(null, 2, fails, (runs, items, number) -> null)) {
      RunQueue.Ended ended = queue.next();
      JobException failure = (JobException) ended.failure();
      assertEquals(-1, ended.number());
      assertEquals("job 2 of 2", failure.job());
      assertEquals(NoSuchFileException.class, failure.getCause().getClass());
      assertEquals(ExitStatus.BAD_INPUT, ExitStatus.of(failure));
      queue.ask(1);
      assertEquals(0, queue.next().number());
    }
  }
}
