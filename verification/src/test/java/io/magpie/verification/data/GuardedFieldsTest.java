package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.verification.explore.Violation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The data of a guarded field belong to one object each. */
class GuardedFieldsTest {
  private static List<Violation> check(String objects) {
    TraceBuilder trace =
        new TraceBuilder()
            .objects("label.guards", 4)
            .objects("others", 4)
            .array("label.data", 4)
            .begin(5)
            .opens("label.guards", 1)
            .opens(objects, 3)
            .locks()
            .stores("label.data", 1, 7, "label.guards", 1)
            .commits()
            .begin(6)
            .opens("label.guards", 1)
            .opens(objects, 3)
            .locks()
            .stores("label.data", 1, 8, objects, 3)
            .commits();
    return DataChecker.check(
        List.of(trace.build()), Map.of(), Map.of(), place -> Optional.empty(), new UnjudgedSlots());
  }

  @Test
  void aDatumUnderTwoObjectsOfItsFieldIsWrongAlsoIfBothAreOpen() {
    List<Violation> found = check("label.guards");
    assertEquals(
        List.of(Violation.Kind.GUARD_MISMATCH), found.stream().map(Violation::kind).toList());
    String text = found.get(0).text();
    assertTrue(
        text.contains("but this one is used under label.guards[3] and label.guards[1]"), text);
  }

  @Test
  void aDatumThatNobodyWritesMayBeReadUnderAnyObject() {
    TraceBuilder trace =
        new TraceBuilder().objects("label.guards", 4).array("label.data", 4).begin(5);
    trace.opens("label.guards", 1).opens("label.guards", 3);
    trace.reads("label.data", 1, 7, "label.guards", 1).reads("label.data", 1, 7, "label.guards", 3);
    trace.locks().stores("label.data", 3, 7, "label.guards", 3).commits();
    assertEquals(
        List.of(),
        DataChecker.check(
            List.of(trace.build()),
            Map.of(),
            Map.of(),
            place -> Optional.empty(),
            new UnjudgedSlots()));
  }

  @Test
  void objectsOfAnotherFieldMayGuardIt() {
    assertEquals(List.of(), check("others"));
  }
}
