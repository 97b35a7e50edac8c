package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That {@code other-tools.sh} runs regions, whatever kind of fields they have. */
class OtherToolsTest {
  private static final Path REGIONS =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions");

  @Test
  @Tag("slow")
  void regionsOfEachKindOfFieldRun() throws Exception {
    List<String> words =
        new ArrayList<>(List.of("bash", REGIONS.resolve("other-tools.sh").toString(), "tsan"));
    List<String> names = List.of("cells_beside_words", "stack_by_its_count", "reads_its_own_bits");
    names.forEach(name -> words.add(REGIONS.resolve("right/" + name + ".cu").toString()));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), out);
    for (String name : names) {
      String row = out.lines().filter(line -> line.startsWith(name)).findFirst().orElse(out);
      assertEquals("nothing", row.substring(name.length() + 3).strip(), out);
    }
  }
}
