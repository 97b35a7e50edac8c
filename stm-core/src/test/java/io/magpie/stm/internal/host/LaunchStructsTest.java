package io.magpie.stm.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.internal.TableText;
import io.magpie.stm.internal.host.LaunchStructs.Event;
import io.magpie.stm.internal.host.LaunchStructs.Range;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LaunchStructsTest {
  private static String table;

  @BeforeAll
  static void read() {
    Path sources = Path.of(System.getProperty("magpie.basedir"), "src/test/cuda");
    table = TableText.of(sources.resolve("vectors.cu"));
  }

  private static LaunchStructs of(String text) {
    return LaunchStructs.of(ModuleTable.parse(text).shared());
  }

  /** Only the table says where things lie: moved there, they move here. */
  @Test
  void placesAreThoseOfTheTable() {
    String moved =
        table
            .replaceFirst("sizeof\\(magpie_range\\) \\d+", "sizeof(magpie_range) 40")
            .replaceFirst("magpie_range.begin \\d+ 8", "magpie_range.begin 24 4");
    NativeStructs<Range> ranges = new NativeStructs<>(of(moved).range(), 3);
    ranges.pointer().clear(120);
    ranges.set(1, Range.BEGIN, -2);
    assertEquals(-2, ranges.pointer().getInt(40 + 24));
    assertEquals(0, ranges.pointer().getInt(40 + 28));
    assertEquals(0xFFFF_FFFEL, ranges.get(1, Range.BEGIN), "zero-extended");
    assertEquals(of(table), of(table));
    assertNotEquals(of(table), of(moved));
  }

  @Test
  void numbersAreThoseOfTheTable() {
    String other = table.replaceFirst("launch_misuse \\d+", "launch_misuse 77");
    assertEquals(LaunchStructs.LaunchCode.MISUSE, of(other).codes().constant(77));
    assertEquals(77, of(other).codes().number(LaunchStructs.LaunchCode.MISUSE));
  }

  @Test
  void whatIsMissingIsRefusedByName() {
    List<String> lines =
        table
            .lines()
            .filter(
                line ->
                    line.matches(
                        "member magpie_.*|shared (sizeof\\(magpie_|step_|trace_event|schedule_|memory_|launch_).*"))
            .toList();
    assertTrue(lines.size() > Event.values().length);
    for (String line : lines) {
      String without = table.replace(line + "\n", "");
      assertFalse(without.equals(table), line);
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> of(without), line);
      assertTrue(e.getMessage().endsWith(" " + line.split(" ")[1]), e.getMessage());
    }
  }
}
