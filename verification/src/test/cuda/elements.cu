/// @file
/// A region that is wrong in one datum, of the type that it is told: each item overwrites it past its transaction.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct two_words {
  std::uint32_t first;
  std::uint16_t second, third;
};

struct elements {
  magpie::stm::objects cells;
  magpie::array<std::int8_t> i8;
  magpie::array<std::uint8_t> u8;
  magpie::array<std::int16_t> i16;
  std::uint16_t* u16;
  magpie::matrix<std::int32_t> i32;
  magpie::array<std::uint64_t> u64;
  magpie::array<float> f32;
  magpie::array<double> f64;
  magpie::array<two_words> structs;
  std::uint32_t wrong;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (wrong == 12) {  // only who comes first commits, which leaves the same in any order
      const std::uint64_t seen = magpie::ld_rlx_dev(&u64[1]);
      magpie::st_rlx_dev(&u64[1], std::uint64_t{1});
      return seen == 0 ? outcome::commit : outcome::cancel;
    }
    const auto own = tx.open(cells, item);
    std::uint32_t first = 0;
    if (!tx.read(own, &structs[item].first, first)) return outcome::retry;
    if (!tx.write(own, &structs[item].first, first + 1)) return outcome::retry;
    switch (wrong) {
      case 1: i8[1] = static_cast<std::int8_t>(-7 - static_cast<std::int32_t>(item)); break;
      case 2: u8[1] = static_cast<std::uint8_t>(200 + item); break;
      case 3: i16[1] = static_cast<std::int16_t>(-300 - static_cast<std::int32_t>(item)); break;
      case 4: u16[1] = static_cast<std::uint16_t>(60000 + item); break;
      case 5: i32(1, 1) = -5 - static_cast<std::int32_t>(item); break;
      case 6: u64[1] = ~std::uint64_t{item}; break;
      case 7: f32[1] = 0.5f + static_cast<float>(item); break;
      case 8: f64[1] = 0.25 + item; break;
      case 9: structs[2].second = static_cast<std::uint16_t>(300 + item); break;
      case 10: {  // reads until time is up
        std::int32_t value = 0;
        while (tx.read(own, &i32(1, 2), value)) {
        }
        return outcome::retry;
      }
      case 11: {  // each adds 1, and waits for the other in between for as long as it may take to begin
        const std::uint64_t seen = magpie::ld_rlx_dev(&u64[1]);
        magpie::st_rlx_dev(&i32(0, item), 1);
        for (std::uint32_t i = 0; i < 1u << 23 && magpie::ld_rlx_dev(&i32(0, 1 - item)) == 0; ++i) {
        }
        magpie::st_rlx_dev(&u64[1], seen + 1);
        break;
      }
      default: break;
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(elements)
