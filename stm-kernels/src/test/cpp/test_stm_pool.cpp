// full flavors: sim
// Pools: no slot is handed out twice among live ones, none is lost, a freed one waits for the next launch; exhausted
// pools defer, grow, and the run finishes.
#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::object_array;

constexpr std::uint32_t dead = ~0u;

/// Stacks of nodes from a pool. By its hash an item pushes two nodes, or one, or pops one; pushes take a ticket from
/// another pool, in `apply`. Some attempts are undone with slots taken, and some of an inner transaction.
struct stacks {
  stm::objects heads, nodes;
  array<std::uint32_t> head;      // node + 1; 0 = empty
  array<std::uint32_t> next;      // of a node: node + 1; `dead` once popped
  array<std::uint32_t> freed_in;  // of a node: launch
  array<std::uint32_t> attempts;  // of an item
  array<std::uint32_t> tickets;   // item + 1
  stm::pool<0> slots;
  stm::pool<1> numbers;
  std::uint32_t* wrong;
  std::uint32_t launch;
  static constexpr std::uint32_t max_objects = 4, max_writes = 0, max_pushes = 0;
  static constexpr std::uint32_t max_slots[] = {3, 2};

  struct state {
    std::uint32_t pushes, nodes[2], first;
  };
  static constexpr std::uint32_t pushes_of(std::uint32_t item) { return (item * 2654435761u >> 20) % 16 / 6; }

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    const std::uint32_t at = item % heads.count;
    const std::uint32_t attempt = add_rlx_dev(&attempts[item], 1u);
    s.pushes = pushes_of(item);
    if (s.pushes > 0 && (!tx.reserve(slots, s.pushes) || !tx.reserve(numbers, 1))) return outcome::retry;
    const auto h = tx.open(heads, at);
    if (!tx.read(h, &head[at], s.first)) return outcome::retry;
    if (s.pushes == 0) {
      if (s.first == 0) return outcome::cancel;
      s.nodes[0] = s.first - 1;
      const auto n = tx.open(nodes, s.nodes[0]);
      return tx.read(n, &next[s.nodes[0]], s.first) ? outcome::commit : outcome::retry;
    }
    if (attempt % 4 == 0 && item % 3 == 0) {
      std::uint32_t tried = 0;
      const outcome inner = tx.inner(3, [&](auto& in) {
        take(in, s);
        return tried++ < 2 ? outcome::retry : outcome::commit;
      });
      if (inner != outcome::commit) return outcome::retry;
    } else {
      take(tx, s);
    }
    return attempt == 0 && item % 5 == 0 ? outcome::retry : outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void take(Tx& tx, state& s) const {
    for (std::uint32_t k = 0; k < s.pushes; ++k) {
      s.nodes[k] = tx.take(slots);
      const bool live = next[s.nodes[k]] != dead || freed_in[s.nodes[k]] == launch;
      if (tx.open(nodes, s.nodes[k]) && live) red_add_rlx_dev(wrong, 1u);
    }
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    const std::uint32_t at = item % heads.count;
    if (s.pushes == 0) {
      tx.store({}, &head[at], s.first);
      tx.store({}, &next[s.nodes[0]], dead);
      tx.store({}, &freed_in[s.nodes[0]], launch);
      return tx.free(slots, s.nodes[0]);
    }
    tx.store({}, &tickets[tx.take(numbers)], item + 1);
    std::uint32_t below = s.first;
    for (std::uint32_t k = 0; k < s.pushes; ++k) {
      tx.store({}, &next[s.nodes[k]], below);
      below = s.nodes[k] + 1;
    }
    tx.store({}, &head[at], below);
  }
};

/// The arrays of a `stacks`, which grow with its pools, and what must hold of them between launches.
struct stack_data {
  std::uint32_t launch = 1;
  object_array heads, nodes;
  host::slot_pool slots, numbers;
  std::vector<std::uint32_t> head, next, freed_in, attempts, tickets;
  std::uint32_t wrong = 0;

  stack_data(std::uint32_t stacks_, std::uint32_t capacity, std::uint32_t items)
      : heads(stacks_),
        nodes(capacity),
        slots(capacity, 0),
        numbers(capacity, 0),
        head(stacks_, 0),
        next(capacity, dead),
        freed_in(capacity, 0),
        attempts(items, 0),
        tickets(capacity, 0) {}

  void grow(std::uint32_t capacity) {
    nodes.grow(capacity);
    slots.grow(capacity);
    numbers.grow(capacity);
    next.resize(capacity, dead);
    freed_in.resize(capacity, 0);
    tickets.resize(capacity, 0);
  }
  template <class Policy>
  stacks region() {
    return {heads.view<Policy>(),
            nodes.view<Policy>(),
            {head.data(), head.size()},
            {next.data(), next.size()},
            {freed_in.data(), freed_in.size()},
            {attempts.data(), attempts.size()},
            {tickets.data(), tickets.size()},
            slots.view<0>(),
            numbers.view<1>(),
            &wrong,
            launch++};
  }
  /// Every slot is on a stack, or recycled, or was never used; and never two of these.
  void check() const {
    CHECK_EQ(wrong, 0u);
    CHECK_EQ(heads.claimed(), 0u);
    CHECK_EQ(nodes.claimed(), 0u);
    std::vector<std::uint32_t> found(slots.capacity(), 0);
    std::uint32_t live = 0;
    for (const std::uint32_t top : head) {
      for (std::uint32_t node = top; node != 0; node = next[node - 1]) {
        CHECK_EQ(++found[node - 1], 1u);
        ++live;
      }
    }
    CHECK_EQ(live, slots.live());
    for (const std::uint32_t slot : slots.recycled()) {
      CHECK_EQ(++found[slot], 1u);
      CHECK_EQ(next[slot], dead);
    }
    for (std::uint32_t slot = 0; slot < slots.capacity(); ++slot) {
      CHECK_EQ(found[slot], slot < slots.first_fresh() ? 1u : 0u);
    }
    std::uint32_t tickets_out = 0;
    std::vector<std::uint32_t> owned(attempts.size(), 0);
    for (const std::uint32_t ticket : tickets) {
      if (ticket == 0) continue;
      ++tickets_out;
      CHECK_EQ(++owned[ticket - 1], 1u);
    }
    CHECK_EQ(tickets_out, numbers.live());
    for (const std::uint32_t number : numbers.recycled()) CHECK_EQ(tickets[number], 0u);
  }
};

/// Runs items 0..items-1; slots grow by `more` when a round found none.
template <class Policy>
void run_stacks(std::uint32_t items, std::uint32_t n, std::uint32_t capacity, std::uint32_t more,
                host::rounds_options options) {
  stack_data data(n, capacity, items);
  std::vector<std::uint32_t> all(items);
  std::iota(all.begin(), all.end(), 0u);
  host::worklist work(all);
  options.pools = {&data.slots, &data.numbers};
  host::simulated().max_steps = test::plenty_of_steps;
  host::rounds_report total;
  std::uint64_t no_slot = 0;
  try {
    do {
      if (total.stalled) options.threads = 1;  // priority_rule
      total = host::run_rounds<Policy>([&] { return data.region<Policy>(); }, work, options,
                                       [&](const host::round_report& round) {
                                         data.check();
                                         no_slot += round.no_slot;
                                         if (round.no_slot > 0) data.grow(data.slots.capacity() + more);
                                       });
    } while (total.stalled && options.threads != 1);
  } catch (const std::exception& error) {
    test::fail(__FILE__, __LINE__, error.what());
  }
  data.check();
  CHECK(!total.stalled);
  CHECK_EQ(work.size(), 0u);
  CHECK(total.unfinished.empty());
  std::uint32_t pushers = 0;
  for (std::uint32_t item = 0; item < items; ++item) pushers += stacks::pushes_of(item) > 0;
  CHECK_EQ(data.numbers.live(), pushers);
  if (capacity < pushers) CHECK(no_slot > 0);
}

/// Takes and keeps `want` slots; frees in the hook what it took as an odd item.
struct keepers {
  stm::pool<0> slots;
  array<std::uint32_t> kept;  // of a slot: item + 1
  static constexpr std::uint32_t max_objects = 0, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {6};
  using state = std::uint32_t;
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t, state&) const {
    return tx.reserve(slots, 2) && tx.reserve(slots, 5) ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, state& s) const {
    for (std::uint32_t k = 0; k < 5; ++k) {
      s = tx.take(slots);
      kept[s] = item + 1;
    }
  }
  template <class Tx>
  MAGPIE_DEVICE void committed(Tx& tx, std::uint32_t item, const state& last) const {
    if (item % 2 == 0) return;
    kept[last] = 0;
    tx.free(slots, last);
  }
};

/// Frees slots that it may not free, or not so often.
struct spoiler {
  enum way : std::uint32_t { twice, again_and_again, never_taken, already_free, foreign, in_body, in_roll_back };
  stm::pool<0> slots;
  array<std::uint32_t> tries;
  std::uint32_t how;
  static constexpr std::uint32_t max_objects = 0, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};
  using state = std::uint32_t;
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state&) const {
    if (how == in_body) tx.free(slots, item);
    if (how != in_body && how != in_roll_back) return outcome::commit;
    return add_rlx_dev(&tries[item], 1u) < 2 ? outcome::retry : outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state&) const {
    const auto times = how == twice ? 2u : how == again_and_again ? 100u : 0u;
    for (std::uint32_t k = 0; k < times; ++k) tx.free(slots, item);
    if (how == never_taken) tx.free(slots, slots.capacity - 1);
    if (how == already_free) tx.free(slots, 5);
    if (how == foreign) tx.free(slots, slots.capacity);
  }
  template <class Tx>
  MAGPIE_DEVICE void rolled_back(Tx& tx, std::uint32_t item, state&) const {
    if (how == in_roll_back) tx.free(slots, item);
  }
};

/// A pool of 8 slots: 0 to 3 are live, 4 and 5 free again, 6 and 7 were never taken.
host::slot_pool used_pool() {
  host::slot_pool pool(8, 6);
  std::vector<std::uint32_t> returned{4, 5};
  host::copy_in(pool.returned(), returned.data(), 8);
  pool.settle(0, 2);
  CHECK_EQ(pool.live(), 4u);
  return pool;
}

/// Runs so many items of `how`; gives the message, which is empty if the launch was taken.
std::string spoil(spoiler::way how, std::uint32_t items, std::uint32_t threads) {
  host::slot_pool slots = used_pool();
  std::vector<std::uint32_t> tries(items, 0);
  test::region_options options;
  options.threads = threads;
  options.pools = {&slots};
  host::simulated().max_steps = test::plenty_of_steps;
  const spoiler region{slots.view<0>(), {tries.data(), items}, how};
  try {
    host::run_region<stm::hand_off>(region, items, options);
  } catch (const std::exception& error) {
    for (const auto& use : std::initializer_list<std::function<void()>>{
             [&] { static_cast<void>(slots.view<0>()); },
             [&] { static_cast<void>(slots.recycled()); },
             [&] { slots.grow(9); },
             [&] { host::run_region<stm::hand_off>(region, items, options); },
         }) {
      std::string refusal;
      try {
        use();
      } catch (const std::exception& second) {
        refusal = second.what();
      }
      CHECK_CONTAINS(refusal, "make a new one");
    }
    return error.what();
  }
  CHECK_EQ(slots.live() + slots.free(), 8u);
  return "";
}

int main() {
  test::run("slots freed against the rules", [] {
    test::for_each_setting(4, [&](std::uint32_t threads) {
      // Without checks the number tells only when it is impossible.
      CHECK_CONTAINS(spoil(spoiler::again_and_again, 4, threads), "400 slots came back of 4 live and 0 handed out");
      CHECK_EQ(spoil(spoiler::twice, 0, threads), "");
#if MAGPIE_CHECKS_BOUNDS
      CHECK_CONTAINS(spoil(spoiler::twice, 1, threads), "slot 0 was freed more than once");
      CHECK_CONTAINS(spoil(spoiler::never_taken, 1, threads), "slot 7 came back, which was never taken");
      CHECK_CONTAINS(spoil(spoiler::already_free, 1, threads), "slot 5 was freed more than once, or was not live");
      CHECK_CONTAINS(spoil(spoiler::foreign, 1, threads), "index 8 is outside");
      CHECK_CONTAINS(spoil(spoiler::in_body, 1, threads), "frees a slot outside of apply and committed");
      CHECK_CONTAINS(spoil(spoiler::in_roll_back, 1, threads), "frees a slot outside of apply and committed");
#else
      CHECK_CONTAINS(spoil(spoiler::in_body, 4, threads), "12 slots came back of 4 live and 0 handed out");
#endif
    });
  });

  for (const bool rule : {false, true}) {
    const std::string policy = rule ? ", priority_rule" : ", hand_off";
    const auto run = [&](std::uint32_t items, std::uint32_t n, std::uint32_t capacity, std::uint32_t more,
                         std::uint32_t number, std::uint32_t threads) {
      host::rounds_options options;
      static_cast<test::region_options&>(options) = test::options_of(number, threads);
      options.defer_losers = number / 3 % 2 != 0;
      options.idle_rounds = 50;
      if (number % 5 == 4) options.launch_items = 50;
      if (rule) {
        options.max_attempts = 20;
        run_stacks<stm::priority_rule>(items, n, capacity, more, options);
      } else {
        run_stacks<stm::hand_off>(items, n, capacity, more, options);
      }
    };
    test::run(("slots enough" + policy).c_str(), [&] {
      std::uint32_t number = 0;
      test::for_each_setting(test::scaled(16, 4), [&](std::uint32_t threads) {
        const std::uint32_t items = test::simulated ? 300 : test::scaled(20'000, 2'000);
        run(items, 3, 2 * items + 1000, 0, number++, threads);
        run(items, 100, 2 * items + 1000, 0, number, threads);
      });
    });
    test::run(("slots exhausted" + policy).c_str(), [&] {
      std::uint32_t number = 0;
      test::for_each_setting(test::scaled(16, 4), [&](std::uint32_t threads) {
        const std::uint32_t items = test::simulated ? 200 : test::scaled(5'000, 1'000);
        run(items, 7, 5, items / 4, number++, threads);
      });
    });
  }

  test::run("without rounds", [] {
    test::for_each_setting(8, [&](std::uint32_t threads) {
      const std::uint32_t items = 40, capacity = 123;
      host::slot_pool slots(capacity, 3);
      std::vector<std::uint32_t> kept(capacity, 0);
      test::region_options options;
      options.threads = threads;
      options.pools = {&slots};
      host::simulated().max_steps = test::plenty_of_steps;
      std::uint64_t finished = 0;
      for (std::uint32_t launch = 0; launch < 3; ++launch) {
        const std::uint32_t before = slots.live();
        const auto report =
            host::run_region<stm::hand_off>(keepers{slots.view<0>(), {kept.data(), capacity}}, items, options);
        const std::uint64_t done = items - report.unfinished.size();
        CHECK_EQ(report.statistics[test::counter::no_slot], report.unfinished.size());
        CHECK(launch != 0 || done > 0);
        std::uint32_t odd = items / 2;
        for (const std::uint32_t position : report.unfinished) odd -= position % 2;
        CHECK_EQ(slots.live(), before + 5 * done - odd);
        finished += done;
        std::vector<std::uint32_t> found(capacity, 0);
        for (const std::uint32_t slot : slots.recycled()) ++found[slot];
        for (std::uint32_t slot = 0; slot < capacity; ++slot) {
          const bool free = found[slot] != 0 || slot >= slots.first_fresh();
          CHECK(found[slot] <= 1);
          CHECK_EQ(kept[slot] == 0 && slot >= 3, free);
        }
      }
      CHECK(finished > 0);
    });
  });

  test::run("refused", [] {
    for (const auto& [capacity, first] : {std::pair{5u, 6u}, std::pair{0x80000000u, 0u}}) {
      std::string what;
      try {
        host::slot_pool pool(capacity, first);
      } catch (const std::exception& error) {
        what = error.what();
      }
      CHECK_CONTAINS(what, "slots");
    }
    std::string what;
    try {
      host::run_region<stm::hand_off>(keepers{}, 1, {});
    } catch (const std::exception& error) {
      what = error.what();
    }
    CHECK_CONTAINS(what, "1 pools");
  });
  return test::finish();
}
