package com.example.matching;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.stm.StmOptions;
import java.util.List;
import java.util.Map;

/** How a matching is computed: what variants of a comparison differ in. */
public final class MatchingOptions extends Options<MatchingOptions> {
  /** Which edges are tried first. */
  public enum Order {
    GIVEN,
    DEGREE
  }

  static final Setting<Order> ORDER =
      Setting.oneOf("order", Order.GIVEN, "which edges are tried first")
          .meaning(Order.GIVEN, "those that the input has first")
          .meaning(Order.DEGREE, "those whose ends have few edges");

  MatchingOptions() {}

  private MatchingOptions(Map<String, Object> values) {
    super(values);
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(ORDER, TransactionSettings.POLICY);
  }

  @Override
  protected MatchingOptions copy(Map<String, Object> changed) {
    return new MatchingOptions(changed);
  }

  /** How transactions run: the policy is a component of it. */
  StmOptions stm() {
    return get(TransactionSettings.STM);
  }
}
