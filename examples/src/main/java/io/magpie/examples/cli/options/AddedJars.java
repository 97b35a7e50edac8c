package io.magpie.examples.cli.options;

import io.magpie.examples.input.Registered;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The jars and folders of the user's that the launchers add to the class path. */
public final class AddedJars {
  /** The variable that names them. */
  public static final String VARIABLE = Registered.JARS;

  /** What to do about those that are not there. */
  public static final String REMEDY =
      "name jars and folders that exist, joined by '" + File.pathSeparator + "'";

  /** What to do about those whose services cannot be used. */
  public static final String FIX = "fix the jar, or remove it from the class path";

  private AddedJars() {}

  /** Those that are not there: Java leaves them out, and says nothing. */
  public static List<String> missing(String added) {
    return Arrays.stream(added.split(File.pathSeparator))
        .filter(each -> !each.isEmpty()) // the current folder
        .filter(each -> !new File(each.replaceFirst("/\\*$", "/")).exists())
        .toList();
  }

  /** Those that are there, with the jars that {@code /*} stands for, as absolute paths. */
  public static List<Path> files(String added) {
    return Arrays.stream(added.split(File.pathSeparator))
        .filter(each -> !each.isEmpty())
        .flatMap(
            each -> each.endsWith("/*") ? jars(new File(each).getParentFile()) : Stream.of(each))
        .map(AddedJars::file)
        .filter(Files::exists)
        .toList();
  }

  private static Stream<String> jars(File folder) {
    String[] names = folder.list((in, name) -> name.toLowerCase(Locale.ROOT).endsWith(".jar"));
    return Arrays.stream(names == null ? new String[0] : names)
        .sorted()
        .map(name -> new File(folder, name).toString());
  }

  /** A jar or a folder by the name by which it is compared. */
  public static Path file(String jar) {
    return Path.of(jar).toAbsolutePath().normalize();
  }

  /** Says which are not there. */
  public static String told(List<String> missing) {
    return VARIABLE + " names files that do not exist: " + String.join(", ", missing);
  }
}
