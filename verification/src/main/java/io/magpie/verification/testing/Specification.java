package io.magpie.verification.testing;

/**
 * What one item does if it runs alone.
 *
 * @param <S> what the region's data stand for: the data themselves, a list, a set
 */
@FunctionalInterface
public interface Specification<S> {
  /**
   * Does what the item does.
   *
   * @param state is changed as the item changes it; stays as it is if the item cancels
   * @return whether the item commits: false if it cancels
   */
  boolean run(S state, int item);
}
