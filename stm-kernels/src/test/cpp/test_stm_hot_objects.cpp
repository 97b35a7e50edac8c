// flavors: cpu sim cpu-asan cpu-tsan
// full flavors: sim
// build: -DMAGPIE_SAMPLE_CONFLICTS -DMAGPIE_TEST_PLAIN
// full build(sim): -DMAGPIE_SAMPLE_CONFLICTS -DMAGPIE_TEST_COMPARISONS
// Which objects transactions met at: by the region's names, as often as attempts were lost, and without a step on sim.
#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
namespace counter = magpie::stm::counter;
using test::object_array;
using test::region_options;
using test::region_report;

/// A datum of one's own beside it keeps nobody else.
constexpr std::uint32_t rooms = 50, hot_room = 17, hot_desk = 3;

/// Item i adds 1 to room `hot_room`, or if it is one of every `every` to desk `hot_desk`, and then to its own desk. It counts the
/// opens of the hot ones that failed.
struct crowd {
  stm::objects room;
  stm::objects desk;
  array<std::int64_t> in_room;
  array<std::int64_t> at_desk;
  array<std::uint32_t> turned_away;  // of room, of desk
  std::uint32_t every;
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const bool at_hot_desk = every != 0 && item % every == 0;
    const auto hot = at_hot_desk ? tx.open(desk, hot_desk) : tx.open(room, hot_room);
    if (!hot) {
      tx.tally(&turned_away[at_hot_desk], 1u);
      return outcome::retry;
    }
    pause(2000);
    std::int64_t* const first = at_hot_desk ? &at_desk[hot_desk] : &in_room[hot_room];
    const std::uint32_t own = 10 + item;
    const auto mine = tx.open(desk, own);
    std::int64_t x, y;
    if (!tx.read(hot, first, x) || !tx.read(mine, &at_desk[own], y)) return outcome::retry;
    if (!tx.write(hot, first, x + 1) || !tx.write(mine, &at_desk[own], y + 1)) return outcome::retry;
    return outcome::commit;
  }
};

/// Each item alone at its own desk.
struct hermits {
  stm::objects desk;
  array<std::int64_t> at_desk;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto mine = tx.open(desk, item);
    std::int64_t x;
    if (!tx.read(mine, &at_desk[item], x) || !tx.write(mine, &at_desk[item], x + 1)) return outcome::retry;
    return outcome::commit;
  }
};

/// A room that the region makes out of a plain array, in none of its fields.
struct hidden_room {
  array<std::uint32_t> words;
  array<std::int64_t> in_room;
  std::uint32_t policy;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t) const {
    const stm::objects room{words.data, static_cast<std::uint32_t>(words.size()), policy};
    const auto hot = tx.open(room, 2);
    pause(2000);
    std::int64_t x;
    if (!tx.read(hot, &in_room[2], x) || !tx.write(hot, &in_room[2], x + 1)) return outcome::retry;
    return outcome::commit;
  }
};

/// Adds 1 to seat `hot_seat`, whose guard is that of four, and to two of its own: more than its first log holds.
constexpr std::uint32_t hot_seat = 30;
struct party {
  stm::guarded<std::int64_t, stm::blocks_of<4>> seats;
  stm::guarded<std::int64_t> own;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.set(seats, hot_seat, MAGPIE_TRY(tx.get(seats, hot_seat)) + 1));
    pause(2000);
    for (std::uint32_t k = 0; k < 2; ++k) {
      MAGPIE_TRY(tx.set(own, 2 * item + k, MAGPIE_TRY(tx.get(own, 2 * item + k)) + 1));
    }
    return outcome::commit;
  }
};

/// Item i adds 1 to room `i % 2`, and pushes an item for the same room, `generations` times.
struct visits {
  stm::objects room;
  array<std::int64_t> in_room;
  std::uint32_t items;
  std::uint32_t generations;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t at = item % 2;
    const auto hot = tx.open(room, at);
    pause(2000);
    std::int64_t x;
    if (!tx.read(hot, &in_room[at], x) || !tx.write(hot, &in_room[at], x + 1)) return outcome::retry;
    if (item + items < items * generations) tx.push(item + items);
    return outcome::commit;
  }
};

/// Attempts that were lost to others, as the statistics have them.
template <class Statistics>
std::uint64_t losses_of(const Statistics& counts) {
  return counts[counter::aborts_outranked] + counts[counter::aborts_stolen] + counts[counter::aborts_wait_expired] +
         counts[counter::aborts_locked];
}

/// Every attempt that was lost met an object, and is one conflict; hand_off adds those that waited, successfully or not. The last
/// attempt of an item that is given up is no abort; which items these are a pass forgets that runs them again.
template <class Policy>
void check_total(const region_report& report) {
  const std::uint64_t losses = losses_of(report.statistics);
  CHECK(report.conflicts.total() >= losses);
  if (!std::is_base_of_v<stm::hand_off, Policy> && report.passes == 1) {
    CHECK(report.conflicts.total() <= losses + report.statistics[counter::attempts_exhausted]);
  }
}

void check_order(const host::conflict_counts& of) {
  double shares = 0;
  for (std::size_t i = 0; i < of.hot.size(); ++i) {
    CHECK(of.hot[i].conflicts > 0);
    CHECK(i == 0 || of.hot[i - 1].conflicts >= of.hot[i].conflicts);
    shares += of.share(of.hot[i]);
  }
  CHECK(of.total() == 0 || shares <= 1 + 1e-9);
  CHECK(of.lost != 0 || of.total() == 0 || shares >= 1 - 1e-9);
}

template <class Body>
void under_all(const char* name, Body&& body) {
  const auto under = [&](const std::string& policy, auto rule) {
    test::run((std::string(name) + ", " + policy).c_str(), [&] { body(rule); });
  };
  if constexpr (test::tests_hand_off) under("hand_off", stm::hand_off{});
  test::for_each_other_policy(under);
}

struct places {
  explicit places(std::uint32_t items) : room(rooms), desk(10 + items) {}
  object_array room, desk;
  std::vector<std::int64_t> in_room, at_desk;
  std::vector<std::uint32_t> turned_away;

  template <class Policy>
  crowd region(std::uint32_t every) {
    in_room.assign(rooms, 0);
    at_desk.assign(desk.count(), 0);
    turned_away.assign(2, 0);
    return {room.view<Policy>(),
            desk.view<Policy>(),
            {in_room.data(), in_room.size()},
            {at_desk.data(), at_desk.size()},
            {turned_away.data(), turned_away.size()},
            every};
  }
};

int main() {
  const std::uint32_t items = test::simulated ? 64 : test::scaled(4'000, 500);
  const std::uint32_t seeds = test::simulated ? test::scaled(8, 4) : 8;

  under_all("all meet at one object", [&]<class Policy>(Policy) {
    std::uint64_t met = 0;
    std::uint32_t number = 0;
    places at(items);
    const auto one = [&](std::uint32_t threads) {
      const auto report =
          test::tries<Policy>(at.region<Policy>(0), items, test::options_of(number++, threads), {&at.room, &at.desk});
      const auto& conflicts = report.conflicts;
      CHECK_EQ(at.in_room[hot_room] + static_cast<std::int64_t>(report.unfinished.size()), items);
      check_total<Policy>(report);
      CHECK_EQ(conflicts.lost, 0u);
      CHECK(conflicts.hot.size() <= 1);
      met += conflicts.total();
      if (conflicts.total() == 0) return;
      CHECK_EQ(conflicts.hot[0].array, "room");
      CHECK_EQ(conflicts.hot[0].index, hot_room);
      CHECK_EQ(conflicts.share(conflicts.hot[0]), 1.0);
      CHECK(conflicts.hot[0].conflicts >= at.turned_away[0]);
      // Where objects are kept from others at `open` alone, it is there that each conflict shows.
      if (std::is_same_v<Policy, stm::pessimistic> || std::is_same_v<Policy, stm::coarse_lock>) {
        CHECK_EQ(conflicts.hot[0].conflicts, at.turned_away[0]);
      }
    };
    CHECK(test::run_until([&] { return met > 0; }, [&] { test::for_each_setting(seeds, one); }));
  });

  under_all("two arrays", [&]<class Policy>(Policy) {
    std::uint64_t at_room = 0, at_desk = 0;
    std::uint32_t number = 0;
    places at(items);
    const auto one = [&](std::uint32_t threads) {
      const auto report =
          test::tries<Policy>(at.region<Policy>(3), items, test::options_of(number++, threads), {&at.room, &at.desk});
      check_total<Policy>(report);
      check_order(report.conflicts);
      for (const auto& each : report.conflicts.hot) {
        CHECK((each.array == "room" && each.index == hot_room) || (each.array == "desk" && each.index == hot_desk));
        (each.array == "room" ? at_room : at_desk) += each.conflicts;
      }
    };
    const auto both = [&] { return at_room > 0 && at_desk > 0; };
    CHECK(test::run_until(both, [&] { test::for_each_setting(seeds, one); }));
    // Two of three items go to the room. Under one lock for all it is whoever comes that meets it.
    if (test::simulated && !std::is_same_v<Policy, stm::coarse_lock>) CHECK(at_room > at_desk);
  });

  under_all("nobody meets", [&]<class Policy>(Policy) {
    std::uint32_t number = 0;
    object_array desk(items);
    std::vector<std::int64_t> at_desk(items);
    test::for_each_setting(2, [&](std::uint32_t threads) {
      const auto report = test::tries<Policy>(hermits{desk.view<Policy>(), {at_desk.data(), at_desk.size()}}, items,
                                              test::options_of(number++, threads), {&desk});
      if (std::is_same_v<Policy, stm::coarse_lock>) return;  // they do, at the lock
      CHECK_EQ(report.conflicts.total(), 0u);
      CHECK(report.conflicts.hot.empty());
    });
    CHECK(number > 0);
  });

  under_all("a table that is too small", [&]<class Policy>(Policy) {
    std::uint64_t lost = 0;
    std::uint32_t number = 0;
    places at(items);
    const auto one = [&](std::uint32_t threads) {
      auto options = test::options_of(number++, threads);
      options.conflict_slots = 1;
      const auto report = test::tries<Policy>(at.region<Policy>(2), items, options, {&at.room, &at.desk});
      check_total<Policy>(report);
      check_order(report.conflicts);
      CHECK(report.conflicts.hot.size() <= 1);
      lost += report.conflicts.lost;
    };
    CHECK(test::run_until([&] { return lost > 0; }, [&] { test::for_each_setting(seeds, one); }));
  });

  under_all("objects of no field", [&]<class Policy>(Policy) {
    std::uint64_t met = 0;
    std::uint32_t number = 0;
    object_array room(4);
    std::vector<std::int64_t> in_room(4);
    const auto one = [&](std::uint32_t threads) {
      const stm::objects view = room.view<Policy>();
      const hidden_room region{{view.words, view.count}, {in_room.data(), in_room.size()}, view.policy};
      const auto report = test::tries<Policy>(region, items, test::options_of(number++, threads), {&room});
      check_total<Policy>(report);
      for (const auto& each : report.conflicts.hot) {
        CHECK_EQ(each.array, host::hot_object::unknown);
        CHECK_EQ(each.index, reinterpret_cast<std::uintptr_t>(view.words + 2));
      }
      met += report.conflicts.total();
    };
    CHECK(test::run_until([&] { return met > 0; }, [&] { test::for_each_setting(4, one); }));
  });

  under_all("guarded arrays, and logs that grow", [&]<class Policy>(Policy) {
    std::uint64_t met = 0;
    std::uint32_t number = 0;
    object_array blocks(10), singles(2 * items);
    std::vector<std::int64_t> seats(40), own(2 * items);
    const auto one = [&](std::uint32_t threads) {
      const party region{{{seats.data(), seats.size()}, blocks.view<Policy>()},
                         {{own.data(), own.size()}, singles.view<Policy>()}};
      const auto report = test::tries<Policy>(region, items, test::options_of(number++, threads), {&blocks, &singles});
      CHECK(report.passes > 1);
      check_total<Policy>(report);
      met += report.conflicts.total();
      CHECK(report.conflicts.hot.size() <= 1);
      if (report.conflicts.hot.empty()) return;
      CHECK_EQ(report.conflicts.hot[0].array, "seats.guards");
      CHECK_EQ(report.conflicts.hot[0].index, hot_seat / 4);
    };
    CHECK(test::run_until([&] { return met > 0; }, [&] { test::for_each_setting(4, one); }));
  });

  under_all("rounds", [&]<class Policy>(Policy) {
    std::uint64_t met = 0;
    const std::uint32_t generations = 4;
    std::uint32_t number = 0;
    object_array room(2);
    std::vector<std::int64_t> in_room(2);
    const auto one = [&](std::uint32_t threads) {
      host::rounds_options options;
      static_cast<region_options&>(options) = test::options_of(number, threads);
      options.defer_losers = number++ % 2 != 0;
      options.max_rounds = 40;
      std::vector<std::uint32_t> first(items);
      for (std::uint32_t i = 0; i < items; ++i) first[i] = i;
      host::worklist work(first);
      host::conflict_counts sum;
      const auto make = [&] {
        return visits{room.view<Policy>(), {in_room.data(), in_room.size()}, items, generations};
      };
      host::simulated().max_steps = test::plenty_of_steps;
      if (!test::is_live<Policy>) options.max_attempts = 60;
      const auto report = host::run_rounds<Policy>(make, work, options, [&](const host::round_report& each) {
        check_order(each.conflicts);
        sum.add(each.conflicts);
      });
      CHECK_EQ(sum.total(), report.conflicts.total());
      CHECK_EQ(sum.hot.size(), report.conflicts.hot.size());
      CHECK(report.conflicts.total() >= losses_of(report.statistics));
      for (std::size_t i = 0; i < sum.hot.size(); ++i) {
        CHECK_EQ(sum.hot[i].array, "room");
        CHECK_EQ(sum.hot[i].index, report.conflicts.hot[i].index);
        CHECK(sum.hot[i].index < 2);
      }
      met += sum.total();
    };
    CHECK(test::run_until([&] { return met > 0; }, [&] { test::for_each_setting(4, one); }));
  });

#if defined(MAGPIE_MACHINE_SIM)
  under_all("the same schedule as without", [&]<class Policy>(Policy) {
    std::uint32_t number = 0;
    places at(items);
    test::for_each_setting(seeds, [&](std::uint32_t threads) {
      auto options = test::options_of(number++, threads);
      const auto with = test::tries<Policy>(at.region<Policy>(3), items, options, {&at.room, &at.desk});
      const std::uint64_t steps = simulator::last_record().steps;
      options.conflict_slots = 0;
      const auto without = test::tries<Policy>(at.region<Policy>(3), items, options, {&at.room, &at.desk});
      CHECK_EQ(simulator::last_record().steps, steps);
      CHECK(with.statistics == without.statistics);
      CHECK_EQ(without.conflicts.total(), 0u);
    });
  });
#endif

  test::run("a table of no power of 2", [] {
    region_options options;
    options.conflict_slots = 3;
    object_array desk(1);
    CHECK_CONTAINS(test::refusal([&] {
                     host::run_region<stm::hand_off>(hermits{desk.view<stm::hand_off>(), {}}, 1, options);
                   }),
                   "conflict_slots must be 0 or a power of 2, got 3");
  });
  return test::finish();
}
