package io.magpie.algorithms.graph;

/** What a file's arcs become: an undirected graph, or a directed one. Stateless. */
interface GraphForm<G> {
  /** Both directions of every edge; what is missing is treated as {@link Symmetry} says. */
  GraphForm<Graph> UNDIRECTED =
      new GraphForm<>() {
        @Override
        public boolean directed() {
          return false;
        }

        @Override
        public Graph of(GraphBuilder builder, Symmetry symmetry, int base) {
          return builder.build(symmetry, base);
        }

        @Override
        public Graph of(
            int[] offsets,
            int[] neighbors,
            ArcWeights weights,
            int[] vertexWeights,
            Symmetry symmetry) {
          return Symmetrizer.graph(offsets, neighbors, weights, vertexWeights, symmetry, 0);
        }
      };

  /** The arcs as they are. */
  GraphForm<DirectedGraph> DIRECTED =
      new GraphForm<>() {
        @Override
        public boolean directed() {
          return true;
        }

        @Override
        public DirectedGraph of(GraphBuilder builder, Symmetry symmetry, int base) {
          return symmetry == Symmetry.REQUIRE
              ? DirectedGraph.of(UNDIRECTED.of(builder, symmetry, base))
              : builder.buildDirected();
        }

        @Override
        public DirectedGraph of(
            int[] offsets,
            int[] neighbors,
            ArcWeights weights,
            int[] vertexWeights,
            Symmetry symmetry) {
          return symmetry == Symmetry.REQUIRE
              ? DirectedGraph.of(
                  UNDIRECTED.of(offsets, neighbors, weights, vertexWeights, symmetry))
              : DirectedGraph.trusted(new Symmetrizer.Arcs(offsets, neighbors, weights));
        }
      };

  /** Whether it is a directed graph. */
  boolean directed();

  /**
   * The graph of what a builder was given.
   *
   * @param base the number of the first vertex, for messages
   * @throws AsymmetricArcsException under {@link Symmetry#REQUIRE}, if an arc lacks its other
   *     direction
   */
  G of(GraphBuilder builder, Symmetry symmetry, int base);

  /** The graph of valid arrays, with the same exception; {@code vertexWeights} may be null. */
  G of(int[] offsets, int[] neighbors, ArcWeights weights, int[] vertexWeights, Symmetry symmetry);
}
