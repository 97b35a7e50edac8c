package io.magpie.examples.cli.options;

import java.io.File;
import java.util.Arrays;
import java.util.List;

/** The jars and folders of the user's that the launchers add to the class path. */
public final class AddedJars {
  /** The variable that names them. */
  public static final String VARIABLE = "MAGPIE_CLASSPATH";

  /** What to do about those that are not there. */
  public static final String REMEDY =
      "name jars and folders that exist, joined by '" + File.pathSeparator + "'";

  private AddedJars() {}

  /** Those that are not there: Java leaves them out, and says nothing. */
  public static List<String> missing(String added) {
    return Arrays.stream(added.split(File.pathSeparator))
        .filter(each -> !each.isEmpty()) // the current folder
        .filter(each -> !new File(each.replaceFirst("/\\*$", "/")).exists())
        .toList();
  }

  /** Says which are not there. */
  public static String told(List<String> missing) {
    return VARIABLE + " names what is not there: " + String.join(", ", missing);
  }
}
