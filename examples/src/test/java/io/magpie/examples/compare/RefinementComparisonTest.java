package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.algorithms.mesh.refine.RefinementOptions;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.MeshFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefinementComparisonTest {
  @TempDir Path folder;

  /** Triangle would be called wrong for what it does not promise. */
  @Test
  void triangleIsNotHeldToBoundsOfSingleTriangles() throws IOException {
    Files.writeString(folder.resolve("m.node"), "4 2\n1 0 0\n2 8 0\n3 8 8\n4 0 8\n");
    Files.writeString(folder.resolve("m.ele"), "2 3 0\n1 1 2 3\n2 1 3 4\n");
    Files.writeString(folder.resolve("m.area"), "2\n1 0.5\n2 -1\n");
    Comparison.Prepared<RefinementOptions> problem =
        new RefinementComparison().prepare(MeshFiles.mesh(folder.resolve("m")), Progress.NONE);
    InputException refused =
        assertThrows(
            InputException.class, () -> problem.baseline("triangle", RefinementOptions.defaults()));
    assertEquals(
        "triangle does not keep area bounds of single triangles where these were; leave out --with"
            + " triangle, or remove the .area file",
        refused.getMessage());
  }

  @Test
  void triangleIsNotHeldToAttributesOfSingleTriangles() throws IOException {
    Files.writeString(folder.resolve("m.node"), "4 2\n1 0 0\n2 8 0\n3 8 8\n4 0 8\n");
    Files.writeString(folder.resolve("m.ele"), "2 3 1\n1 1 2 3 7\n2 1 3 4 8\n");
    Comparison.Prepared<RefinementOptions> problem =
        new RefinementComparison().prepare(MeshFiles.mesh(folder.resolve("m")), Progress.NONE);
    InputException refused =
        assertThrows(
            InputException.class, () -> problem.baseline("triangle", RefinementOptions.defaults()));
    assertEquals(
        "triangle does not keep attributes of triangles where these were, unless segments separate"
            + " them; leave out --with triangle, or the attributes, or add segments",
        refused.getMessage());
  }
}
