package io.magpie.examples.compare;

import io.magpie.examples.input.Input;
import java.util.function.DoubleFunction;

/**
 * An input that a ladder is run on.
 *
 * @param name as the published table has it; of what only looks like that input, with {@code -like}
 * @param sized the input at a share of the published size, which is more than 0, and 1 at most
 */
public record LadderInput(String name, DoubleFunction<? extends Input> sized) {}
