package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.GraphTooLargeException;
import io.magpie.examples.cli.options.OptionTypes;
import java.util.OptionalLong;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how many items there are: a number, or {@code vertices(GRAPH)} or {@code arcs(GRAPH)}. */
final class ItemsOption implements ITypeConverter<Long> {
  @Override
  public Long convert(String value) throws Exception {
    try {
      OptionalLong count = ArgumentReader.count(value);
      return count.isPresent() ? count.getAsLong() : OptionTypes.wholeNumbers().convert(value);
    } catch (GraphTooLargeException e) {
      throw e; // well written, but unsuitable, as what has no file or a malformed one
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
