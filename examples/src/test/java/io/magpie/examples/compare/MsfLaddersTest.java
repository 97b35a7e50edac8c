package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.MsfOptions.Traversal;
import io.magpie.examples.input.GraphInput;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ladders on their inputs are run by the tests of the command. */
class MsfLaddersTest {
  private static Ladder<MsfOptions> ladder(String name) {
    return MsfLadders.all().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"thesis-3.2, 9, 5", "thesis-3.4, 5, 4", "thesis-3.5, 16, 4"})
  void inputsAndStepsAreDifferentOnes(String name, int inputs, int steps) {
    Ladder<MsfOptions> ladder = ladder(name);
    assertEquals(inputs, ladder.inputs().size());
    assertEquals(inputs, ladder.inputs().stream().map(LadderInput::name).distinct().count());
    assertEquals(steps, new HashSet<>(ladder.steps().values()).size());
    assertEquals(steps, ladder.steps().size());
  }

  @Test
  void theThesisFormAlsoRunsWithAsManyThreadsAsItsGpuHolds() {
    Map<String, MsfOptions> steps = ladder("thesis-3.2").steps();
    MsfOptions full = steps.get("vertices, transactions");
    MsfOptions fewer = steps.get("vertices, transactions, 30,720 threads");
    assertEquals(0, full.stm().threadsInFlight());
    assertEquals(full.withStm(full.stm().withThreadsInFlight(30_720)), fewer);
  }

  @Test
  void formsAreDifferentOnesForAnyInput() {
    Ladder<MsfOptions> forms = ladder("forms");
    assertEquals(List.of(), forms.inputs());
    assertEquals(
        EnumSet.allOf(Traversal.class),
        EnumSet.copyOf(forms.steps().values().stream().map(MsfOptions::traversal).toList()));
    assertEquals(forms.steps().size(), new HashSet<>(forms.steps().values()).size());
  }

  /** At the published size, without making it, and at the least. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "thesis-3.2 | USA-like | 1 | road:n=23900000,degree=2.427,seed=1,weights=distance",
        "thesis-3.2 | NY-like | 1 | road:n=264000,degree=2.777,seed=1,weights=distance",
        "thesis-3.2 | RND1 | 1 | random:n=6200000,m=15000000,seed=1,weights=max",
        "thesis-3.2 | RND2 | 0.001 | random:n=6200,m=7600,seed=1,weights=max",
        "thesis-3.2 | R-MAT1 | 1 | rmat:n=6200000,edges=15000000,a=0.45,b=0.15,c=0.15,seed=1,weights=max",
        "thesis-3.2 | R-MAT2 | 1e-9 | rmat:n=2,edges=2,a=0.45,b=0.15,c=0.15,seed=1,weights=max",
        "thesis-3.4 | random-15M | 1 | random:n=3000000,m=15000000,seed=1,weights=max",
        "thesis-3.4 | random-75M | 0.01 | random:n=30000,m=750000,seed=1,weights=max",
        "thesis-3.5 | R-MAT-3M | 1 | rmat:n=3000000,edges=30000000,a=0.45,b=0.15,c=0.15,seed=1,weights=max",
        "thesis-3.5 | random-10M | 1 | random:n=10000000,m=30000000,seed=1,weights=max"
      })
  void inputsHaveTheirSizes(String ladder, String name, double fraction, String description) {
    LadderInput input =
        ladder(ladder).inputs().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    GraphInput graph = (GraphInput) input.atFraction().apply(fraction);
    assertEquals(description, graph.description());
  }

  @Test
  void namesOfInputsAreUniqueAndNotBlank() {
    LadderInput input = ladder("thesis-3.2").inputs().get(0);
    IllegalArgumentException twice =
        assertThrows(
            IllegalArgumentException.class,
            () -> new Ladder<MsfOptions>("steps", "", Map.of(), List.of(input, input)));
    assertEquals("ladder steps has two inputs named 'USA-like'", twice.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new LadderInput(" ", input.atFraction()));
  }
}
