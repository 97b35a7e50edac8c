// Small programs of accesses to shared words, one for each thread, that do what their instructions say: for searches
// through schedules.
#include "magpie/kernel.cuh"

struct accesses {
  static constexpr std::uint32_t load = 0, store = 1, add = 2, total = 3, exchange = 4, raise = 5, wide = 6, pause = 7,
                                 vote = 8, begin = 9, end = 10, unless = 11, wait = 12, gather = 13;

  magpie::array<const std::uint32_t> starts;  // of each thread's instructions; one more for their end
  magpie::array<const std::uint32_t> code;    // instruction, word, value
  magpie::array<std::uint64_t> words;
  magpie::array<std::uint32_t> results;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    using namespace magpie;
    std::uint32_t seen = 1;
    const std::uint32_t last = ld_plain(&starts[self.rank() + 1]);
    for (std::uint32_t at = ld_plain(&starts[self.rank()]); at < last; at += 3) {
      const std::uint32_t value = ld_plain(&code[at + 2]);
      std::uint64_t* const both = &words[ld_plain(&code[at + 1])];
      std::uint32_t* const word = reinterpret_cast<std::uint32_t*>(both);
      switch (ld_plain(&code[at])) {
        case load: seen = seen * 31 + ld_rlx_dev(word); break;
        case store: st_rlx_dev(word, value); break;
        case add: seen = seen * 31 + add_rlx_dev(word, value); break;
        case total: red_add_rlx_dev(word, value); break;
        case exchange: seen = seen * 31 + cas_rlx_dev(word, 0u, value); break;
        case raise: seen = seen * 31 + max_rlx_dev(word, value); break;
        case wide: seen = seen * 31 + static_cast<std::uint32_t>(ld_rlx_dev(both) % 1000003); break;
        case pause: magpie::pause(0); break;
        case vote: seen = seen * 31 + self.ballot(seen % 2 != 0); break;
        case begin: static_cast<void>(timestamp()); break;
        case end: static_cast<void>(timestamp(true)); break;
        case unless:  // an access that happens or not, at a word that is chosen by what was seen
          if (seen % 3 != 0) seen = seen * 31 + cas_rlx_dev(&word[seen % 2], seen % 2, value);
          break;
        case wait:
          while (ld_rlx_dev(word) == 0) magpie::pause(0);
          break;
        case gather: seen = seen * 31 + self.active_lanes(); break;
        default: break;
      }
    }
    st_plain(&results[self.rank()], seen);
  }
};
MAGPIE_KERNEL(accesses)
