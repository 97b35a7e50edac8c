package io.magpie.verification.program;

import java.util.List;

/**
 * One step of a {@link TransactionProgram}'s transaction. Each transaction has an accumulator of 64
 * bits that begins as its number; {@code mix} is {@link SerialInterpreter#mix}.
 */
public sealed interface Step {
  /** Claims an object. */
  record Open(int object) implements Step {}

  /** Claims several objects at once, from the first to the last, up or down. */
  record OpenEach(int first, int last) implements Step {}

  /** The accumulator becomes {@code mix(accumulator, object)}. */
  record Read(int object) implements Step {}

  /** As {@link Read}, of the object whose number is the accumulator modulo their number. */
  record ReadAt() implements Step {}

  /** The object becomes {@code mix(accumulator, argument)}. */
  record Write(int object, int argument) implements Step {}

  /** As {@link Write}, of the object whose number is the accumulator modulo their number. */
  record WriteAt(int argument) implements Step {}

  /** Cancels the item if the accumulator modulo 16 is less than {@code sixteenths}; 16 = always. */
  record CancelIf(int sixteenths) implements Step {}

  /** An inner transaction of at most {@code attempts} attempts; not within another one. */
  record Inner(int attempts, List<Step> steps) implements Step {
    public Inner {
      steps = List.copyOf(steps);
    }
  }
}
