package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.internal.TableText;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The numbers of this library are those of the headers, and every other one is noticed. */
class SharedConstantsTest {
  /** What is looked up when a module is loaded, and nowhere known before. */
  private static final String LOOKED_UP =
      "sizeof\\(.*|schedule_.*|memory_.*|step_.*|trace_event::.*"
          + "|launch_(unknown_kernel|access_fault|misuse|processor_fault)";

  private static String table;

  @BeforeAll
  static void read() {
    table = TableText.of(Devices.source("policies.cu"));
  }

  private static void check(String text) {
    SharedConstants.check("trial", ModuleTable.parse(text));
  }

  private static List<String> linesOf(String kind) {
    return table.lines().filter(line -> line.startsWith(kind + " ")).toList();
  }

  @Test
  void theHeadersFit() {
    assertDoesNotThrow(() -> check(table));
    assertEquals(
        Arrays.stream(Policy.values()).map(Policy::kernelName).sorted().toList(),
        linesOf("shared").stream()
            .filter(line -> line.matches("shared \\w+::tag .*"))
            .map(line -> line.replaceAll("shared |::.*", ""))
            .sorted()
            .toList());
  }

  @Test
  void anotherNumberIsRefusedByName() {
    MagpieException e =
        assertThrows(
            MagpieException.class,
            () -> check(table.replace("shared launch_lasso 5\n", "shared launch_lasso 55\n")));
    assertEquals(
        "module trial does not fit this library: launch_lasso is 55 in its headers, and 5 in this"
            + " library",
        e.getMessage());
  }

  @Test
  void everyNumberThatIsNotLookedUpIsCompared() {
    int compared = 0;
    for (String line : linesOf("shared")) {
      String name = line.split(" ")[1];
      String other = line + "1"; // other digits
      if (!name.matches(LOOKED_UP)) {
        MagpieException e =
            assertThrows(
                MagpieException.class, () -> check(table.replace(line + "\n", other + "\n")), line);
        assertTrue(e.getMessage().contains(name), line);
        compared++;
      }
    }
    assertTrue(compared > 100, compared + " numbers");
  }

  @Test
  void aMissingNumberIsRefusedByName() {
    for (String line : linesOf("shared")) {
      String name = line.split(" ")[1];
      if (!name.matches(LOOKED_UP) && !name.endsWith("::tag")) {
        MagpieException e =
            assertThrows(MagpieException.class, () -> check(table.replace(line + "\n", "")), line);
        assertTrue(e.getMessage().endsWith("its headers share no number " + name), line);
      }
    }
  }

  @Test
  void aMissingMemberIsRefusedByName() {
    List<String> members =
        linesOf("member").stream().filter(line -> !line.contains(" magpie_")).toList();
    assertFalse(members.isEmpty());
    for (String line : members) {
      MagpieException e =
          assertThrows(MagpieException.class, () -> check(table.replace(line + "\n", "")), line);
      assertTrue(e.getMessage().endsWith("share no member " + line.split(" ")[1]), line);
    }
  }

  /** A module of kernels alone need not know what regions share. */
  @Test
  void modulesWithoutRegionsShareLess() {
    String launches =
        table.substring(0, table.indexOf("shared sizeof(objects)")); // those of regions follow
    assertDoesNotThrow(() -> check(launches));
  }
}
