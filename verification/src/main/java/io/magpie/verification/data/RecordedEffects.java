package io.magpie.verification.data;

import io.magpie.verification.history.DataAccess;
import io.magpie.verification.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a recorded attempt did to pools, and to the work that waits, if it committed: others did
 * nothing.
 *
 * @param taken slots that it took, in their order
 * @param freed slots that it freed, in the order of their numbers
 * @param pushed items that it pushed, in the order of their numbers
 */
public record RecordedEffects(List<Slot> taken, List<Slot> freed, List<Integer> pushed) {
  /** Nothing. */
  public static final RecordedEffects NONE = new RecordedEffects(List.of(), List.of(), List.of());

  public RecordedEffects {
    taken = List.copyOf(taken);
    freed = List.copyOf(freed);
    pushed = List.copyOf(pushed);
  }

  /**
   * A slot.
   *
   * @param pool which of the region's pools it is of
   * @param number its own
   */
  public record Slot(int pool, int number) {}

  /** The effects of an attempt of a history with data. */
  public static RecordedEffects of(History history, int attempt) {
    if (history.outcome(attempt) != History.COMMIT) {
      return NONE;
    }
    List<DataAccess> effects = new ArrayList<>(); // slots taken and items pushed
    List<Slot> freed = new ArrayList<>();
    int count = history.dataCount(attempt);
    for (int i = 0; i < count; i++) {
      DataAccess each = history.data(attempt, i);
      switch (each.kind()) {
        case TAKEN, PUSHED -> effects.add(each);
        case FREED -> freed.add(slot(each));
        case UNDONE -> effects.subList(each.number(), effects.size()).clear();
        default -> {}
      }
    }
    if (effects.isEmpty() && freed.isEmpty()) {
      return NONE;
    }
    freed.sort(Comparator.comparingInt(Slot::pool).thenComparingInt(Slot::number));
    return new RecordedEffects(
        effects.stream()
            .filter(each -> each.kind() == DataAccess.Kind.TAKEN)
            .map(RecordedEffects::slot)
            .toList(),
        freed,
        effects.stream()
            .filter(each -> each.kind() == DataAccess.Kind.PUSHED)
            .map(DataAccess::number)
            .sorted(Integer::compareUnsigned)
            .toList());
  }

  private static Slot slot(DataAccess use) {
    return new Slot(use.pool(), use.number());
  }
}
