package io.magpie.stm.internal.toolchain;

/**
 * Where JNA unpacks its native library, which this process then loads: a private folder. By itself
 * it takes one below XDG_CACHE_HOME or what Java holds for the user's home, which are below the
 * working directory if the former is relative or the system does not know the user.
 */
public final class UnpackedLibraries {
  private static final String FOLDER_PROPERTY = "jna.tmpdir";

  /** Without it JNA makes the folder even if it finds its library elsewhere, to remove old ones. */
  private static final String NOT_UNPACKED_PROPERTY = "jna.nounpack";

  private UnpackedLibraries() {}

  /** Chooses the folder, unless it was chosen; to be called before the first use of JNA. */
  public static synchronized void chooseFolder() {
    if (System.getProperty(FOLDER_PROPERTY) == null && !Boolean.getBoolean(NOT_UNPACKED_PROPERTY)) {
      System.setProperty(FOLDER_PROPERTY, ArtifactCache.ofUser().folder("jna").toString());
    }
  }
}
