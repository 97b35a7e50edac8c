package io.magpie.stm.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaunchLayoutTest {
  private static LaunchLayout parsed(String lines) {
    return ModuleTable.parse("magpie 11 cpu plain quiet\n" + lines).layout();
  }

  /** Only the table says where things lie: moved there, they move here. */
  @Test
  void placesAreThoseOfTheTable() {
    LaunchLayout layout =
        parsed(
            LaunchLayouts.lines()
                .replaceFirst("control polls \\d+", "control polls 400")
                .replaceFirst("control returned_room \\d+", "control returned_room 416")
                .replaceFirst("counter steals \\d+", "counter steals 90"));
    assertEquals(448, layout.controlBytes());
    assertEquals(91, layout.counterWords());
    ByteBuffer buffer = ByteBuffer.allocate(448).order(ByteOrder.nativeOrder());
    ControlBlock control =
        new ControlBlock(layout)
            .set(ControlField.ITEMS, 1L << 40)
            .set(ControlField.POLLS, 0xFFFF_FFFFL)
            .set(3, new ControlBlock.Returned(1L << 41, 77));
    control.copy().set(ControlField.ITEMS, 5);
    control.writeTo(buffer);
    assertEquals(1L << 40, buffer.getLong(layout.place(ControlField.ITEMS).offset()));
    assertEquals(-1, buffer.getInt(400));
    assertEquals(0, buffer.getInt(404));
    assertEquals(1L << 41, buffer.getLong(layout.place(ControlField.RETURNED).offset() + 24));
    assertEquals(77, buffer.getLong(416 + 24));
    assertThrows(IllegalArgumentException.class, () -> control.set(ControlField.POLLS, 1L << 32));

    Counts sum = new Counts(layout);
    Counts launch = new Counts(layout);
    launch.words()[90] = 3;
    launch.add(Counter.MAX_ATTEMPTS, 5);
    launch.words()[layout.place(Counter.OBJECTS_HISTOGRAM) + 15] = 8;
    launch.words()[layout.place(Counter.POOLS) + 7] = 9;
    sum.add(launch);
    sum.add(launch);
    assertEquals(6, sum.of(Counter.STEALS));
    assertEquals(5, sum.of(Counter.MAX_ATTEMPTS));
    assertArrayEquals(
        new long[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16},
        sum.all(Counter.OBJECTS_HISTOGRAM));
    assertEquals(18, sum.of(Counter.POOLS, 7));
    sum.clear();
    assertEquals(0, sum.of(Counter.STEALS));
  }

  /** Of a module that samples no conflicts, both of their fields are left out. */
  @Test
  void conflictsAreSampledWhereTheirFieldsAre() {
    String without = LaunchLayouts.lines().replaceAll("control conflicts.*\\n", "");
    LaunchLayout layout = parsed(without);
    assertFalse(layout.samplesConflicts());
    assertTrue(parsed(LaunchLayouts.lines()).samplesConflicts());
    assertEquals(
        parsed(LaunchLayouts.lines()).place(ControlField.RETURNED_ROOM),
        layout.place(ControlField.RETURNED_ROOM));
    assertEquals(parsed(LaunchLayouts.lines()).controlBytes() - 16, layout.controlBytes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "control polls.*\\n; ''; at the end.*expected 'control polls ...'",
        "control conflicts.slots.*\\n; ''; at the end.*expected 'control conflicts.slots ...'",
        "counter pools.*\\n; ''; at the end.*expected 'counter pools ...' before it",
        "control polls; control pauses; there 'control pauses.*ControlField has no such",
        "counter steals; counter thefts; there 'counter thefts.*Counter has no such counter",
        "control lanes; control polls; there 'control polls.*a second one of that name",
        "counter steals; counter stopped; there.*a second one of that name",
        "(control returned .* 8) 4; $1 5; there.*4 of them",
        "(control items 0) 8; $1 2; there.*elements of 4 or 8 bytes",
        "(counter retries_histogram .*) 16; $1 8; there.*one of 16 words",
      })
  void aDifferenceIsRefused(String from, String to, String message) {
    List<String> right = LaunchLayouts.lines().lines().toList();
    String wrong = LaunchLayouts.lines().replaceFirst(from, to);
    List<String> lines = wrong.lines().toList();
    int changed = 0;
    while (lines.get(changed).equals(right.get(changed))) {
      changed++;
    }
    String line =
        message
            .replace("there", "line " + (2 + changed))
            .replace("at the end", "line " + (2 + lines.size()));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> parsed(wrong + "end"));
    assertTrue(e.getMessage().matches("(?s)module table, " + line + ".*"), e::getMessage);
  }
}
