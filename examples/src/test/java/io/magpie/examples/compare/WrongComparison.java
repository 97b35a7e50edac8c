package io.magpie.examples.compare;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.examples.input.GeneratedGraph;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputException;
import io.magpie.stm.Device;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A comparison whose results are wrong when asked to be: for testing whoever compares. */
public final class WrongComparison implements Comparison<WrongComparison.Wrong> {
  /** Long next to what the rest of the process computes meanwhile, as it compiles and collects. */
  private static final long SLEEP_MILLIS = 600;

  /** The input on which nothing waits or is wrong. */
  private static final String SHORT = "path:n=2,";

  /** The inputs of which one at a time may be in memory. */
  private static final String REMEMBERED = "path:n=6";

  /** What stands for their graphs. */
  private static final List<WeakReference<int[]>> EARLIER =
      Collections.synchronizedList(new ArrayList<>());

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
    Map<String, Wrong> right = Map.of("right", defaults());
    Map<String, Wrong> third = new LinkedHashMap<>(right);
    third.put("third", Variants.variant(defaults(), List.of("when=third")));
    return List.of(
        new Ladder<>(
            "inputs",
            "waits on the second one",
            steps,
            List.of(path("short", 2), new LadderInput("long", WrongComparison::ofOneSize))),
        new Ladder<>(
            "failing",
            "fails on all but the last one",
            third,
            List.of(
                path("unsuitable", 44), path("too-large", 55), path("wrong", 3), path("right", 2))),
        new Ladder<>(
            "remembered",
            "fails where an input before is still in memory",
            right,
            List.of(path("first", 61), path("second", 62), path("third", 63))));
  }

  private static LadderInput path(String name, int vertices) {
    return new LadderInput(name, fraction -> GeneratedGraph.of("path:" + vertices));
  }

  private static Input ofOneSize(double fraction) {
    if (fraction < 1) {
      throw new IllegalArgumentException("has one size only");
    }
    return GeneratedGraph.of("path:3");
  }

  /** Fails as the input says. */
  private static void requirePreparable(Input source) {
    if (source.description().startsWith("path:n=44,")) {
      throw new InputException(source.description() + ": is of no use");
    }
    if (source.description().startsWith("path:n=55,")) {
      throw new OutOfMemoryError("on purpose");
    }
    if (source.description().startsWith(REMEMBERED)) {
      for (int tries = 0; tries < 20 && EARLIER.stream().anyMatch(e -> e.get() != null); tries++) {
        System.gc();
        sleep(tries);
      }
      if (EARLIER.stream().anyMatch(each -> each.get() != null)) {
        throw new IllegalStateException("an earlier input is still in memory");
      }
    }
  }

  @Override
  public Prepared<Wrong> prepare(Input source, Progress progress) {
    requirePreparable(source);
    int[] graph = new int[1];
    if (source.description().startsWith(REMEMBERED)) {
      EARLIER.add(new WeakReference<>(graph));
    }
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
              Objects.requireNonNull(graph, "a program needs its graph");
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
              boolean wrong =
                  third && when == When.THIRD && !source.description().startsWith(SHORT);
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
