/// @file
/// A kernel whose threads wait for each other, for the facade's tests.
#include "magpie/kernel.cuh"

/// Round after round each thread writes its word, and reads that of another.
struct meet_often {
  static constexpr bool meets_grid = true;

  std::uint32_t rounds;
  magpie::array<std::uint32_t> words;    ///< at least one for each thread
  magpie::array<std::uint32_t> arrived;  ///< a word of 0
  magpie::array<std::uint32_t> found;    ///< threads; then reads of another's word, and those that were wrong

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    std::uint32_t due = 0;
    if (self.rank() == 0) magpie::st_plain(&found[0], static_cast<std::uint32_t>(self.size()));
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      magpie::st_plain(&words[self.rank()], round + self.rank());
      magpie::grid_barrier::wait(self, &arrived[0], due);
      const std::uint32_t other = (self.rank() + round * 33) % self.size();
      magpie::red_add_rlx_dev(&found[1], 1u);
      if (magpie::ld_own(&words[other]) != round + other) magpie::red_add_rlx_dev(&found[2], 1u);
      magpie::grid_barrier::wait(self, &arrived[0], due);
    }
  }
};
MAGPIE_KERNEL(meet_often)
