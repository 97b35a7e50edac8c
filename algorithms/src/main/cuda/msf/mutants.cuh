/// @file
/// Ways to break minimum spanning forests, each in one place, to show that the verifier would notice.
///
/// Layer: algorithm. `-DMAGPIE_MSF_MUTANTS` builds with all of them, none at work until the kernel `choose_msf_mutant`
/// chooses one by its number; without it every test of `breaks` is false and the code is that of the algorithm.
#pragma once

#include "magpie/kernel.cuh"

namespace msf {

enum class mutant {
  none,
  /// Whoever has an edge of its component's least weight represents it, as if no two weights were equal: a component may be
  /// united over two edges, of which the second is no longer least when it is its turn.
  ties_unbroken,
  /// Whoever points its component to its root also halves the ways of those that it passes, as if a word could have two
  /// writers: what has been read before the other's root was written puts it back to an ancestor.
  passers_shorten,
};

#if defined(MAGPIE_MSF_MUTANTS)
/// The one at work, for all launches of the loaded module. Set between launches.
MAGPIE_MODULE_VARIABLE mutant chosen_mutant = mutant::none;
/// Whether a rule is broken.
MAGPIE_INLINE bool breaks(mutant rule) { return chosen_mutant == rule; }

/// From the next launch on, the enumerator of this number is at work.
struct choose_msf_mutant {
  std::uint32_t number;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for ([[maybe_unused]] std::uint64_t once : self.items(1)) chosen_mutant = static_cast<mutant>(number);
  }
};
MAGPIE_KERNEL(choose_msf_mutant)
#else
MAGPIE_HOST_DEVICE constexpr bool breaks(mutant) { return false; }
#endif

}  // namespace msf
