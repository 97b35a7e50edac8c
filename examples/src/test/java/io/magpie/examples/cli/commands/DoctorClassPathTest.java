package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.examples.compare.WrongComparison;
import io.magpie.stm.Diagnosis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What doctor says of the jars that MAGPIE_CLASSPATH names, which Java leaves out silently. */
class DoctorClassPathTest {
  @TempDir Path folder;

  @Test
  void whatIsThereIsGood() throws IOException {
    String jar = Files.createFile(folder.resolve("a.jar")).toString();
    String both = jar + ":" + folder + "/*";

    assertEquals(
        Optional.of(
            new Diagnosis("class path", Diagnosis.State.GOOD, "MAGPIE_CLASSPATH adds " + both, "")),
        DoctorCommand.classPath(both));
    assertEquals(Optional.empty(), DoctorCommand.classPath(null));
    assertEquals(Optional.empty(), DoctorCommand.classPath(""));
  }

  @Test
  void whatIsMissingIsNamed() {
    String there = folder.toString();

    assertEquals(
        Optional.of(
            new Diagnosis(
                "class path",
                Diagnosis.State.LIMITED,
                "MAGPIE_CLASSPATH names files that do not exist: /no/b.jar, /no/c/*",
                "name jars and folders that exist, joined by ':'")),
        DoctorCommand.classPath(there + ":/no/b.jar:/no/c/*"));
  }

  @Test
  void saysWhatEachJarRegisters(@TempDir Path folder) throws Exception {
    String classes =
        Path.of(WrongComparison.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    Files.createFile(folder.resolve("a.jar"));

    List<String> found =
        DoctorCommand.services(classes + ":" + folder + "/*:/no/b.jar").stream()
            .map(Diagnosis::found)
            .toList();

    assertEquals(2, found.size(), found.toString());
    assertTrue(found.get(0).startsWith(classes + " registers comparison '"), found.toString());
    assertTrue(found.get(0).contains("comparison 'wrong'"), found.toString());
    assertTrue(found.get(0).contains("input kind 'wheel'"), found.toString());
    assertEquals(folder + "/a.jar registers no comparison and no input kind", found.get(1));
    assertEquals(List.of(), DoctorCommand.services(null));
  }
}
