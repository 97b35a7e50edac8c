package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Diagnosis;
import io.magpie.stm.Diagnosis.State;
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
    Diagnosis found = Inspection.cache(List.of(cache));
    assertEquals(State.GOOD, found.state(), found.toString());
    assertTrue(found.found().startsWith(cache.toRealPath() + ": 0 files, 0 MiB; "), found.found());
    Files.write(cache.resolve("entry"), new byte[3 << 20]);
    assertTrue(Inspection.cache(List.of(cache)).found().contains("1 files, 3 MiB"));
  }

  @Test
  void aFolderOfOthersIsPassedOver() throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Diagnosis second = Inspection.cache(List.of(open, folder.resolve("own")));
    assertEquals(State.GOOD, second.state());
    assertTrue(second.found().contains("others can write to"), second.found());
    Diagnosis none = Inspection.cache(List.of(open, Path.of("relative")));
    assertEquals(State.LIMITED, none.state());
    assertTrue(none.found().contains("relative"), none.found());
    assertTrue(none.remedy().contains("MAGPIE_CACHE"), none.remedy());
    assertEquals(State.LIMITED, Inspection.cache(List.of()).state());
  }
}
