package io.magpie.examples.compare;

import io.magpie.stm.Device;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A comparison whose results are wrong when asked to be: for testing whoever compares. */
public final class WrongComparison implements Comparison {
  @Override
  public String name() {
    return "wrong";
  }

  @Override
  public String summary() {
    return "wrong results on purpose";
  }

  @Override
  public List<Choice> choices() {
    return List.of(
        Choice.of("when", "which run is wrong", "never", "third", "throws", "waits", "impossible"));
  }

  @Override
  public Map<String, String> baselines() {
    return Map.of();
  }

  @Override
  public Optional<String> objection(Variant variant) {
    return variant.get("when").equals("impossible") ? Optional.of("by nature") : Optional.empty();
  }

  @Override
  public Prepared prepare(InputSource source, Progress progress) {
    return new Prepared() {
      @Override
      public Map<String, Long> sizes() {
        return Map.of("vertices", 3L);
      }

      @Override
      public String hash() {
        return "none";
      }

      @Override
      public Program variant(Device device, Variant variant) {
        int[] runs = {0};
        return () -> {
          boolean third = ++runs[0] == 3;
          if (third && variant.get("when").equals("throws")) {
            throw new IllegalStateException("on purpose");
          }
          if (third && variant.get("when").equals("waits")) {
            waitForEver();
          }
          boolean wrong = third && variant.get("when").equals("third");
          return new Outcome(
              Map.of(Outcome.TOTAL, 1.0),
              Map.of(),
              Map.of(),
              () -> wrong ? Optional.of("4 instead of 3") : Optional.empty());
        };
      }

      @Override
      public Program baseline(String name) {
        throw new IllegalArgumentException(name);
      }
    };
  }

  /** Says so, and stays. */
  private static void waitForEver() {
    System.out.println("waiting in the third run");
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
