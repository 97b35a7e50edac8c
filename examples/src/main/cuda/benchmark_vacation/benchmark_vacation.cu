/// @file
/// The benchmark `vacation`: a travel agency. Customers book the dearest of some cars, flights and rooms that are to be had, or
/// give up all that they have booked; and the agency changes what there is.
#define MAGPIE_ALL_POLICIES  // hand_off and priority_rule; others are compiled when they are asked for

#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// A car, flight or room, of which several can be booked.
struct offer {
  std::uint32_t booked;
  std::uint32_t places;
  std::uint32_t price;
};

/// What an item does.
struct task {
  enum kinds : std::uint32_t { book, give_up, change };

  std::uint32_t kind;
  std::uint32_t whose;  ///< the customer, or the offer that is changed
  std::int32_t more;    ///< places that the offer gets, or loses
  std::uint32_t price;  ///< that it then has
};
MAGPIE_CONSTANT(task::book)
MAGPIE_CONSTANT(task::give_up)
MAGPIE_CONSTANT(task::change)

/// Item i does tasks[i].
struct manage {
  magpie::stm::guarded<offer> offers;  // cars, then flights, then rooms, as many of each
  magpie::stm::guarded_matrix<std::uint32_t>
      bookings;  // of each customer: offers, counted from 1, and 0 where there is room
  magpie::array<const task> tasks;
  magpie::array<const std::uint32_t> queried;  // of each item: offers to choose from
  std::uint32_t queries;                       // how many
  magpie::array<std::uint32_t> done;  // of each item: bookings made or given up, 1 for a change; 0 if it canceled

  static constexpr std::uint32_t max_objects = 9, max_writes = 16;
  static constexpr std::uint32_t kinds = 3;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const task wanted = tasks[item];
    const std::uint32_t count = MAGPIE_TRY(wanted.kind == task::book      ? book(tx, item, wanted.whose)
                                           : wanted.kind == task::give_up ? give_up(tx, wanted.whose)
                                                                          : change(tx, wanted));
    magpie::st_plain(&done[item], count);
    return count == 0 ? outcome::cancel : outcome::commit;
  }

 private:
  using count_or_retry = magpie::stm::result<std::uint32_t>;

  /// Books one of each kind, where there is one; the dearest, and of several the first.
  template <class Tx>
  MAGPIE_INLINE count_or_retry book(Tx& tx, std::uint32_t item, std::uint32_t customer) const {
    std::uint32_t chosen[kinds] = {};  // counted from 1
    std::uint32_t price[kinds] = {};
    for (std::uint32_t k = 0; k < queries; ++k) {
      const std::uint32_t at = queried[std::uint64_t{item} * queries + k];
      const auto kind = static_cast<std::uint32_t>(at / (offers.size() / kinds));
      const offer found = MAGPIE_TRY(tx.get(offers, at));
      if (found.booked < found.places && found.price > price[kind]) {
        chosen[kind] = at + 1;
        price[kind] = found.price;
      }
    }
    const auto row = bookings.row(customer);
    std::uint32_t count = 0;
    std::uint32_t column = 0;
    for (std::uint32_t kind = 0; kind < kinds; ++kind) {
      if (chosen[kind] == 0) continue;
      while (column < bookings.columns && MAGPIE_TRY(tx.get(row, column)) != 0) ++column;
      if (column == bookings.columns) return 0u;  // too many already: nothing is booked
      const std::uint32_t at = chosen[kind] - 1;
      MAGPIE_TRY(tx.set(row, column, chosen[kind]));
      MAGPIE_TRY(tx.set(offers, at, &offer::booked, MAGPIE_TRY(tx.get(offers, at, &offer::booked)) + 1));
      ++count;
    }
    return count;
  }

  template <class Tx>
  MAGPIE_INLINE count_or_retry give_up(Tx& tx, std::uint32_t customer) const {
    const auto row = bookings.row(customer);
    std::uint32_t count = 0;
    for (std::uint32_t column = 0; column < bookings.columns; ++column) {
      const std::uint32_t booked = MAGPIE_TRY(tx.get(row, column));
      if (booked == 0) continue;
      const std::uint32_t at = booked - 1;
      MAGPIE_TRY(tx.set(row, column, 0));
      MAGPIE_TRY(tx.set(offers, at, &offer::booked, MAGPIE_TRY(tx.get(offers, at, &offer::booked)) - 1));
      ++count;
    }
    return count;
  }

  /// An offer cannot lose places that are booked.
  template <class Tx>
  MAGPIE_INLINE count_or_retry change(Tx& tx, const task& wanted) const {
    offer found = MAGPIE_TRY(tx.get(offers, wanted.whose));
    const std::uint32_t places = found.places + static_cast<std::uint32_t>(wanted.more);
    if (wanted.more < 0 && (found.places < static_cast<std::uint32_t>(-wanted.more) || places < found.booked))
      return 0u;
    found.places = places;
    found.price = wanted.price;
    MAGPIE_TRY(tx.set(offers, wanted.whose, found));
    return 1u;
  }
};
MAGPIE_REGION(manage)
