// Each mutant of rounds and pools does the harm that its name says, and without one there is none.
// flavors: cpu sim
// full flavors: cpu
// build: -DMAGPIE_MUTANTS
#include "stm_test.hpp"

using namespace magpie;
using stm::mutant;
using stm::outcome;
namespace counter = stm::counter;

/// Item 0 pushes item 1, and commits at its second attempt.
struct pusher {
  array<std::uint32_t> runs;
  static constexpr std::uint32_t max_objects = 0, max_writes = 0, max_pushes = 1;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    ++runs[item];
    if (item == 0) tx.push(1);
    return item == 0 && runs[0] < 2 ? outcome::retry : outcome::commit;
  }
};

/// Every item is deferred once.
struct deferrer {
  array<std::uint32_t> ranks;  // 2 of each item
  static constexpr std::uint32_t max_objects = 0, max_writes = 0, max_pushes = 0;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const bool first = ranks[2 * item] == 0;
    ranks[2 * item + !first] = tx.rank();
    return first ? outcome::defer : outcome::commit;
  }
};

/// Items 0 and 1 open the same two things in opposite orders.
struct opposite {
  stm::objects things;
  static constexpr std::uint32_t max_objects = 2, max_writes = 0, max_pushes = 0;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    return tx.open(things, item) && tx.open(things, 1 - item) ? outcome::commit : outcome::retry;
  }
};

/// Takes a slot, and commits at the second attempt.
struct taker {
  stm::pool<0> slots;
  array<std::uint32_t> runs;
  static constexpr std::uint32_t max_objects = 0, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {2};
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (!tx.reserve(slots, 1)) return outcome::retry;
    tx.take(slots);
    return ++runs[item] < 2 ? outcome::retry : outcome::commit;
  }
};

/// Item 0 looks up a thing past the transaction and opens it when the others have run: item 1 removes that thing and
/// frees its slot, item 2 takes a slot and makes another thing.
struct lookup {
  stm::objects things;
  stm::pool<0> slots;
  array<std::uint32_t> name;  // of the thing in a slot; 0 = none
  std::uint32_t* step;
  std::uint32_t* found;
  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};
  using state = std::uint32_t;
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& slot) const {
    const std::uint32_t now = ld_acq_dev(step);
    if (item == 3) return outcome::cancel;
    if (item == 0) {
      if (now == 0) st_rel_dev(step, 1u);  // it has found the thing in slot 0
      if (now < 3) return outcome::retry;
      const auto thing = tx.open(things, 0);
      return tx.read(thing, &name[0], slot) ? outcome::commit : outcome::retry;
    }
    if (now != item) return outcome::retry;
    if (item == 2 && !tx.reserve(slots, 1)) return outcome::retry;
    slot = item == 1 ? 0 : tx.take(slots);
    return tx.open(things, slot) ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& slot) const {
    if (item == 0) {
      *found = slot;
      return;
    }
    tx.store({}, &name[slot], item == 1 ? 0u : 9u);
    if (item == 1) tx.free(slots, 0);
  }
  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t item, const state&) const {
    if (item != 0) st_rel_dev(step, item + 1);
  }
};

void under(mutant broken, const char* name) {
  stm::chosen_mutant = broken;
  const std::string with = std::string(", ") + name;

  test::run(("pushes" + with).c_str(), [] {
    std::vector<std::uint32_t> runs(3, 0);
    host::worklist work({0, 2});
    host::rounds_options options;
    options.threads = 1;
    host::run_rounds<stm::hand_off>([&] { return pusher{{runs.data(), 3}}; }, work, options);
    CHECK_EQ(runs[0], 2u);
    CHECK_EQ(runs[1], stm::breaks(mutant::push_before_commit) ? 2u : 1u);
  });

  test::run(("ranks" + with).c_str(), [] {
    std::vector<std::uint32_t> ranks(6, 0);
    host::worklist work({0, 1, 2});
    host::rounds_options options;
    options.threads = 1;
    host::run_rounds<stm::hand_off>([&] { return deferrer{{ranks.data(), 6}}; }, work, options);
    for (std::uint32_t item = 0; item < 3; ++item) {
      CHECK_EQ(ranks[2 * item], host::highest_rank - item);
      CHECK_EQ(ranks[2 * item] != ranks[2 * item + 1], stm::breaks(mutant::deferred_rank_lost));
    }
  });

#if defined(MAGPIE_MACHINE_SIM)
  test::run(("losers of eager attempts" + with).c_str(), [] {
    test::object_array things(2);
    host::worklist work({0, 1});
    host::rounds_options options;
    options.threads = 2;
    options.eager_attempts = 2;
    options.defer_losers = true;
    options.max_rounds = 4;
    host::simulated().seed = 0;  // in turn: each locks one of the two
    const auto report =
        host::run_rounds<stm::hand_off>([&] { return opposite{things.view<stm::hand_off>()}; }, work, options);
    host::simulated().seed = 1;
    CHECK_EQ(report.statistics[counter::commits], stm::breaks(mutant::eager_loser_deferred) ? 0u : 2u);
    CHECK_EQ(things.claimed(), 0u);
  });

  // Items that are out of attempts wait for the next round, where they begin anew.
  if (broken == mutant::none) {
    test::run("few attempts a round", [] {
      for (const std::uint32_t most : {1u, 2u, 3u}) {
        for (const bool defer_losers : {false, true}) {
          test::object_array things(2);
          host::worklist work({0, 1});
          host::rounds_options options;
          options.threads = 2;
          options.max_attempts = most;
          options.eager_attempts = 16;
          options.defer_losers = defer_losers;
          options.max_rounds = 8;
          host::simulated().seed = 0;
          const auto report =
              host::run_rounds<stm::hand_off>([&] { return opposite{things.view<stm::hand_off>()}; }, work, options);
          host::simulated().seed = 1;
          CHECK_EQ(report.statistics[counter::commits], 2u);
          CHECK_EQ(things.claimed(), 0u);
        }
      }
    });
  }
#endif

  test::run(("slots of failed attempts" + with).c_str(), [] {
    host::slot_pool slots(100, 0);
    std::vector<std::uint32_t> runs(10, 0);
    test::region_options options;
    options.threads = 1;
    options.pools = {&slots};
    host::run_region<stm::hand_off>(taker{slots.view<0>(), {runs.data(), 10}}, 10, options);
    CHECK_EQ(slots.live(), stm::breaks(mutant::slots_leak_on_abort) ? 20u : 10u);
  });

  test::run(("a stale reader" + with).c_str(), [] {
    // Items 1 and 2 by one thread, which may keep what it freed, or by two. Item 3 does nothing.
    const std::vector<std::uint32_t> shared =
        test::simulated ? std::vector<std::uint32_t>{0, 1, 3, 2} : std::vector<std::uint32_t>{0, 3, 1, 2};
    for (const std::uint32_t threads : {2u, 4u}) {
      test::object_array things(4);
      host::slot_pool slots(4, 1);
      std::vector<std::uint32_t> name(4, 0);
      name[0] = 5;
      std::uint32_t step = 0, found = ~0u;
      test::region_options options;
      options.threads = threads;
      options.pools = {&slots};
      host::run_region<stm::hand_off>(
          lookup{things.view<stm::hand_off>(), slots.view<0>(), {name.data(), 4}, &step, &found}, 4, options,
          shared.data());
      // Not 9, the name of another thing.
      CHECK_EQ(found, stm::breaks(mutant::slot_reused_in_launch) && threads == 2 ? 9u : 0u);
      CHECK_EQ(slots.live(), 1u);
    }
  });
}

int main() {
  host::simulated() = {1, test::plenty_of_steps, 1};
  under(mutant::none, "no mutant");
  under(mutant::push_before_commit, "push_before_commit");
  under(mutant::deferred_rank_lost, "deferred_rank_lost");
  under(mutant::eager_loser_deferred, "eager_loser_deferred");
  under(mutant::slots_leak_on_abort, "slots_leak_on_abort");
  under(mutant::slot_reused_in_launch, "slot_reused_in_launch");
  return test::finish();
}
