/// @file
/// Ways to break refinement, each in one place, to show that the checks would notice.
///
/// Layer: algorithm. `-DMAGPIE_MESH_MUTANTS` builds with all of them, none at work until the kernel `choose_mesh_mutant`
/// chooses one by its number; without it every test of `breaks` is false and the code is that of the algorithm. Each
/// enumerator says which rule it breaks, and in brackets what can tell: a check of the verifier, `left` (the run reports
/// bad triangles that it should have mended), or `segments` (more of them were split than anything was in the way of).
#pragma once

#include "magpie/kernel.cuh"

namespace magpie::mesh {

enum class mutant {
  none,

  // ---- Cavities and fans, by whatever synchronization (cavity.cuh, predicates.cuh).

  /// What lies beyond a cavity's rim goes on to name the triangle that was there. [adjacency, left]
  link_not_updated,
  /// Each triangle of a fan takes the one before for the one after. [adjacency, left]
  fan_reversed,
  /// The second triangle that a cavity should grow by is taken for one around it. [delaunay, triangles]
  cavity_short,
  /// Vertices are inserted beyond fixed edges and in their diametral circles. [triangles, area, boundary]
  encroachment_ignored,
  /// A new triangle that is bad is marked as such, but nobody is told. [left]
  bad_not_pushed,
  /// The halves of a split edge go to the segment before. [boundary]
  wrong_segment,
  /// Fixed edges that are never to be split are split like others. [boundary]
  kept_split,
  /// The first triangle of a fan names its corners clockwise. [triangles]
  record_flipped,
  /// Triangles are held to what is asked of all of them, whatever region they lie in. [quality; area bounds of regions]
  region_ignored,
  /// An in-circle test that is not sure is not repeated exactly. [delaunay; nearly cocircular vertices]
  in_circle_rounded,

  // ---- Positions that a search without claims cannot see yet (mesh.cuh, cavity.cuh).

  /// A position that was not written yet is taken for one. [delaunay, triangles; rivals, weak memory]
  absent_position_used,

  // ---- Marks (refine_marked.cuh).

  /// A cavity is filled, though a triangle around it is in one of higher priority. [adjacency; rivals]
  rim_mark_ignored,

  // ---- Phases (mesh_phases.cu).

  /// What got its marks back fills its cavity, without looking whether they are still there. [adjacency, triangles; rivals]
  check_left_out,
  /// Triangles around a cavity are no part of its footprint. [adjacency; rivals]
  ring_left_out,
  /// A cavity is used again, though others have changed its triangles. [adjacency, triangles; rivals]
  damage_ignored,

  // ---- Maximal sets (mesh_sets.cu).

  /// What lost its marks is left out of the step. [a step's set is not maximal; rivals]
  losers_forgotten,
  /// Triangles that the same step has made count as those that were there. [two of a step's cavities overlap]
  overlap_ignored,

  // ---- Transactions (refine_stm.cuh).

  /// Triangles around a cavity are not opened. [adjacency; rivals]
  rim_not_opened,
  /// What was seen before the claims stood need not be there any more. [adjacency, triangles; rivals]
  still_there_skipped,
  /// What led to a fixed edge that is in the way is neither claimed nor looked at again, and no item waits for the next
  /// launch, which would hide it. [segments; rivals, weak memory]
  obstacle_unconfirmed,
  /// The segments of fixed edges are read while others may still write them, and no item waits for the next launch, which
  /// would hide it. [boundary; rivals]
  segments_read_early,
};

#if defined(MAGPIE_MESH_MUTANTS)
/// The one at work, for all launches of the loaded module. Set between launches.
MAGPIE_MODULE_VARIABLE mutant chosen_mutant = mutant::none;
/// Whether a rule is broken.
MAGPIE_INLINE bool breaks(mutant rule) { return chosen_mutant == rule; }

/// From the next launch on, the enumerator of this number is at work.
struct choose_mesh_mutant {
  std::uint32_t number;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for ([[maybe_unused]] std::uint64_t once : self.items(1)) chosen_mutant = static_cast<mutant>(number);
  }
};
MAGPIE_KERNEL(choose_mesh_mutant)
#else
MAGPIE_HOST_DEVICE constexpr bool breaks(mutant) { return false; }
#endif

}  // namespace magpie::mesh

/// Exports a region of this module; with mutants only the variant that their tests run, as each takes seconds to compile.
#if defined(MAGPIE_MESH_MUTANTS)
#define MAGPIE_MESH_REGION(name)  \
  MAGPIE_REGION_BEGIN(name, name) \
  MAGPIE_REGION_VARIANT(name, name, hand_off, false, name##__hand_off)
#else
#define MAGPIE_MESH_REGION(name) MAGPIE_REGION(name)
#endif
