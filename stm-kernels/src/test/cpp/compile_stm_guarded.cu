/// @file
/// Guarded data of every size, and in rows, compile for the GPU; so do CUDA's own vectors.
#include "magpie/stm.cuh"

namespace {

namespace stm = magpie::stm;

struct every_size {
  stm::guarded<float4> vectors;
  stm::guarded<short2, stm::blocks_of<4>> pairs;
  stm::guarded<std::uint8_t> marks;
  stm::guarded<const std::int16_t> fixed;
  stm::guarded_matrix<std::int16_t, stm::blocks_of<2>> table;
  magpie::matrix<const std::uint8_t> rows;

  static constexpr std::uint32_t max_objects = 5, max_writes = 5;
  static constexpr bool narrow_writes = true;

  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    float4 v = MAGPIE_TRY(tx.get(vectors, item));
    v.w += MAGPIE_TRY(tx.get(pairs, item, &short2::y));
    v.x += MAGPIE_TRY(tx.get(fixed, item));
    MAGPIE_TRY(tx.set(vectors, item, v));
    MAGPIE_TRY(tx.set(pairs, item, &short2::x, 3));
    const std::uint8_t mark = MAGPIE_TRY(tx.get(marks, item));
    MAGPIE_TRY(tx.set(marks, item, static_cast<std::uint8_t>(mark + magpie::ld_plain(&rows(item, 1)))));
    const auto row = table.row(item);
    const std::int16_t x = MAGPIE_TRY(tx.get(row, 0));
    MAGPIE_TRY(tx.set(row, 0, static_cast<std::int16_t>(x + 1)));
    return stm::outcome::commit;
  }
};
MAGPIE_REGION(every_size)

/// Members, as a whole word and as part of one, in all forms.
struct member_forms {
  stm::guarded<short4> pairs;
  stm::guarded_cells<uint2> cells;

  static constexpr std::uint32_t max_objects = 2, max_writes = 1;
  struct state {
    std::uint32_t hint;
  };

  template <class Tx>
  MAGPIE_DEVICE stm::outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.hint = tx.glance(cells, item, &uint2::y) + static_cast<std::uint32_t>(tx.peek(pairs, item, &short4::z));
    MAGPIE_TRY(tx.open(pairs, item));
    MAGPIE_TRY(tx.open(cells, item));
    return stm::outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(pairs, item, &short4::w, static_cast<short>(tx.load(pairs, item, &short4::x) + 1));
    tx.store(cells, item, &uint2::x, tx.load(cells, item, &uint2::y) + s.hint);
  }
};
MAGPIE_REGION(member_forms)

/// Fused cells of numbers and of CUDA's vectors in 4 bytes.
struct fused_forms {
  stm::fused_cells<float> numbers;
  stm::fused_cells<ushort2> pairs;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr bool opens_fused_cells = true;
  struct state {
    float number;
  };

  template <class Tx>
  MAGPIE_DEVICE stm::outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.number = MAGPIE_TRY(tx.get(numbers, item));
    MAGPIE_TRY(tx.set(pairs, item, &ushort2::x, static_cast<unsigned short>(s.number)));
    return stm::outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(numbers, item, s.number + tx.load(pairs, item, &ushort2::y));
  }
};
MAGPIE_REGION(fused_forms)

}  // namespace

/// MAGPIE_TRY in lambdas that give an outcome, within functions that give none; and all data at once.
struct tries_in_lambdas {
  magpie::stm::guarded<std::int32_t> counts;
  magpie::stm::guarded_cells<std::int32_t> cells;
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE bool adds(Tx& tx, std::uint32_t item) const {
    const auto body = [&]() -> magpie::stm::outcome {
      MAGPIE_TRY(tx.set(counts, item, 1));
      return magpie::stm::outcome::commit;
    };
    return body() == magpie::stm::outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void fills(Tx& tx, std::uint32_t item) const {
    const auto body = [&](auto& t) -> magpie::stm::outcome {
      MAGPIE_TRY(t.set(cells, item, 1));
      return magpie::stm::outcome::commit;
    };
    (void)body(tx);
  }
  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    fills(tx, item);
    return adds(tx, item) ? magpie::stm::outcome::commit : magpie::stm::outcome::retry;
  }
};
static_assert(std::is_same_v<decltype(tries_in_lambdas{}.counts.unguarded()), magpie::array<std::int32_t>>);
static_assert(std::is_same_v<decltype(tries_in_lambdas{}.cells.unguarded()), magpie::spaced_array<std::int32_t, 8, 4>>);
MAGPIE_REGION(tries_in_lambdas)
