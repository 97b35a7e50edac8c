package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which folders the cache may lie in. */
class CacheFoldersTest {
  private static List<String> choices(
      String property, Map<String, String> environment, String home) {
    return CacheFolders.choices(property, environment, home).stream().map(Path::toString).toList();
  }

  @Test
  void whatIsAskedForIsTheOnlyChoice() {
    Map<String, String> all =
        Map.of("MAGPIE_CACHE", "/asked", "XDG_CACHE_HOME", "/xdg", "HOME", "/home/me");

    assertEquals(List.of("/property"), choices("/property", all, "/root"));
    assertEquals(List.of("/asked"), choices(null, all, "/root"));
    assertEquals(List.of("/asked"), choices(" ", all, "/root"));
  }

  @Test
  void otherwiseTheCacheOfTheDesktopThenTheHomes() {
    assertEquals(
        List.of("/xdg/magpie", "/home/me/.cache/magpie", "/root/.cache/magpie"),
        choices(null, Map.of("XDG_CACHE_HOME", "/xdg", "HOME", "/home/me"), "/root"));
    assertEquals(
        List.of("/home/me/.cache/magpie"), choices(null, Map.of("HOME", "/home/me"), "/home/me"));
    assertEquals(List.of("/home/me/.cache/magpie"), choices(null, Map.of(), "/home/me"));
  }

  @Test
  void noneThatDependsOnTheWorkingDirectory() {
    Map<String, String> relative = Map.of("XDG_CACHE_HOME", "cache", "HOME", "");

    assertEquals(
        List.of(), choices(null, relative, "?"), "of a user whom the system does not know");
    assertEquals(List.of(), choices(null, Map.of(), ""));
  }
}
