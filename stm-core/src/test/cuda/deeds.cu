// A region that does what the processor, or nobody, puts an end to.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

// Item i adds 1 to value[i] under object i; item `culprit` does as `deed` says.
struct do_deed {
  magpie::stm::objects cells;
  magpie::array<std::int32_t> value;
  std::uint32_t culprit;
  std::uint32_t deed;
  std::int32_t zero;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  static std::int32_t deeper(volatile std::int32_t* above, std::int32_t depth) {
    volatile std::int32_t frame[256];
    frame[0] = above[0] + depth;
    return depth < 0 ? 0 : deeper(frame, depth + 1) + frame[0];
  }

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    auto cell = tx.open(cells, item);
    std::int32_t x;
    if (!cell || !tx.read(cell, &value[item], x)) return outcome::retry;
    if (item == culprit) {
      volatile std::int32_t start[1] = {zero};
      if (deed == 0) x = 12345 / zero;
      if (deed == 1) x = *reinterpret_cast<volatile std::int32_t*>(static_cast<std::intptr_t>(zero) + 16);
      if (deed == 2) *reinterpret_cast<volatile std::int32_t*>(static_cast<std::intptr_t>(zero) + 0x123456789000) = 1;
      if (deed == 3) x = deeper(start, 0);
      if (deed == 4) {
        while (start[0] == 0) {
        }
      }
      if (deed == 5) x = value[item + 1000];
    }
    return tx.write(cell, &value[item], x + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(do_deed)
