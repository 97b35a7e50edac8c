/// @file
/// Ways to break spanning forests, each in one place, to show that the verifier would notice.
///
/// Layer: algorithm. `-DMAGPIE_COMPONENTS_MUTANTS` builds with all of them, none at work until the kernel
/// `choose_components_mutant` chooses one by its number; without it every test of `breaks` is false and the code is that of
/// the algorithm.
#pragma once

#include "magpie/kernel.cuh"

namespace components {

enum class mutant {
  none,
  /// What a root is hooked under and over which edge are stored one after the other, in two words: of two rivals each may
  /// leave one. There may be as many edges as there should be, of which some close a cycle, and others are missing.
  edge_apart_from_parent,
  /// Up or down is decided edge by edge, and not once for a whole hooking: of two roots with several edges between them, or
  /// around a ring of roots, each may be hooked under the next.
  direction_by_edge,
};

#if defined(MAGPIE_COMPONENTS_MUTANTS)
/// The one at work, for all launches of the loaded module. Set between launches.
MAGPIE_MODULE_VARIABLE mutant chosen_mutant = mutant::none;
/// Whether a rule is broken.
MAGPIE_INLINE bool breaks(mutant rule) { return chosen_mutant == rule; }

/// From the next launch on, the enumerator of this number is at work.
struct choose_components_mutant {
  std::uint32_t number;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for ([[maybe_unused]] std::uint64_t once : self.items(1)) chosen_mutant = static_cast<mutant>(number);
  }
};
MAGPIE_KERNEL(choose_components_mutant)
#else
MAGPIE_HOST_DEVICE constexpr bool breaks(mutant) { return false; }
#endif

}  // namespace components
