package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.internal.toolchain.Inspection.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectionTest {
  @TempDir Path folder;

  @Test
  void aPrivateFolderWillDo() throws IOException {
    Path cache = folder.resolve("cache");
    Finding found = Inspection.cache(List.of(cache));
    assertTrue(found.good(), found.toString());
    assertTrue(found.found().startsWith(cache.toRealPath() + ": 0 files, 0 MiB; "), found.found());
    Files.write(cache.resolve("entry"), new byte[3 << 20]);
    assertTrue(Inspection.cache(List.of(cache)).found().contains("1 files, 3 MiB"));
  }

  @Test
  void aFolderOfOthersIsPassedOver() throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Finding second = Inspection.cache(List.of(open, folder.resolve("own")));
    assertTrue(second.good(), second.toString());
    assertTrue(second.found().contains("others can write to"), second.found());
    Finding none = Inspection.cache(List.of(open, Path.of("relative")));
    assertFalse(none.good(), none.toString());
    assertTrue(none.found().contains("relative"), none.found());
    assertTrue(none.remedy().contains("MAGPIE_CACHE"), none.remedy());
    assertFalse(Inspection.cache(List.of()).good());
  }
}
