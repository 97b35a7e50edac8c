/// @file
/// The module `clock_skew`: samples the machine's timer on all multiprocessors at once.
#include "magpie/kernel.cuh"

/// Each thread of every `stride` takes `samples` turns: looks at the timer, adds one to a word that all share, looks at
/// the timer again after the sum has come back. The word's old values tell the true order of the additions.
///
/// Out, for sample k of participant i at place i * samples + k: `before`, `turn` (the word's old value), `after`.
struct clock_skew {
  std::uint32_t participants;
  std::uint32_t stride;
  std::uint32_t samples;
  magpie::array<std::uint64_t> word;
  magpie::array<std::uint64_t> before;
  magpie::array<std::uint64_t> turn;
  magpie::array<std::uint64_t> after;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    if (self.rank() % stride != 0 || self.rank() / stride >= participants) return;
    const std::uint64_t first = std::uint64_t{self.rank() / stride} * samples;
    for (std::uint32_t k = 0; k < samples; ++k) {
      const std::uint64_t begin = magpie::timestamp();
      const std::uint64_t old = magpie::add_rlx_dev(&word[0], std::uint64_t{1});
      // Stored before the timer is read: so the sum is back, as a store needs its value.
      magpie::st_rlx_dev(&turn[first + k], old);
      const std::uint64_t end = magpie::timestamp();
      magpie::st_rlx_dev(&before[first + k], begin);
      magpie::st_rlx_dev(&after[first + k], end);
    }
  }
};
MAGPIE_KERNEL(clock_skew)
