package io.magpie.verification.explore;

/**
 * An attempt of an item, as traces name it.
 *
 * @param item whose it is
 * @param number which of the item's attempts, from 1
 * @param thread the thread's rank in the grid
 */
public record AttemptId(long item, int number, int thread) {}
