package io.magpie.examples.benchmarks;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.algorithms.SettingList;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.stm.StmOptions;
import java.util.List;
import java.util.Map;

/** How a benchmark runs: what variants of a comparison differ in. */
public final class TransactionsOptions extends Options<TransactionsOptions> {
  private static final SettingList SETTINGS = new SettingList();

  static final Setting<Synchronization> SYNCHRONIZATION =
      SETTINGS.add(
          Setting.oneOf("synchronization", Synchronization.STM, "how items are kept apart")
              .meaning(Synchronization.STM, "by transactions")
              .meaning(Synchronization.LOCKS, "by a lock for each datum, taken in ascending order")
              .meaning(Synchronization.LOCK_FREE, "by atomic operations"));

  static {
    SETTINGS.addAll(
        TransactionSettings.onlyWith(
            TransactionSettings.ANY_POLICY, SYNCHRONIZATION.is(Synchronization.STM)));
  }

  /** {@link StmOptions#backOffNanos()}. */
  static final Setting<Integer> BACK_OFF =
      SETTINGS.add(
          Setting.whole(
                  "back-off",
                  StmOptions.defaults().backOffNanos(),
                  -1,
                  Integer.MAX_VALUE,
                  "longest pause between attempts in nanoseconds; 0 is none; with -1 the policy decides")
              .within(
                  TransactionSettings.STM, StmOptions::backOffNanos, StmOptions::withBackOffNanos)
              .onlyWith(SYNCHRONIZATION.is(Synchronization.STM)));

  static final Setting<Layout> LAYOUT =
      SETTINGS.add(
          Setting.oneOf("layout", Layout.APART, "where the data of transactions lie")
              .meaning(Layout.APART, "in arrays of their own")
              .meaning(Layout.BESIDE, "next to the tracking words of their objects")
              .onlyWith(SYNCHRONIZATION.is(Synchronization.STM)));

  TransactionsOptions() {}

  private TransactionsOptions(Map<String, Object> values) {
    super(values);
  }

  @Override
  public List<Setting<?>> settings() {
    return SETTINGS.all();
  }

  @Override
  protected TransactionsOptions copy(Map<String, Object> changed) {
    return new TransactionsOptions(changed);
  }

  Synchronization synchronization() {
    return get(SYNCHRONIZATION);
  }

  Layout layout() {
    return get(LAYOUT);
  }

  /** How transactions run: the other settings are components of it. */
  StmOptions stm() {
    return get(TransactionSettings.STM);
  }
}
