/// @file
/// A region that goes wrong in as many ways as `mode` says; for regions.sh.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

namespace {

/// Fills the stack: each call needs room of its own until the next has returned.
MAGPIE_DEVICE std::uint32_t descend(volatile std::uint32_t* above) {
  volatile std::uint32_t room[256];
  room[0] = *above + 1;
  return descend(room) + room[0];
}

}  // namespace

struct stumble {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> value;
  std::uint32_t mode;
  std::uint32_t zero;  ///< which no compiler knows to be 0

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, item % cells.count);
    std::uint32_t* const own = &value[item % cells.count];
    std::uint32_t x = 0;
    if (!tx.read(cell, own, x)) return outcome::retry;
    switch (mode) {
      case 1: x /= zero; break;
      case 2:
        x = static_cast<std::uint32_t>(static_cast<std::int32_t>(0x80000000u + zero) /
                                       static_cast<std::int32_t>(zero - 1));
        break;
      case 3: *reinterpret_cast<volatile std::uint32_t*>(static_cast<std::uintptr_t>(zero)) = x; break;
      case 4: *reinterpret_cast<volatile std::uint32_t*>(0x7000'0000'0000ull + zero) = x; break;
      case 5: x += descend(&x); break;
      case 6: reinterpret_cast<void (*)()>(static_cast<std::uintptr_t>(zero))(); break;
      case 10:
        for (volatile std::uint32_t forever = 1; forever != zero;) x += forever;
        break;
      case 11:
        while (x == zero) {
          if (!tx.read(cell, own, x)) return outcome::retry;
        }
        break;
      case 12: return outcome::retry;
      case 13: {
        const magpie::stm::handle unopened;
        if (!tx.read(unopened, own, x)) return outcome::retry;
        break;
      }
      case 20: tx.read(cell, &value[cells.count + zero], x); break;
      case 21: tx.read(cell, &value[zero - 1], x); break;
      case 22: tx.open(cells, cells.count + zero); break;
      default: break;
    }
    return tx.write(cell, own, x) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(stumble)
