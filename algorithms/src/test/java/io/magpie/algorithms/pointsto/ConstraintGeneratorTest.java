package io.magpie.algorithms.pointsto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConstraintGeneratorTest {
  @Test
  void kindsAreInTheProportionsOfTheMix() {
    ConstraintSet constraints =
        ConstraintGenerator.generate("constraints:vars=100,cons=1000,mix=5:3:2:0");
    assertEquals(100, constraints.variables());
    assertEquals(500, constraints.count(Kind.ADDRESS_OF));
    assertEquals(300, constraints.count(Kind.COPY));
    assertEquals(200, constraints.count(Kind.LOAD));
    assertEquals(0, constraints.count(Kind.STORE));
  }

  @ParameterizedTest
  @CsvSource({
    "crafty, 6126, 6768",
    "gzip, 1595, 1773",
    "bzip2, 1147, 1081",
    "mcf, 1230, 1509",
    "equake, 1317, 1279",
    "art, 586, 603"
  })
  void programsHaveThePublishedSizes(String program, int variables, int constraints) {
    ConstraintSet generated = ConstraintGenerator.generate(program);
    assertEquals(variables, generated.variables());
    assertEquals(constraints, generated.count());
  }

  @Test
  void seedsChooseAndSpecsAreComplete() {
    ConstraintGenerator generator = ConstraintGenerator.parse("powerlaw:1k");
    assertEquals("powerlaw:vars=1000,cons=1000,mix=4:3:2:1,seed=1", generator.spec());
    assertEquals(generator.generate(), ConstraintGenerator.generate(generator.spec()));
    assertNotEquals(generator.generate(), generator.withSeed(2).generate());
    assertEquals(2, generator.withSeed(2).seed());
    assertTrue(ConstraintGenerator.isSpec("art"));
    assertFalse(ConstraintGenerator.isSpec("art.txt"));
  }

  /** Every variable of a ring points to the ring's own location, and to those of earlier ones. */
  @Test
  void ringsAreCycles() {
    ConstraintSet constraints = ConstraintGenerator.generate("cycles:vars=66,length=10,links=0");
    PointsToResult result = PointsToReference.run(constraints);
    int[] pointers = constraints.destinations(Kind.STORE);
    assertEquals(6, pointers.length);
    for (int pointer : pointers) {
      assertEquals(1, result.size(pointer));
      int first = result.pointsTo(pointer)[0];
      int inRing = 0;
      for (int v = 0; v < 66; v++) {
        inRing += v != pointer && result.setOf()[v] == result.setOf()[first] ? 1 : 0;
      }
      assertEquals(10, inRing);
    }
  }

  /** However few variables there are: a ring of what is left beside its pointer. */
  @ParameterizedTest
  @CsvSource({"3, 2", "20, 19", "32, 31", "33, 32", "66, 32"})
  void ringsFitByDefault(int vars, int length) {
    ConstraintGenerator generator = ConstraintGenerator.parse("cycles:" + vars);
    assertEquals("cycles:vars=" + vars + ",length=" + length + ",links=2,seed=1", generator.spec());
    assertEquals(vars / (length + 1), generator.generate().count(Kind.STORE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rings:9 | 'rings' is no kind of constraints",
        "constraints:cons=9 | 'vars' is missing",
        "constraints:vars=9,mix=1:2:3 | expected four whole numbers",
        "constraints:vars=9,mix=0:0:0:0 | expected four whole numbers",
        "cycles:vars=9,length=9 | length=9",
        "cycles:vars=2 | vars=2",
        "chain:vars=9,locations=10 | locations=10",
        "constraints:vars=0 | vars=0"
      })
  void badSpecsAreRefused(String spec, String part) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ConstraintGenerator.parse(spec));
    assertTrue(e.getMessage().contains(part), e::getMessage);
  }
}
