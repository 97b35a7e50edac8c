package io.magpie.examples.tutorials;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.testing.RegionCheck;
import io.magpie.verification.testing.RegionFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The properties of the tutorials fail for their wrong regions, with small input. */
class PropertyTutorialTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("magpie.basedir"), "03-property-tests");

  static class OfTheWrongList extends SortedListProperties {
    OfTheWrongList() {
      region = FOLDER.resolve("sorted_list_wrong.cu");
    }

    /** The same of fixed inputs: what is found first depends on them. */
    @Override
    @Property(tries = 50, seed = "1")
    void isASetOfKeys(
        @ForAll @Size(max = 4) Set<@IntRange(min = 1, max = 7) Integer> keys,
        @ForAll @Size(min = 1, max = 6) List<@IntRange(min = -7, max = 7) Integer> changes) {
      super.isASetOfKeys(keys, changes);
    }
  }

  static class OfPeeking extends OnCallProperties {
    @Override
    String file() {
      return "on_call.cu";
    }

    /** The same of fixed input: what is found first depends on it. */
    @Override
    @Property(tries = 20, shrinking = ShrinkingMode.FULL, seed = "1")
    void someoneIsAlwaysOnCall(@ForAll @Size(min = 1, max = 4) boolean[] pairs) {
      super.someoneIsAlwaysOnCall(pairs);
    }
  }

  static class OfTheWrongPair extends OnCallProperties {
    @Override
    String file() {
      return "on_call_wrong_pair.cu";
    }
  }

  /** A node is used, or hangs on one, that is no more; it is freed twice; keys are lost. */
  private static final Set<Kind> WRONG_WITH_THE_LIST =
      EnumSet.of(
          Kind.USE_AFTER_FREE,
          Kind.DOUBLE_FREE,
          Kind.DANGLING_REFERENCE,
          Kind.LEAK,
          Kind.FAULT,
          Kind.UNCHECKED_HINT,
          Kind.WRONG_RESULT);

  /** What the only property of a class fails by. */
  private static RegionFailure failure(Class<?> properties) {
    List<Throwable> failures = new ArrayList<>();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(properties)).build(),
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                result.getThrowable().ifPresent(failures::add);
              }
            });
    assertEquals(1, failures.size(), failures::toString);
    return assertInstanceOf(RegionFailure.class, failures.get(0));
  }

  @Test
  void aDecisionByPeekIsWrong() {
    RegionFailure failure = failure(OfPeeking.class);
    // Which one is found first depends on the inputs that are drawn.
    Kind kind = failure.violations().get(0).kind();
    assertTrue(kind == Kind.UNCHECKED_HINT || kind == Kind.NOT_SERIALIZABLE, failure::getMessage);
    assertTrue(failure.getMessage().contains("\n  items       2\n"), failure::getMessage);
  }

  @Test
  void theWrongColleagueLeavesNobody() {
    RegionFailure failure = failure(OfTheWrongPair.class);
    assertEquals(Kind.INVARIANT, failure.violations().get(0).kind());
    assertTrue(failure.getMessage().contains("\n  items       4\n"), failure::getMessage);
  }

  @Test
  void theWrongListLosesKeysAndThePageShowsSuchAReport() throws IOException {
    RegionFailure failure = failure(OfTheWrongList.class);
    Kind kind = failure.violations().get(0).kind();
    assertTrue(WRONG_WITH_THE_LIST.contains(kind), failure::getMessage);
    assertTrue(failure.schedule().isPresent(), failure::getMessage);
    String page = Files.readString(FOLDER.resolve("README.md"));
    int begin = page.indexOf("region change of");
    String shown = page.substring(begin, page.indexOf("```", begin));
    assertEquals(rows(shown), rows(failure.getMessage()));
  }

  /**
   * A schedule of the right list: item 3 is the only one to take a node, number 3, so that the
   * arrays could as well be of the items. The 0 that it overwrites refers to no head.
   */
  @Test
  void aNodeOfTheNumberOfItsTakerLosesNoOtherNode() {
    RegionCheck.of(FOLDER.resolve("sorted_list.cu"))
        .guarded("next", 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        .array("key", 0, 2, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        .pool("nodes", 12, 3)
        .array("changes", 0, 0, 0, 4, -7)
        .items(5)
        .on("sim:0:4")
        .replay("explicit:0@5,20@0,23@7,64@4")
        .check();
  }

  /** What a report tells, without what was drawn: the names of its rows and the calls. */
  private static List<String> rows(String report) {
    return report
        .replaceAll(" \\\\\\R *", " ") // a command that the page breaks
        .lines()
        .takeWhile(line -> !line.isBlank())
        .filter(line -> line.startsWith("  "))
        .map(line -> line.strip().replaceAll("[ (].*", ""))
        .filter(name -> !name.equals("replay")) // only where a command can repeat it
        .toList();
  }
}
