package com.example.matching;

import io.magpie.verification.testing.RegionCheck;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The region, under many schedules, does what its edges one after the other would do. */
class MatchingPropertyTest {
  private static final int VERTICES = 5;

  @Provide
  Arbitrary<Edges> edges() {
    Arbitrary<Integer> vertices = Arbitraries.integers().between(0, VERTICES - 1);
    return Arbitraries.integers()
        .between(1, 6)
        .flatMap(
            edges ->
                Combinators.combine(
                        vertices.array(int[].class).ofSize(edges),
                        vertices.array(int[].class).ofSize(edges))
                    .as((from, to) -> new Edges(VERTICES, from, to)));
  }

  @Property(tries = 30)
  void takesEdgesThatMeetNoOther(@ForAll("edges") Edges edges) {
    int[] nobody = new int[VERTICES];
    Arrays.fill(nobody, Matching.NONE);
    RegionCheck.ofModule("matching", "match")
        .objects("vertices", VERTICES)
        .array("partner", nobody)
        .array("from", edges.from())
        .array("to", edges.to())
        .items(edges.size())
        .on("sim:0:4", "cpu-checked:2")
        .explore("pct:2", 50)
        .specification(
            (data, edge) -> {
              int[] partner = data.ints("partner");
              int u = edges.from()[edge];
              int v = edges.to()[edge];
              if (u == v || partner[u] != Matching.NONE || partner[v] != Matching.NONE) {
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
