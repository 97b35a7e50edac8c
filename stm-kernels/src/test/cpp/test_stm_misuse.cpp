// flavors: cpu sim cpu-asan
// full flavors: cpu
// Regions and hosts that break a rule: each is told which, at once; and regions that would loop forever end with their
// launch.
#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::object_array;
using test::refusal;

struct shared_part {
  stm::objects cells;
  array<std::uint32_t> value;
};
/// Adds 1; `bad` item does so out of bounds.
struct add_one {
  std::uint32_t bad;
  shared_part of;  // found there as well
  static constexpr std::uint32_t max_objects = 2, max_writes = 1, max_pushes = 0;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t at = item % of.cells.count;
    const auto a = tx.open(of.cells, at);
    std::uint32_t v;
    if (!tx.read(a, &of.value[item == bad ? 1'000'000 : at], v)) return outcome::retry;
    return tx.write(a, &of.value[at], v + 1) ? outcome::commit : outcome::retry;
  }
};
constexpr std::uint32_t none_bad = ~0u;

/// Uses a handle that was never opened, or that an undone inner attempt opened, if need be after another one was.
struct loose_handle {
  enum way : std::uint32_t { reading, writing, undone, replaced };
  stm::objects cells;
  array<std::uint32_t> value, attempts;
  std::uint32_t how;
  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    red_add_rlx_dev(&attempts[item], 1u);
    stm::handle h;
    std::uint32_t v;
    if (how >= undone) {
      const outcome inner = tx.inner(1, [&](auto& in) {
        h = in.open(cells, 0);
        return outcome::cancel;
      });
      if (inner != outcome::cancel) return outcome::retry;
    }
    if (how == replaced && !tx.open(cells, 1)) return outcome::retry;  // at the same place of the log
    const bool done = how == writing ? tx.write(h, &value[0], item) : tx.read(h, &value[0], v);
    return done ? outcome::commit : outcome::retry;
  }
};

#if MAGPIE_CHECKS_BOUNDS
/// Writes 8 bytes, then accesses `bytes` bytes `skipped` bytes behind their begin, in `plan` or in `apply`.
template <std::uint32_t MaxWrites>
struct writes_by_parts {
  enum way : std::uint32_t { reading, writing, loading, storing };
  stm::objects cells;
  array<std::uint64_t> value;
  std::uint32_t bytes, skipped, how;
  static constexpr std::uint32_t max_objects = 1, max_writes = MaxWrites;
  static constexpr bool narrow_writes = true;
  using state = stm::handle;
  template <class T, class Tx>
  MAGPIE_DEVICE bool access(Tx& tx, stm::handle h) const {
    auto* const p = reinterpret_cast<T*>(reinterpret_cast<std::byte*>(&value[1]) + skipped);
    T v{};
    if (how == loading) static_cast<void>(tx.load(h, p));
    if (how == storing) tx.store(h, p, v);
    return how == writing ? tx.write(h, p, v) : how != reading || tx.read(h, p, v);
  }
  template <class Tx>
  MAGPIE_DEVICE bool access(Tx& tx, stm::handle h) const {
    return bytes == 1   ? access<std::uint8_t>(tx, h)
           : bytes == 2 ? access<std::uint16_t>(tx, h)
           : bytes == 4 ? access<std::uint32_t>(tx, h)
                        : access<std::uint64_t>(tx, h);
  }
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t, state& h) const {
    h = tx.open(cells, 0);
    if (!tx.write(h, &value[1], 1)) return outcome::retry;
    return how >= loading || access(tx, h) ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& h) const {
    if (how >= loading) access(tx, h);
  }
};

/// All accesses but that to the whole datum, and those beside it, are refused.
template <std::uint32_t MaxWrites>
void refuses_parts(const test::region_options& options) {
  using region = writes_by_parts<MaxWrites>;
  for (const auto how : {region::reading, region::writing, region::loading, region::storing}) {
    for (const std::uint32_t bytes : {1u, 2u, 4u, 8u}) {
      for (std::uint32_t skipped = 0; skipped <= 8; skipped += bytes) {
        object_array cells(1);
        std::vector<std::uint64_t> value(3, 0);
        const region accesses{cells.view<stm::hand_off>(), {value.data(), 3}, bytes, skipped, how};
        const std::string said = refusal([&] { host::run_region<stm::hand_off>(accesses, 1, options); });
        if (skipped == 8 || bytes == 8) {
          CHECK_EQ(said, "nothing was thrown");
        } else {
          CHECK_CONTAINS(said, "always with the same size");
        }
      }
    }
  }
}
#endif

/// Asks for another attempt, forever, in one way or another.
struct asks {
  outcome how;
  static constexpr std::uint32_t max_objects = 0, max_writes = 0;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx&, std::uint32_t item) const {
    return item % 2 == 0 ? how : outcome::commit;
  }
};

/// Loops over one operation, forever; raises the watchdog's flag itself after a while.
struct loops {
  enum way : std::uint32_t { read, write, open, open_each, reserve, peek, ways };
  stm::objects cells;
  array<std::uint32_t> value;
  stm::pool<0> slots;
  std::uint32_t* stop;
  std::uint32_t how;
  static constexpr std::uint32_t max_objects = 2, max_writes = 1;
  static constexpr std::uint32_t max_slots[] = {1};
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto h = tx.open(cells, item);
    std::uint32_t v = 0;
    for (std::uint32_t turn = 0;; ++turn) {
      if (turn == 3000) st_rlx_dev(stop, 1u);
      bool good = true;
      if (how == read) good = tx.read(h, &value[item], v);
      if (how == write) good = tx.write(h, &value[item], turn);
      if (how == open) good = static_cast<bool>(tx.open(cells, item));
      if (how == open_each) good = tx.open_each(cells, 1, [&](std::uint32_t) { return item; });
      if (how == reserve) good = tx.reserve(slots, 1);
      if (how == peek) v += tx.peek(cells, item, &value[item]), good = !tx.failed();
      if (!good) return outcome::retry;
    }
  }
};
/// The same without validation, where `open_each` has a form of its own.
struct loops_unvalidated : loops {
  static constexpr stm::reads reads = stm::reads::unvalidated;
};

#if MAGPIE_CHECKS_BOUNDS
/// Does in `part` what belongs elsewhere.
struct misplaced {
  enum where : std::uint32_t { body, apply_part, committed_part, rolled_back_part };
  enum what : std::uint32_t {
    opens,
    opens_each,
    reading,
    writes,
    peeks,
    reserves,
    reserves_many,
    stores,
    loads,
    takes,
    takes_unreserved,
    pushes
  };
  stm::objects cells;
  array<std::uint32_t> value;
  stm::pool<0> slots;
  std::uint32_t part, how;
  static constexpr std::uint32_t max_objects = 2, max_writes = 1, max_pushes = 1;
  static constexpr std::uint32_t max_slots[] = {2};
  using state = stm::handle;
  template <class Tx>
  MAGPIE_DEVICE void act(Tx& tx, const stm::handle& h) const {
    std::uint32_t v = 0;
    if (how == opens) static_cast<void>(tx.open(cells, 1));
    if (how == opens_each) static_cast<void>(tx.open_each(cells, 1, [](std::uint32_t) { return 1u; }));
    if (how == reading) static_cast<void>(tx.read(h, &value[0], v));
    if (how == writes) static_cast<void>(tx.write(h, &value[0], 1u));
    if (how == peeks) static_cast<void>(tx.peek(cells, 0, &value[0]));
    if (how == reserves) static_cast<void>(tx.reserve(slots, 1));
    if (how == reserves_many) static_cast<void>(tx.reserve(slots, 3));
    if (how == stores) tx.store(h, &value[0], 1u);
    if (how == loads) static_cast<void>(tx.load(h, &value[0]));
    if (how == takes || how == takes_unreserved) static_cast<void>(tx.take(slots));
    if (how == pushes) tx.push(7), tx.push(8);
  }
  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t, state& h) const {
    if (how == takes && !tx.reserve(slots, 1)) return outcome::retry;
    h = tx.open(cells, 0);
    if (part == body) act(tx, h);
    return part == rolled_back_part ? outcome::cancel : outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& h) const {
    if (part == apply_part) act(tx, h);
  }
  template <class Tx>
  MAGPIE_DEVICE void committed(Tx& tx, std::uint32_t, const state& h) const {
    if (part == committed_part) act(tx, h);
  }
  template <class Tx>
  MAGPIE_DEVICE void rolled_back(Tx& tx, std::uint32_t, state& h) const {
    if (part == rolled_back_part) act(tx, h);
  }
};

std::string misplace(misplaced::where part, misplaced::what how) {
  object_array cells(2);
  host::buffer<std::uint32_t> value(2, 0);
  host::slot_pool slots(8, 0);
  host::rounds_options options;
  options.threads = 1;
  options.pools = {&slots};
  options.max_rounds = 1;
  host::worklist work({0});
  return refusal([&] {
    host::run_rounds<stm::hand_off>(
        [&] {
          return misplaced{cells.view<stm::hand_off>(), value.view(), slots.view<0>(), part, how};
        },
        work, options);
  });
}
#endif

template <class Region>
void ends_when_stopped() {
  for (std::uint32_t how = 0; how < loops::ways; ++how) {
    test::setting() += " " + std::to_string(how);
    const std::uint32_t items = 3;
    object_array cells(items);
    std::vector<std::uint32_t> value(items, 5);
    host::slot_pool slots(8, 0);
    std::uint32_t stop = 0, pending = 0;
    std::vector<std::uint64_t> statistics(test::counter::total, 0);
    stm::control control{};
    control.items = items;
    control.pending = &pending;
    control.statistics = statistics.data();
    control.stop = &stop;
    control.first_rank = 100;
    control.polls = 8;
    control.returned[0] = slots.returned();
    control.returned_room[0] = slots.capacity();
    Region region;
    static_cast<loops&>(region) = {cells.view<stm::hand_off>(), {value.data(), items}, slots.view<0>(), &stop, how};
    host::simulated().max_steps = test::plenty_of_steps;
    using kernel = stm::region_kernel<Region, stm::hand_off, false>;
    host::run(kernel{control, region}, 3);
    CHECK_EQ(pending, 7u);
    CHECK_EQ(statistics[test::counter::stopped], items);
    CHECK_EQ(statistics[test::counter::commits], 0u);
    CHECK(value == std::vector<std::uint32_t>(items, 5));
    CHECK_EQ(cells.claimed(), 0u);
  }
}

int main() {
  host::simulated() = {0, test::plenty_of_steps, 4};
  test::region_options options;
  options.threads = 2;
  options.timeout = std::chrono::milliseconds(10'000);

  test::run("words of another policy", [&] {
    object_array cells(4);
    std::vector<std::uint32_t> value(4, 0);
    const auto under = [&](auto policy) {
      return add_one{none_bad, {cells.view<decltype(policy)>(), {value.data(), 4}}};
    };
    CHECK_CONTAINS(refusal([&] { host::run_region<stm::priority_rule>(under(stm::hand_off{}), 4, options); }),
                   "objects has words of another policy");
    host::worklist work({0, 1, 2});
    host::rounds_options in_rounds;
    in_rounds.threads = 2;
    CHECK_CONTAINS(
        refusal([&] { host::run_rounds<stm::hand_off>([&] { return under(stm::priority_rule{}); }, work, in_rounds); }),
        "objects has words of another policy");
    CHECK_EQ(work.size(), 3u);  // nothing ran: all is as it was
    CHECK(host::run_rounds<stm::hand_off>([&] { return under(stm::hand_off{}); }, work, in_rounds).unfinished.empty());
    CHECK(host::run_region<stm::priority_rule>(under(stm::priority_rule{}), 4, options).unfinished.empty());
    CHECK(value == (std::vector<std::uint32_t>{2, 2, 2, 1}));
#if MAGPIE_CHECKS_BOUNDS
    std::uint32_t pending = 0;
    std::vector<std::uint64_t> statistics(test::counter::total, 0);
    stm::control control{};
    control.items = 1;
    control.pending = &pending;
    control.statistics = statistics.data();
    control.first_rank = 100;
    using kernel = stm::region_kernel<add_one, stm::hand_off, false>;
    CHECK_CONTAINS(refusal([&] {
                     host::run(kernel{control, under(stm::priority_rule{})}, 1);
                   }),
                   "filled for another policy");
#endif
  });

  test::run("a handle that is not open", [&] {
    for (const auto how :
         {loose_handle::reading, loose_handle::writing, loose_handle::undone, loose_handle::replaced}) {
      object_array cells(4);
      std::vector<std::uint32_t> value(4, 0), attempts(3, 0);
      const loose_handle region{cells.view<stm::hand_off>(), {value.data(), 4}, {attempts.data(), 3}, how};
#if MAGPIE_CHECKS_BOUNDS
      const char* const expected[] = {"reads through a handle that was never opened",
                                      "writes through a handle that was never opened",
                                      "uses a handle of an attempt or inner transaction that was undone",
                                      "uses a handle of an attempt or inner transaction that was undone"};
      CHECK_CONTAINS(refusal([&] { host::run_region<stm::hand_off>(region, 3, options); }), expected[how]);
#else
      if (how >= loose_handle::undone) continue;  // undefined
      const auto report = host::run_region<stm::hand_off>(region, 3, options);
      CHECK_EQ(report.unfinished.size(), 3u);
      CHECK_EQ(report.statistics[test::counter::unopened], 3u);
      CHECK_EQ(report.statistics[test::counter::attempts_exhausted], 0u);
      CHECK_EQ(report.statistics[test::counter::stopped], 0u);
      CHECK(attempts == (std::vector<std::uint32_t>{1, 1, 1}));
      CHECK(!report.timed_out);
#endif
    }
  });

#if MAGPIE_CHECKS_BOUNDS
  test::run("data by parts", [&] {
    refuses_parts<2>(options);
    refuses_parts<300>(options);  // whose log has an index
  });
#endif

  test::run("retries that the region asks for", [&] {
    for (const auto how : {outcome::retry, outcome::defer}) {
      auto with = options;
      with.max_attempts = 5;
      auto report = host::run_region<stm::hand_off>(asks{how}, 7, with);
      CHECK_EQ(report.unfinished.size(), 4u);
      CHECK_EQ(report.statistics[test::counter::attempts_exhausted], 4u);
      CHECK_EQ(report.statistics[test::counter::requested], 4u);
      if (test::simulated) continue;
      with.max_attempts = 0;
      with.threads = 7;
      with.timeout = std::chrono::milliseconds(1'000);
      // On a busy machine items may be stopped before their first attempt.
      const auto those_that_ask = [&] {
        return report.statistics[test::counter::stopped] == 4 && report.statistics[test::counter::requested] > 0;
      };
      CHECK(test::run_until(those_that_ask, [&] { report = host::run_region<stm::hand_off>(asks{how}, 7, with); }));
    }
    // Not those that others made impossible.
    object_array cells(1);
    std::vector<std::uint32_t> value(1, 0);
    auto view = cells.view<stm::hand_off>();
    st_rlx_dev(view.words, stm::hand_off::own(0x7fffffffu) | stm::hand_off::lock_bit);
    options.max_attempts = 3;
    options.timeout = std::chrono::milliseconds(100);
    const auto report = host::run_region<stm::hand_off>(add_one{none_bad, {view, {value.data(), 1}}}, 2, options);
    CHECK_EQ(report.unfinished.size(), 2u);
    CHECK_EQ(report.statistics[test::counter::requested], 0u);
    options.max_attempts = 0;
  });

  test::run("loops end when time is up", [] {
    const std::string name = test::setting();
    ends_when_stopped<loops>();
    test::setting() = name + " unvalidated";
    ends_when_stopped<loops_unvalidated>();
  });

#if MAGPIE_CHECKS_BOUNDS
  test::run("things at the wrong place", [] {
    using m = misplaced;
    for (const auto part : {m::apply_part, m::committed_part, m::rolled_back_part}) {
      CHECK_CONTAINS(misplace(part, m::opens), "opens an object in apply, committed or rolled_back");
      CHECK_CONTAINS(misplace(part, m::opens_each), "opens objects in apply, committed or rolled_back");
      CHECK_CONTAINS(misplace(part, m::reading), "reads in apply, committed or rolled_back");
      CHECK_CONTAINS(misplace(part, m::writes), "writes in apply, committed or rolled_back");
      CHECK_CONTAINS(misplace(part, m::peeks), "peeks in apply, committed or rolled_back");
      CHECK_CONTAINS(misplace(part, m::reserves), "reserves slots in apply, committed or rolled_back");
    }
    for (const auto part : {m::body, m::committed_part, m::rolled_back_part}) {
      CHECK_CONTAINS(misplace(part, m::stores), "stores outside of apply");
      CHECK_CONTAINS(misplace(part, m::loads), "loads outside of apply");
    }
    for (const auto part : {m::committed_part, m::rolled_back_part}) {
      CHECK_CONTAINS(misplace(part, m::takes), "takes a slot in committed or rolled_back");
      CHECK_CONTAINS(misplace(part, m::pushes), "pushes in committed or rolled_back");
    }
    CHECK_CONTAINS(misplace(m::apply_part, m::pushes), "pushes more than its max_pushes in apply");
    CHECK_CONTAINS(misplace(m::apply_part, m::takes_unreserved), "takes a slot that it did not reserve");
    CHECK_CONTAINS(misplace(m::body, m::reserves_many), "reserves more slots of a pool than its max_slots");
    for (const auto how : {m::opens, m::opens_each, m::reading, m::writes, m::peeks, m::reserves, m::takes}) {
      CHECK_EQ(misplace(m::body, how), "nothing was thrown");
    }
    for (const auto how : {m::stores, m::loads, m::takes}) CHECK_EQ(misplace(m::apply_part, how), "nothing was thrown");
  });

  test::run("after a fault", [&] {
    options.threads = 1;
    object_array cells(4);
    std::vector<std::uint32_t> value(4, 0);
    const auto region = [&](std::uint32_t bad) {
      return add_one{bad, {cells.view<stm::hand_off>(), {value.data(), 4}}};
    };
    const add_one kept = region(none_bad);
    CHECK_CONTAINS(refusal([&] { host::run_region<stm::hand_off>(region(5), 8, options); }), "1000000");
    CHECK_EQ(cells.claimed(), 1u);
    const std::string left = "a launch that failed left 1 of 4 objects claimed";
    CHECK_CONTAINS(refusal([&] { cells.view<stm::hand_off>(); }), left);
    CHECK_CONTAINS(refusal([&] { cells.view<stm::priority_rule>(); }), left);
    CHECK_CONTAINS(refusal([&] { cells.grow(5); }), left);
    CHECK_CONTAINS(refusal([&] { host::run_region<stm::hand_off>(kept, 8, options); }), left);
    cells = object_array(4);
    CHECK(host::run_region<stm::hand_off>(region(none_bad), 8, options).unfinished.empty());

    host::worklist work({0, 1, 2, 5, 6});
    host::rounds_options in_rounds;
    in_rounds.threads = 1;
    CHECK_CONTAINS(refusal([&] { host::run_rounds<stm::hand_off>([&] { return region(5); }, work, in_rounds); }),
                   "1000000");
    cells = object_array(4);
    for (const auto& use : std::initializer_list<std::function<void()>>{
             [&] { static_cast<void>(work.size()); },
             [&] { static_cast<void>(work.items()); },
             [&] { static_cast<void>(work.ranks()); },
             [&] { host::run_rounds<stm::hand_off>([&] { return region(none_bad); }, work, in_rounds); },
         }) {
      CHECK_CONTAINS(refusal(use), "a round over this worklist failed");
    }
  });
#endif

  test::run("a launch that failed without a claim left", [&] {
    object_array cells(4);
    std::vector<std::uint32_t> value(4, 0);
    const add_one region{none_bad, {cells.view<stm::hand_off>(), {value.data(), 4}}};
    host::tracking_words::suspect(cells.view<stm::hand_off>().words);
    CHECK(host::run_region<stm::hand_off>(region, 8, options).unfinished.empty());
    cells.grow(6);
    CHECK_EQ(cells.count(), 6u);
  });
  return test::finish();
}
