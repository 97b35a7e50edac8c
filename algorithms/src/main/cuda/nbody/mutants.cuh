/// @file
/// Ways to break the tree, each in one place, to show that the verifier would notice.
///
/// Layer: algorithm. `-DMAGPIE_NBODY_MUTANTS` builds with all of them, none at work until the kernel `choose_nbody_mutant`
/// chooses one by its number; without it every test of `breaks` is false and the code is that of the algorithm.
#pragma once

#include "magpie/kernel.cuh"

namespace nbody {

enum class mutant {
  none,
  /// A body goes into an octant that it found empty by a plain store: of two that find it so, one is lost.
  child_without_lock,
};

#if defined(MAGPIE_NBODY_MUTANTS)
/// The one at work, for all launches of the loaded module. Set between launches.
MAGPIE_MODULE_VARIABLE mutant chosen_mutant = mutant::none;
/// Whether a rule is broken.
MAGPIE_INLINE bool breaks(mutant rule) { return chosen_mutant == rule; }

/// From the next launch on, the enumerator of this number is at work.
struct choose_nbody_mutant {
  std::uint32_t number;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for ([[maybe_unused]] std::uint64_t once : self.items(1)) chosen_mutant = static_cast<mutant>(number);
  }
};
MAGPIE_KERNEL(choose_nbody_mutant)
#else
MAGPIE_HOST_DEVICE constexpr bool breaks(mutant) { return false; }
#endif

}  // namespace nbody
