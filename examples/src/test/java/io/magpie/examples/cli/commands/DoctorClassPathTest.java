package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.stm.Diagnosis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                "MAGPIE_CLASSPATH names what is not there: /no/b.jar, /no/c/*",
                "name jars and folders that exist, joined by ':'")),
        DoctorCommand.classPath(there + ":/no/b.jar:/no/c/*"));
  }
}
