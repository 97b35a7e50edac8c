package io.magpie.stm.internal.toolchain;

/**
 * Where JNA unpacks its native library, which this process then loads: a private folder. By itself
 * it takes a folder below what Java holds for the user's home, which is one below the working
 * directory for a user whom the system does not know.
 */
public final class UnpackedLibraries {
  private static final String FOLDER_PROPERTY = "jna.tmpdir";
  private static final String NOT_UNPACKED_PROPERTY = "jna.boot.library.path";

  private UnpackedLibraries() {}

  /** Chooses the folder, unless it was chosen; to be called before the first use of JNA. */
  public static synchronized void chooseFolder() {
    if (System.getProperty(FOLDER_PROPERTY) == null
        && System.getProperty(NOT_UNPACKED_PROPERTY) == null) {
      System.setProperty(FOLDER_PROPERTY, ArtifactCache.ofUser().folder("jna").toString());
    }
  }
}
