package com.example.matching;

import io.magpie.verification.testing.RegionCheck;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The region, under many schedules, does what its edges one after the other would do. */
class MatchingPropertyTest {
  private static final int VERTICES = 5;

  @Provide
  Arbitrary<int[]> ends() {
    Arbitrary<Integer> vertices = Arbitraries.integers().between(0, VERTICES - 1);
    return Arbitraries.integers()
        .between(1, 6)
        .flatMap(edges -> vertices.array(int[].class).ofSize(2 * edges));
  }

  @Property(tries = 30)
  void takesEdgesThatMeetNoOther(@ForAll("ends") int[] ends) {
    int[] nobody = new int[VERTICES];
    Arrays.fill(nobody, Oracle.NONE);
    RegionCheck.ofModule("matching", "match")
        .guarded("partner", nobody)
        .array("ends", ends)
        .items(ends.length / 2)
        .on("sim:0:4", "cpu-checked:2")
        .explore("pct:2", 50)
        .specification(
            (data, edge) -> {
              int[] partner = data.ints("partner");
              int u = ends[2 * edge];
              int v = ends[2 * edge + 1];
              if (u == v || partner[u] != Oracle.NONE || partner[v] != Oracle.NONE) {
                return false;
              }
              partner[u] = v;
              partner[v] = u;
              return true;
            })
        .allowNoCommits() // loops alone are no matching
        .check();
  }
}
