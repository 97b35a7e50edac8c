package io.magpie.algorithms.mesh.refine;

import io.magpie.stm.KernelModule;

/** Numbers of module {@code mesh} that its driver needs. */
final class MeshKernels {
  static final String MODULE = "mesh";

  // Entries of `tallies`, look.cuh.
  final int found;
  final int listed;
  final int pushed;
  final int large;
  final int stuck;
  final int lost;
  final int triangles;
  final int vertices;
  final int bad;
  final int excused;
  final int stuckEdges;
  final int torn;
  final int kept;

  /** How many entries there are. */
  final int tallies;

  /** Most triangles of a cavity that is not too large for the usual kernels. */
  final int usual;

  /** Most items that mending one item pushes. */
  final int mostPushes;

  /** Words of a footprint, marks.cuh. */
  final int footprintWords;

  /** Classes of urgency, schedule.cuh. */
  final int classes;

  // Entries of `vertex_segment` that are no segment's number, mesh.cuh.
  final int freeVertex;
  final int inputVertex;
  final int cornerVertex;
  final int absentVertex;

  // A triangle's record, mesh.cuh.
  final int recordWords;
  final int flagsWord;
  final int live;

  /** Most different regions of a domain. */
  final int mostRegions;

  MeshKernels(KernelModule module) {
    freeVertex = (int) module.constant("free_vertex");
    inputVertex = (int) module.constant("input_vertex");
    cornerVertex = (int) module.constant("corner_vertex");
    absentVertex = (int) module.constant("absent_vertex");
    recordWords = module.intConstant("record_words");
    flagsWord = module.intConstant("flags_word");
    live = module.intConstant("live");
    mostRegions = module.intConstant("most_regions");
    found = module.intConstant("tally::found");
    listed = module.intConstant("tally::listed");
    pushed = module.intConstant("tally::pushed");
    large = module.intConstant("tally::large");
    stuck = module.intConstant("tally::stuck");
    lost = module.intConstant("tally::lost");
    triangles = module.intConstant("tally::triangles");
    vertices = module.intConstant("tally::vertices");
    bad = module.intConstant("tally::bad");
    excused = module.intConstant("tally::excused");
    stuckEdges = module.intConstant("tally::stuck_edges");
    torn = module.intConstant("tally::torn");
    kept = module.intConstant("tally::kept");
    tallies = module.intConstant("tally::total");
    usual = module.intConstant("usual");
    mostPushes = module.intConstant("most_pushes<usual>");
    footprintWords = module.intConstant("slice::words");
    classes = module.intConstant("classes");
  }
}
