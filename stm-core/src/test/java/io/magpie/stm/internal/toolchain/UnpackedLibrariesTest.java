package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import io.magpie.stm.Device;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where JNA makes folders. */
class UnpackedLibrariesTest {
  private static final String FOUND_AT = "jna.boot.library.path";

  @TempDir Path folder;

  /** A folder with JNA's library, so that a process does not have to unpack it. */
  private Path unpacked() throws IOException {
    if (System.getProperty(FOUND_AT) != null) {
      return Path.of(System.getProperty(FOUND_AT));
    }
    Path libraries = Files.createDirectory(folder.resolve("libraries"));
    String name = System.mapLibraryName("jnidispatch");
    String resource = "/com/sun/jna/" + Platform.RESOURCE_PREFIX + "/" + name;
    try (InputStream library = Native.class.getResourceAsStream(resource)) {
      Files.copy(library, libraries.resolve(name));
    }
    return libraries;
  }

  @Test
  void noneInTheWorkingFolder() throws Exception {
    Path working = Files.createDirectory(folder.resolve("working"));
    Path home = Files.createDirectory(folder.resolve("home"));
    ProcessBuilder child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-D" + FOUND_AT + "=" + unpacked(),
                "-Duser.home=?", // of a user whom the system does not know
                "-cp",
                System.getProperty("java.class.path"),
                Listing.class.getName())
            .directory(working.toFile())
            .redirectErrorStream(true);
    child.environment().remove("MAGPIE_CACHE");
    child.environment().put("XDG_CACHE_HOME", "relative");
    child.environment().put("HOME", home.toString());

    Process process = child.start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();

    assertEquals(0, process.waitFor(), output);
    try (var made = Files.list(working)) {
      assertEquals(List.of(), made.toList(), output);
    }
  }

  /** A process that uses JNA. */
  static final class Listing {
    public static void main(String[] arguments) {
      try (Device device = Device.open("cpu:1")) {
        System.out.println(device.description());
      }
    }
  }
}
