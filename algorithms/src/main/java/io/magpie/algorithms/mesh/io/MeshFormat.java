package io.magpie.algorithms.mesh.io;

import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.util.stream.IntStream;

/** One file format. Stateless. */
interface MeshFormat {
  /**
   * What is written.
   *
   * @param graph vertices and segments
   * @param mesh its triangles; null for a graph alone
   */
  record Content(PlanarGraph graph, Mesh mesh) {
    int triangles() {
      return mesh == null ? 0 : mesh.triangles();
    }

    /** All segments except those that reading the triangles makes again. */
    int[] segmentsBesideBoundary() {
      boolean[] onBoundary = new boolean[graph.segments()];
      for (int i = 0; i < 3 * triangles(); i++) {
        if (mesh.neighbors()[i] < 0) {
          onBoundary[mesh.segmentsOfEdges()[i]] = true;
        }
      }
      return IntStream.range(0, onBoundary.length).filter(s -> !onBoundary[s]).toArray();
    }

    int triangleAttributes() {
      return mesh == null ? 0 : mesh.triangleAttributes();
    }
  }

  /** Reads the whole source. */
  MeshParts read(ByteSource source) throws IOException;

  /** Writes what the format can hold. */
  void write(Content content, ByteSink out) throws IOException;
}
