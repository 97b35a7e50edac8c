// flavors: cpu sim
// full flavors: cpu
// build: -DMAGPIE_MUTANTS
// Reads of long transactions look at their claims only after others have committed: that such a read never sees a mix of
// two states, and that each step of the rule is needed. On `sim` also over all schedules, and all values that loads may
// read on weak memory.
#if defined(MAGPIE_MACHINE_SIM)
#include "sim_test.hpp"
#endif
#include "stm_test.hpp"

using namespace magpie;
using stm::mutant;
using stm::outcome;
using test::object_array;

/// Item 1 reads one of two data, then item 0, which is older, adds 1 to both, then item 1 reads that one again, and the
/// other one. `Early`: item 1 opens both before. The two tell each other of their steps by relaxed accesses, which order
/// nothing else.
template <bool Early, std::uint32_t Objects>
struct read_around {
  stm::objects things;
  array<std::uint32_t> values;
  std::uint32_t* step;   // 1: item 1 has read; 2: item 0 has committed
  std::uint32_t* mixed;  // reads of a mix
  static constexpr std::uint32_t max_objects = Objects, max_writes = Objects;
  using state = std::uint32_t;
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state&) const {
    const bool is_first = ld_rlx_dev(step) == 0;
    if (item == 0) {
      wait_for(tx, 1);
      for (std::uint32_t i = 0; i < 2; ++i) {
        const auto object = tx.open(things, i);
        std::uint32_t value;
        if (!tx.read(object, &values[i], value) || !tx.write(object, &values[i], value + 1)) return outcome::retry;
      }
      return outcome::commit;
    }
    std::uint32_t first, again, second;
    const auto a = tx.open(things, 0);
    if (Early && !tx.open(things, 1)) return outcome::retry;
    if (!tx.read(a, &values[0], first)) return outcome::retry;
    if (is_first) {
      st_rlx_dev(step, 1u);
      wait_for(tx, 2);
    }
    if (!tx.read(a, &values[0], again)) return outcome::retry;
    if (!tx.read(tx.open(things, 1), &values[1], second)) return outcome::retry;
    if (first != again || first != second) red_add_rlx_dev(mixed, 1u);
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx&, std::uint32_t, const state&) const {}
  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t item, const state&) const {
    if (item == 0) st_rlx_dev(step, 2u);
  }
  template <class Tx>
  MAGPIE_DEVICE void wait_for(const Tx& tx, std::uint32_t which) const {
    while (ld_rlx_dev(step) < which && !tx.stopping()) pause(100);
  }
};

template <class Policy, bool Early, std::uint32_t Objects>
std::uint32_t mixes() {
  object_array things(2);
  std::vector<std::uint32_t> values(2, 0);
  std::uint32_t step = 0, mixed = 0;
  test::region_options options;
  options.threads = 2;
  options.eager_attempts = 0;
  const auto report = host::run_region<Policy>(
      read_around<Early, Objects>{things.view<Policy>(), {values.data(), 2}, &step, &mixed}, 2, options);
  CHECK(report.unfinished.empty());
  CHECK_EQ(things.claimed(), 0u);
  CHECK(values == std::vector<std::uint32_t>(2, 1));
  return mixed;
}

#if defined(MAGPIE_MACHINE_SIM)
enum rule { whole, added_after_fence, added_before_locks, loaded_after_look, data_relaxed, number_relaxed };

/// The rule in accessors alone. Thread 0 claimed objects a and b, reads a, then reads b; thread 1 locks both, past those
/// claims, and writes both; `twice`: after a commit of something else.
struct two_threads {
  struct memory {
    std::uint32_t words[2] = {own, own};
    std::uint64_t number = 0;
    std::uint32_t values[2] = {0, 0};
    std::string outcome;
  };
  static constexpr std::uint32_t own = 2;
  memory* m;
  rule broken;
  bool twice;

  void operator()(const thread& self) const {
    if (self.rank() == 0) {
      std::uint64_t looked_at = 0;
      m->outcome.clear();
      for (std::uint32_t i = 0; i < 2; ++i) {
        const std::uint32_t value = broken == data_relaxed ? ld_rlx_dev(&m->values[i]) : ld_acq_dev(&m->values[i]);
        std::uint64_t now = broken == number_relaxed ? ld_rlx_dev(&m->number) : ld_acq_dev(&m->number);
        if (now != looked_at) {
          if (ld_rlx_dev(&m->words[0]) != own || ld_rlx_dev(&m->words[1]) != own) {
            m->outcome = "failed";
            return;
          }
          if (broken == loaded_after_look) now = ld_acq_dev(&m->number);
          looked_at = now;
        }
        m->outcome += static_cast<char>('0' + value);
      }
    } else {
      if (twice) red_add_rlx_dev(&m->number, std::uint64_t{1});
      if (broken == added_before_locks) red_add_rlx_dev(&m->number, std::uint64_t{1});
      for (std::uint32_t& word : m->words) exch_rlx_dev(&word, 1u);
      if (broken != added_before_locks) {
        fence_acqrel_dev();
        if (broken != added_after_fence) red_add_rlx_dev(&m->number, std::uint64_t{1});
      }
      fence_acqrel_dev();
      if (broken == added_after_fence) red_add_rlx_dev(&m->number, std::uint64_t{1});
      for (std::uint32_t& value : m->values) st_rlx_dev(&value, 1u);
    }
  }
};

std::string seen_under(rule broken, bool twice) {
  two_threads::memory memory;
  return test::outcomes(
      true, 2, 1,
      [&] {
        memory = {};
        return two_threads{&memory, broken, twice};
      },
      [&] { return memory.outcome; });
}
#endif

int main() {
  host::simulated() = {1, test::plenty_of_steps, 1};
  for (const bool counted : {true, false}) {
    stm::chosen_mutant = counted ? mutant::none : mutant::publication_uncounted;
    const std::uint32_t expected = counted ? 0 : 1;
    test::run(counted ? "a commit between two reads" : "the same without the count", [&] {
      // The region's own log is a long one.
      CHECK_EQ((mixes<stm::hand_off, true, 300>()), expected);
      CHECK_EQ((mixes<stm::hand_off, false, 300>()), expected);
      CHECK_EQ((mixes<stm::priority_rule, true, 300>()), expected);
      CHECK_EQ((mixes<stm::priority_rule, false, 300>()), expected);
      CHECK_EQ((mixes<stm::optimistic_hand_off, true, 300>()), expected);
      CHECK_EQ((mixes<stm::optimistic_hand_off, false, 300>()), expected);
      // Short transactions look after every read.
      CHECK_EQ((mixes<stm::hand_off, true, 2>()), 0u);
    });
  }
  stm::chosen_mutant = mutant::none;

#if defined(MAGPIE_MACHINE_SIM)
  const auto mixes_on_weak_memory = [](mutant which) {
    stm::chosen_mutant = which;
    std::uint32_t mixed = 0;
    for (std::uint32_t seed = 2; seed < 40'000 && mixed == 0; seed += 4) {
      test::simulate_by(seed, 1);
      host::simulated().max_steps = test::plenty_of_steps;
      mixed += mixes<stm::hand_off, true, 300>() + mixes<stm::priority_rule, true, 300>() +
               mixes<stm::optimistic_hand_off, true, 300>();
    }
    stm::chosen_mutant = mutant::none;
    return mixed;
  };
  test::run("on weak memory", [&] {
    CHECK_EQ(mixes_on_weak_memory(mutant::none), 0u);
    CHECK(mixes_on_weak_memory(mutant::publication_after_fence) > 0);
    CHECK(mixes_on_weak_memory(mutant::publication_before_locks) > 0);
  });
  test::run("all schedules on weak memory", [] {
    const std::string right = "00 failed", wrong = "01";
    for (const bool twice : {false, true}) CHECK_EQ(seen_under(whole, twice), right);
    // Each order is needed.
    for (const rule broken : {added_after_fence, added_before_locks, data_relaxed, number_relaxed}) {
      CHECK_CONTAINS(seen_under(broken, false), wrong);
    }
    // A number loaded after the look may be that of a commit which the look missed.
    CHECK_CONTAINS(seen_under(loaded_after_look, true), wrong);
  });
#endif
  return test::finish();
}
