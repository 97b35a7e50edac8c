package io.magpie.stm.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.FieldKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModuleTableTest {
  private static final String TABLE =
      """
      magpie 11 cpu plain quiet
      kernel flatten 0 24 8
      field n 0 4 u32
      field parent 8 16 array:u32
      kernel nothing 1 1 1
      shared launch_lasso 5
      shared trace_event::end -6
      member magpie_step.kind 14 1
      """
          + LaunchLayouts.lines()
          + """
      region transfer 64 8 2 3 1 0 0 4
      field accounts 0 16 objects
      field balance 16 16 array:const:i32
      field at 32 8 ptr:bytes12
      field slots 40 24 pool:1
      variant hand_off fixed transfer__hand_off 2 512 448
      variant hand_off paged transfer__hand_off__paged 3 512 448
      """;

  @Test
  void readsKernelsRegionsFieldsAndVariants() {
    ModuleTable table = ModuleTable.parse(TABLE);
    assertEquals("cpu", table.machine());
    assertTrue(!table.checked());
    assertTrue(!table.recording());
    assertEquals(List.of("flatten", "nothing"), List.copyOf(table.kernels().keySet()));
    ModuleTable.Kernel flatten = table.kernels().get("flatten");
    assertEquals(24, flatten.bytes());
    assertEquals(
        new ModuleTable.Field(
            "parent",
            8,
            16,
            new FieldKind(FieldKind.Form.ARRAY, FieldKind.Element.U32, 4, 0, false, 0, 0)),
        flatten.fields().get(1));
    assertEquals(List.of(), table.kernels().get("nothing").fields());
    ModuleTable.Region transfer = table.regions().get("transfer");
    assertEquals(2, transfer.maxObjects());
    assertEquals(3, transfer.maxWrites());
    assertTrue(transfer.opaque());
    assertFalse(transfer.orderDependent());
    assertFalse(transfer.scatteredAccesses());
    assertEquals(4, transfer.maxPushes());
    assertEquals(12, transfer.fields().get(2).kind().elementBytes());
    assertEquals(
        new FieldKind(FieldKind.Form.POOL, null, 4, 1, false, 0, 0),
        transfer.fields().get(3).kind());
    ModuleTable.Variant paged = transfer.variant("hand_off", true);
    assertEquals("transfer__hand_off__paged", paged.kernel().name());
    assertEquals(3, paged.kernel().index());
    assertEquals(448, paged.regionOffset());
    IllegalStateException missing =
        assertThrows(IllegalStateException.class, () -> transfer.variant("priority_rule", false));
    assertEquals(
        "region transfer has no variant for policy priority_rule, fixed: compile its module"
            + " without MAGPIE_ONLY_REGION, or with another; one that declares irrevocable runs under"
            + " hand_off and coarse_lock, one with apply"
            + " not under obstruction_free, nor where writes are in place",
        missing.getMessage());
  }

  private enum OfStep {
    KIND
  }

  private enum TraceEvent {
    END
  }

  @Test
  void readsWhatLaunchesShare() {
    SharedNumbers shared = ModuleTable.parse(TABLE + "shared sizeof(magpie_step) 16\n").shared();
    assertEquals(5, shared.number("launch_lasso"));
    shared.require("launch_lasso", 5);
    StructLayout<OfStep> layout = shared.layout("magpie_step", OfStep.class);
    assertEquals(16, layout.bytes());
    assertEquals(14, layout.offset(OfStep.KIND));
    assertSame(layout, shared.layout("magpie_step", OfStep.class));
    Enumerators<TraceEvent> events = Enumerators.of(shared, "trace_event::", TraceEvent.class);
    assertEquals(-6, events.number(TraceEvent.END));
    assertEquals(TraceEvent.END, events.constant(-6));
    assertNull(events.constant(6));
  }

  @Test
  void whatIsNotSharedIsSaidByName() {
    SharedNumbers shared = ModuleTable.parse(TABLE).shared();
    assertEquals(
        "its headers share no number launch_cut",
        assertThrows(IllegalArgumentException.class, () -> shared.number("launch_cut"))
            .getMessage());
    assertEquals(
        "launch_lasso is 5 in its headers, and 6 in this library",
        assertThrows(IllegalArgumentException.class, () -> shared.require("launch_lasso", 6))
            .getMessage());
    assertEquals(
        "its headers share no number sizeof(magpie_step)",
        assertThrows(
                IllegalArgumentException.class, () -> shared.layout("magpie_step", OfStep.class))
            .getMessage());
    SharedNumbers sized = ModuleTable.parse(TABLE + "shared sizeof(magpie_visit) 16\n").shared();
    assertEquals(
        "its headers share no member magpie_visit.kind",
        assertThrows(
                IllegalArgumentException.class, () -> sized.layout("magpie_visit", OfStep.class))
            .getMessage());
  }

  @Test
  void aRegionMayHaveNoPartInRoundsAndDeclareThatOrderDependent() {
    ModuleTable table = ModuleTable.parse(TABLE.replace("2 3 1 0 0 4", "2 3 1 1 0 -"));
    assertEquals(-1, table.regions().get("transfer").maxPushes());
    assertTrue(table.regions().get("transfer").orderDependent());
    assertFalse(table.regions().get("transfer").scatteredAccesses());
  }

  @Test
  void aRegionMayDeclareScatteredAccesses() {
    ModuleTable.Region transfer =
        ModuleTable.parse(TABLE.replace("2 3 1 0 0 4", "2 3 1 0 1 4")).regions().get("transfer");
    assertTrue(transfer.scatteredAccesses());
    assertTrue(transfer.withVariants(List.of()).scatteredAccesses());
    assertFalse(transfer.orderDependent());
    assertEquals(4, transfer.maxPushes());
  }

  @Test
  void regionsWhoseLanesMeetAreTold() {
    assertFalse(ModuleTable.parse(TABLE).regions().get("transfer").lanesMeet());
    String line = "lanes transfer\n";
    ModuleTable.Region transfer =
        ModuleTable.parse(TABLE.replace("region transfer", line + "region transfer"))
            .regions()
            .get("transfer");
    assertTrue(transfer.lanesMeet());
    assertTrue(transfer.withVariants(List.of()).lanesMeet());
    String twice = TABLE.replace("region transfer", line + line + "region transfer");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ModuleTable.parse(twice));
    assertTrue(e.getMessage().contains("a second line of this region"), e::getMessage);
  }

  @Test
  void kernelsWhoseGridsMeetAreTold() {
    ModuleTable none = ModuleTable.parse(TABLE);
    assertFalse(none.kernels().get("flatten").meetsGrid());
    assertFalse(none.regions().get("transfer").variant("hand_off", false).kernel().meetsGrid());
    ModuleTable table =
        ModuleTable.parse(
            TABLE.replace(
                "kernel flatten", "meets flatten\nmeets transfer__hand_off\nkernel flatten"));
    assertTrue(table.kernels().get("flatten").meetsGrid());
    assertFalse(table.kernels().get("nothing").meetsGrid());
    ModuleTable.Region transfer = table.regions().get("transfer");
    assertTrue(transfer.variant("hand_off", false).kernel().meetsGrid());
    assertFalse(transfer.variant("hand_off", true).kernel().meetsGrid());
  }

  @Test
  void theHeadSaysHowTheModuleWasBuilt() {
    ModuleTable table = ModuleTable.parse("magpie 11 sim checked recording\n");
    assertEquals("sim", table.machine());
    assertTrue(table.checked());
    assertTrue(table.recording());
  }

  @Test
  void aRegionNeedsTheLayoutOfItsLaunches() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> ModuleTable.parse(TABLE.replace(LaunchLayouts.lines(), "")));
    assertTrue(e.getMessage().contains("before the first region"), e::getMessage);
  }

  @Test
  void aSecondRegionOfANameIsRefused() {
    String region = TABLE.substring(TABLE.indexOf("region"));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ModuleTable.parse(TABLE + region));
    assertTrue(e.getMessage().contains("a second one of that name"), e::getMessage);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "magpie 11 cpu plain quiet; magpie 1 cpu plain; line 1; version 11",
        "magpie 11 cpu plain quiet; hello; line 1; expected 'magpie 11",
        "magpie 11 cpu plain quiet; magpie 11 cpu plain; line 1; expected 'magpie 11",
        "plain quiet; fast quiet; line 1; 'fast' is neither 'plain' nor 'checked'",
        "plain quiet; plain loud; line 1; 'loud' is neither 'quiet' nor 'recording'",
        "kernel flatten 0 24 8; kernel flatten 0 24; line 2; expected 5 words",
        "kernel flatten 0 24 8; kernel flatten zero 24 8; line 2; 'zero' is not a number",
        "kernel flatten 0 24 8; kernel flatten 0 -24 8; line 2; '-24' is not a number",
        "field n 0 4 u32; field n 0 4 u16; line 3; unknown kind 'u16'",
        "field n 0 4 u32; field n 0 8 u32; line 3; does not lie there",
        "field parent 8 16; field parent 16 16; line 4; does not lie there",
        "ptr:bytes12; ptr:bytes0; region + 3; unknown kind 'ptr:bytes0'",
        "kernel nothing; kernel flatten; line 5; a second one of that name",
        "shared launch_lasso 5; shared launch_lasso; line 6; expected 3 words",
        "shared launch_lasso 5; shared launch_lasso five; line 6; 'five' is not a number of 64 bits",
        "trace_event::end; launch_lasso; line 7; a second one of that name",
        "kind 14 1; kind 14; line 8; expected 4 words",
        "kind 14 1; kind -1 1; line 8; '-1' is not a number",
        "kernel nothing; colonel nothing; line 5; expected 'kernel', 'region', 'constant', 'shared', 'member', 'meets', 'lanes' or 'control'",
        "3 512 448; 3 512 449; region + 6; does not fit",
        "field at 32 8 ptr:bytes12; field at 16 24 pool:1; region + 4; another pool of this number",
        "kernel nothing 1 1 1; meets; line 5; expected 2 words",
        "kernel nothing 1 1 1; lanes; line 5; expected 2 words",
        "pool:1; pool:4; region + 4; unknown kind 'pool:4'",
        "2 3 1 0 0 4; 2 3 1 0 0; region + 0; expected 10 words",
        "2 3 1 0 0 4; 2 3 1 2 0 4; region + 0; '2' is neither '0' nor '1'",
        "2 3 1 0 0 4; 2 3 1 0 2 4; region + 0; '2' is neither '0' nor '1'"
      })
  void namesTheLineThatItDoesNotUnderstand(String from, String to, String where, String why) {
    int region = (int) TABLE.substring(0, TABLE.indexOf("region")).lines().count() + 1;
    String line =
        where.startsWith("region + ")
            ? "line " + (region + Integer.parseInt(where.substring(9)))
            : where;
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> ModuleTable.parse(TABLE.replace(from, to)));
    assertTrue(e.getMessage().startsWith("module table, " + line), e::getMessage);
    assertTrue(e.getMessage().contains(why), e::getMessage);
  }
}
