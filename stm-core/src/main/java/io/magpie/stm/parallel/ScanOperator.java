package io.magpie.stm.parallel;

import io.magpie.stm.internal.ElementType;

/** An associative operator with an identity, for scans and reductions of whole numbers. */
public enum ScanOperator {
  /** Sum, which wraps around; identity 0. */
  ADD,
  /** The smaller one as signed numbers; identity the largest value of the type. */
  MIN,
  /** The larger one as signed numbers; identity the smallest value of the type. */
  MAX,
  /** Bitwise "and"; identity all ones. */
  AND,
  /** Bitwise "or"; identity 0. */
  OR;

  /** The identity for elements of a type, sign-extended. */
  long identity(ElementType<?> type) {
    boolean ints = type == ElementType.INT;
    return switch (this) {
      case ADD, OR -> 0;
      case MIN -> ints ? Integer.MAX_VALUE : Long.MAX_VALUE;
      case MAX -> ints ? Integer.MIN_VALUE : Long.MIN_VALUE;
      case AND -> -1;
    };
  }
}
