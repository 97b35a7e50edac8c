/// @file
/// Regions of the tests: arguments of every kind, two arrays of objects, and some that go wrong.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct pair_of_words {
  std::uint32_t a, b;
};

/// Copies the element of each array at `item` to `seen`, six for each item, then the scalars' sum behind them.
struct every_kind {
  magpie::stm::objects cells;
  magpie::array<const std::int32_t> i32;
  magpie::array<const std::uint32_t> u32;
  magpie::array<const std::int64_t> i64;
  magpie::array<const std::uint64_t> u64;
  magpie::array<const float> f32;
  magpie::array<const double> f64;
  magpie::array<const pair_of_words> structs;
  const std::uint32_t* pointer;
  std::int32_t a;
  std::uint32_t b;
  std::int64_t c;
  std::uint64_t d;
  float e;
  double f;
  magpie::array<double> seen;

  static constexpr std::uint32_t max_objects = 1, max_writes = 9;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, item);
    double* const to = &seen[8 * std::uint64_t{item}];
    const double scalars = a + b + static_cast<double>(c) + static_cast<double>(d) + e + f;
    const double point = pointer == nullptr ? -1.0 : magpie::ld_plain(pointer + item);
    const bool written =
        tx.write(cell, to, magpie::ld_plain(&i32[item])) && tx.write(cell, to + 1, magpie::ld_plain(&u32[item])) &&
        tx.write(cell, to + 2, static_cast<double>(magpie::ld_plain(&i64[item]))) &&
        tx.write(cell, to + 3, static_cast<double>(magpie::ld_plain(&u64[item]))) &&
        tx.write(cell, to + 4, magpie::ld_plain(&f32[item])) && tx.write(cell, to + 5, magpie::ld_plain(&f64[item])) &&
        tx.write(cell, to + 6, point + static_cast<double>(structs.length)) && tx.write(cell, to + 7, scalars);
    return written ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(every_kind)

struct three_bytes {
  std::uint8_t a, b, c;
};

/// Adds elements of 1 and 2 bytes at `item` to a sum.
struct narrow_kinds {
  magpie::stm::guarded<double> sums;
  magpie::array<const std::int8_t> i8;
  magpie::array<const std::uint8_t> u8;
  magpie::array<const std::int16_t> i16;
  const std::uint16_t* u16;
  magpie::matrix<const three_bytes> structs;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const double sum = magpie::ld_plain(&i8[item]) + magpie::ld_plain(&u8[item]) + magpie::ld_plain(&i16[item]) +
                       magpie::ld_plain(u16 + item) + magpie::ld_plain(&structs(item, 1)).b;
    MAGPIE_TRY(tx.set(sums, item, sum));
    return outcome::commit;
  }
};
MAGPIE_REGION(narrow_kinds)

/// Adds one to a datum of two arrays of objects.
struct two_arrays {
  magpie::stm::objects left;
  magpie::stm::objects right;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t l = item % left.count;
    const std::uint32_t r = item % right.count;
    const auto first = tx.open(left, l);
    const auto second = tx.open(right, r);
    std::uint32_t x = 0, y = 0;
    if (!tx.read(first, &values[l], x) || !tx.write(first, &values[l], x + 1)) return outcome::retry;
    if (!tx.read(second, &values[left.count + r], y)) return outcome::retry;
    return tx.write(second, &values[left.count + r], y + 1) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(two_arrays)

/// Has nothing to claim.
struct without_objects {
  std::uint32_t nothing;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx&, std::uint32_t) const {
    return outcome::commit;
  }
};
MAGPIE_REGION(without_objects)

/// Items 2k and 2k + 1 open the same two objects in opposite orders, and write both.
struct neighbors {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t other = item ^ 1u;
    const auto first = tx.open(cells, item);
    const auto second = tx.open(cells, other);
    return tx.write(first, &values[item], item) && tx.write(second, &values[other], item) ? outcome::commit
                                                                                          : outcome::retry;
  }
};
MAGPIE_REGION(neighbors)

/// Opens and writes more than it declares.
struct outgrows {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t i = 0; i < cells.count; ++i) {
      if (!tx.write(tx.open(cells, i), &values[i], item)) return outcome::retry;
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(outgrows)

struct rows_of_arcs {
  magpie::array<const std::uint32_t> offsets, targets;
};

/// Counts the arcs of a vertex; one without any is left alone.
struct degree {
  magpie::stm::objects cells;
  rows_of_arcs rows;
  magpie::array<std::uint32_t> degrees;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t arcs = magpie::ld_plain(&rows.offsets[item + 1]) - magpie::ld_plain(&rows.offsets[item]);
    if (arcs == 0) return outcome::cancel;
    return tx.write(tx.open(cells, item), &degrees[item], arcs) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(degree)

struct entry {
  double sum;
  std::int32_t times, tallied;
};

/// Adds an item's number to cells of three sizes, and counts it past the transaction in a part of one of them.
struct in_cells {
  magpie::stm::guarded_cells<entry> entries;
  magpie::stm::guarded_cells<std::int16_t> small;
  magpie::stm::guarded_cells<pair_of_words> pairs;

  static constexpr std::uint32_t max_objects = 3, max_writes = 5;
  static constexpr bool narrow_writes = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint64_t at = item % entries.size();
    MAGPIE_TRY(tx.set(entries, at, &entry::sum, MAGPIE_TRY(tx.get(entries, at, &entry::sum)) + item));
    MAGPIE_TRY(tx.set(small, at, static_cast<std::int16_t>(MAGPIE_TRY(tx.get(small, at)) - 1)));
    const pair_of_words p = MAGPIE_TRY(tx.get(pairs, at));
    MAGPIE_TRY(tx.set(pairs, at, {p.a + 1, p.b + item}));
    tx.tally(&entries.unguarded(at).tallied, 1);
    return outcome::commit;
  }
};
MAGPIE_REGION(in_cells)

/// No pair has counted more than six.
struct few {
  magpie::stm::guarded_cells<pair_of_words> pairs;
  magpie::array<std::uint32_t> violations;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (const std::uint32_t i : self.items(static_cast<std::uint32_t>(pairs.size()))) {
      if (magpie::ld_plain(&pairs.unguarded(i).a) > 6) magpie::violated(violations, i);
    }
  }
};
MAGPIE_KERNEL(few)
