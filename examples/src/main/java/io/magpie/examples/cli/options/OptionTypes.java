package io.magpie.examples.cli.options;

import io.magpie.algorithms.graph.FileWeights;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.verification.mutation.Mutant;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;

/** How the values of options are read, by their types. */
public final class OptionTypes {
  private OptionTypes() {}

  /** Has a command line, and all its commands, read values so. */
  public static void register(CommandLine line) {
    line.registerConverter(Path.class, new PathOption());
    NumberOption.register(line);
    readEnum(line, Policy.class);
    readEnum(line, FileWeights.class);
    readEnum(line, LengthTypeOption.Type.class);
    readEnum(line, Engine.class);
    readEnum(line, Recording.Clock.class);
    readEnum(line, Mutant.class);
  }

  /** Reads whole numbers of 64 bits. */
  public static ITypeConverter<Long> wholeNumbers() {
    return NumberOption.longs();
  }

  private static <E extends Enum<E>> void readEnum(CommandLine line, Class<E> type) {
    line.registerConverter(type, new EnumOption<>(type));
  }
}
