// A kernel of several passes, which processors run in one launch where they can.
#include "magpie/kernel.cuh"

// Each pass finds its number in all slots and leaves the next one there; `reached` is the first that was not run.
struct relay {
  std::uint32_t pass;
  std::uint32_t passes;
  std::uint32_t fails_in;
  std::uint64_t address;  // that no device has
  magpie::array<std::uint32_t> slots;
  std::uint32_t* reached;
  std::uint32_t* wrong;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (std::uint64_t i : self.items(slots.size())) {
      if (magpie::ld_own(&slots[i]) != pass) magpie::red_add_rlx_dev(wrong, 1u);
      magpie::st_plain(&slots[i], pass + 1);
    }
    if (self.rank() + 1 == self.size() && pass == fails_in) {
      magpie::st_plain(reinterpret_cast<std::uint32_t*>(address), 1u);
    }
    if (self.rank() == 0) magpie::st_plain(reached, pass + 1);
  }
  MAGPIE_DEVICE std::uint32_t next_pass() { return ++pass == passes ? 0 : pass % 4 + 1; }
};
MAGPIE_KERNEL(relay)
