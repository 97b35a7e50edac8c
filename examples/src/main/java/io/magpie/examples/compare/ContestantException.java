package io.magpie.examples.compare;

import io.magpie.stm.UnfinishedItemsException;

/**
 * A contestant failed in a run, or its result could not be checked; the cause says how. Items that
 * did not finish are no failure of this kind: {@link UnfinishedItemsException}.
 */
public final class ContestantException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String name;

  /**
   * @param contestant the one that failed
   * @param cause what its program threw
   */
  public ContestantException(Contestant contestant, Throwable cause) {
    super(contestant.name() + " failed: " + cause, cause);
    name = contestant.name();
  }

  /** The contestant with its device, as in messages. */
  public String contestant() {
    return name;
  }
}
