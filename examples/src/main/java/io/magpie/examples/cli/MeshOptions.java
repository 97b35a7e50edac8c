package io.magpie.examples.cli;

import io.magpie.examples.compare.MeshSource;
import java.nio.file.Path;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that name a mesh. */
final class MeshOptions {
  /** Where it comes from. */
  static final class Origin {
    @Option(
        names = "--mesh",
        paramLabel = "BASE",
        required = true,
        description =
            "Mesh to read, in Triangle's format: BASE.node, BASE.ele and, if there is one, BASE.poly,"
                + " also with .gz or .xz. Without BASE.ele, what --poly does.")
    Path mesh;

    @Option(
        names = "--poly",
        paramLabel = "BASE",
        required = true,
        description =
            "Points and segments to read and triangulate: BASE.poly and BASE.node, or one of them.")
    Path graph;

    @Option(
        names = "--points",
        paramLabel = "SPEC",
        required = true,
        description =
            "Points or segments to generate and triangulate, such as uniform:100k; the end of"
                + " 'magpie refine --help' has all kinds.")
    String points;

    /** The mesh. */
    MeshSource source(CommandSpec spec, boolean mergesDuplicates) {
      if (points != null && mergesDuplicates) {
        throw new ParameterException(
            spec.commandLine(),
            "--merge-duplicates has no effect on --points, which are at different places; leave it"
                + " out");
      }
      try {
        return new MeshSource(mesh, graph, points, mergesDuplicates);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }
  }

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Origin origin;

  @Option(
      names = "--merge-duplicates",
      description =
          "Keep the first of several vertices at one place, and renumber those after it; with --poly"
              + " or --mesh, for files without triangles.")
  private boolean mergeDuplicates;

  /** The mesh. */
  MeshSource source(CommandSpec spec) {
    return origin.source(spec, mergeDuplicates);
  }
}
