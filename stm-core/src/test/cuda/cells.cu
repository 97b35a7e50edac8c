/// @file
/// Regions over guarded cells, for the facade's tests.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Moves `amount` from one account to the next, round by round.
struct pass_on {
  magpie::stm::guarded_cells<std::int32_t> balance;
  std::int32_t amount;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint64_t from = item % balance.size(), to = (from + 1) % balance.size();
    const std::int32_t x = MAGPIE_TRY(tx.get(balance, from));
    MAGPIE_TRY(tx.set(balance, from, x - amount));
    MAGPIE_TRY(tx.set(balance, to, MAGPIE_TRY(tx.get(balance, to)) + amount));
    return outcome::commit;
  }
};
MAGPIE_REGION(pass_on)

/// The same in fused cells, and counts visits.
struct pass_on_fused {
  magpie::stm::fused_cells<std::int32_t> balance;
  magpie::stm::fused_cells<float> visits;
  std::int32_t amount;

  static constexpr std::uint32_t max_objects = 3, max_writes = 3;
  static constexpr bool opens_fused_cells = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint64_t from = item % balance.size(), to = (from + 1) % balance.size();
    const std::int32_t x = MAGPIE_TRY(tx.get(balance, from));
    MAGPIE_TRY(tx.set(balance, from, x - amount));
    MAGPIE_TRY(tx.set(balance, to, MAGPIE_TRY(tx.get(balance, to)) + amount));
    MAGPIE_TRY(tx.set(visits, to, MAGPIE_TRY(tx.get(visits, to)) + 0.5f));
    return outcome::commit;
  }
};
MAGPIE_REGION(pass_on_fused)

struct point {
  float x, y, z;
};
struct alignas(8) visited {
  std::int64_t sum;
  std::int32_t times, last;
};

/// Visits a point, and counts it there.
struct visit {
  magpie::stm::guarded_cells<point> points;
  magpie::stm::guarded_cells<visited> visits;
  magpie::stm::guarded_cells<double> weights;
  magpie::stm::guarded_cells<std::int16_t> small;

  static constexpr std::uint32_t max_objects = 4, max_writes = 7;
  static constexpr bool narrow_writes = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint64_t at = item % points.size();
    point p = MAGPIE_TRY(tx.get(points, at));
    p.x += 1;
    p.z -= 1;
    MAGPIE_TRY(tx.set(points, at, p));
    const visited v = MAGPIE_TRY(tx.get(visits, at));
    MAGPIE_TRY(tx.set(visits, at, {v.sum + item, v.times + 1, static_cast<std::int32_t>(at)}));
    MAGPIE_TRY(tx.set(weights, at, MAGPIE_TRY(tx.get(weights, at)) + 0.5));
    MAGPIE_TRY(tx.set(small, at, static_cast<std::int16_t>(MAGPIE_TRY(tx.get(small, at)) - 1)));
    return outcome::commit;
  }
};
MAGPIE_REGION(visit)

/// Reads a datum that is not there, after it has claimed one that is.
struct leave {
  magpie::stm::guarded_cells<std::int32_t> balance;

  static constexpr std::uint32_t max_objects = 2, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.set(balance, item + 2, 1));
    MAGPIE_TRY(tx.get(balance, item + balance.size()));
    return outcome::commit;
  }
};
MAGPIE_REGION(leave)

/// Doubles all data past any transaction.
struct twice {
  magpie::stm::guarded_cells<std::int32_t> balance;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (const std::uint32_t i : self.items(static_cast<std::uint32_t>(balance.size()))) {
      balance.unguarded(i) *= 2;
    }
  }
};
MAGPIE_KERNEL(twice)

/// Takes the data without their objects, and an ordinary array.
struct sum {
  magpie::array<const std::int32_t> values;
  magpie::array<std::int32_t> into;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (const std::uint32_t i : self.items(static_cast<std::uint32_t>(values.size()))) {
      magpie::red_add_rlx_dev(&into[0], values[i]);
    }
  }
};
MAGPIE_KERNEL(sum)
