package io.magpie.examples.compare;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.examples.input.GeneratedGraph;
import io.magpie.examples.input.Input;
import io.magpie.stm.Device;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A comparison whose results are wrong when asked to be: for testing whoever compares. */
public final class WrongComparison implements Comparison<WrongComparison.Wrong> {
  /** Long next to what the rest of the process computes meanwhile, as it compiles and collects. */
  private static final long SLEEP_MILLIS = 600;

  /** The input on which nothing waits. */
  private static final String SHORT = "path:n=2,";

  /** Which run is wrong, and how. */
  public enum When {
    NEVER,
    THIRD,
    THROWS,
    WAITS,
    OUT_OF_MEMORY,
    CANNOT_CLOSE,
    SLEEPS,
    IMPOSSIBLE
  }

  /** Which run that is. */
  public enum Run {
    FIRST,
    THIRD
  }

  /** Options of which one value is refused. */
  public static final class Wrong extends Options<Wrong> {
    static final Setting<When> WHEN = Setting.oneOf("when", When.NEVER, "which run is wrong");

    static final Setting<Run> RUN = Setting.oneOf("run", Run.THIRD, "which one throws");

    Wrong() {}

    private Wrong(Map<String, Object> values) {
      super(values);
    }

    @Override
    public List<Setting<?>> settings() {
      return List.of(WHEN, RUN);
    }

    @Override
    protected Wrong copy(Map<String, Object> changed) {
      Wrong copy = new Wrong(changed);
      if (copy.get(WHEN) == When.IMPOSSIBLE) {
        throw new IllegalArgumentException("by nature");
      }
      return copy;
    }
  }

  @Override
  public String name() {
    return "wrong";
  }

  @Override
  public String summary() {
    return "wrong results on purpose";
  }

  @Override
  public Wrong defaults() {
    return new Wrong();
  }

  @Override
  public List<Ladder<Wrong>> ladders() {
    Map<String, Wrong> steps = new LinkedHashMap<>();
    steps.put("right", defaults());
    steps.put("waits", Variants.variant(defaults(), List.of("when=waits")));
    return List.of(
        new Ladder<>(
            "inputs",
            "waits on the second one",
            steps,
            List.of(
                new LadderInput("short", share -> GeneratedGraph.of("path:2")),
                new LadderInput("long", share -> GeneratedGraph.of("path:3")))));
  }

  @Override
  public Prepared<Wrong> prepare(Input source, Progress progress) {
    return new Prepared<>() {
      @Override
      public Map<String, Long> sizes() {
        return Map.of("vertices", 3L);
      }

      @Override
      public String hash() {
        return "none";
      }

      @Override
      public Program variant(Device device, Wrong variant) {
        int[] runs = {0};
        When when = variant.get(Wrong.WHEN);
        Program program =
            () -> {
              boolean third = ++runs[0] == 3;
              if (third && when == When.OUT_OF_MEMORY) {
                throw new OutOfMemoryError("on purpose");
              }
              boolean throwing = third || variant.get(Wrong.RUN) == Run.FIRST;
              if (throwing && variant.get(Wrong.WHEN) == When.THROWS) {
                throw new IllegalStateException("on purpose");
              }
              if (third && when == When.WAITS && !source.description().startsWith(SHORT)) {
                waitForEver();
              }
              if (when == When.SLEEPS) {
                sleep(SLEEP_MILLIS);
              }
              boolean wrong = third && variant.get(Wrong.WHEN) == When.THIRD;
              return new Outcome(
                  Map.of(Outcome.TOTAL, when == When.SLEEPS ? SLEEP_MILLIS : 1.0),
                  Map.of(),
                  Map.of(),
                  () -> wrong ? Optional.of("4 instead of 3") : Optional.empty());
            };
        return when == When.CANNOT_CLOSE ? unclosable(program, runs) : program;
      }
    };
  }

  /** After its second run. */
  private static Program unclosable(Program program, int[] runs) {
    return new Program() {
      @Override
      public Outcome run() {
        return program.run();
      }

      @Override
      public void close() {
        if (runs[0] >= 2) {
          throw new IllegalStateException("cannot be closed");
        }
      }
    };
  }

  /** Says so, and stays. */
  private static void waitForEver() {
    System.out.println("waiting in the third run");
    sleep(Long.MAX_VALUE);
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
