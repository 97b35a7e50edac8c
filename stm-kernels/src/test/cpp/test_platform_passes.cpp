// flavors: cpu cpu-asan cpu-tsan
// Passes of a launch: what one wrote the next one reads, by plain accesses too, whoever runs its threads. A launch ends where
// helpers are missing, and goes on with the next one; a fault or an interrupt ends all of its parts.
#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "test.hpp"

using namespace magpie;

/// Each pass finds its number in all slots, and leaves the next one there.
struct relay {
  std::uint32_t pass;
  std::uint32_t passes;
  std::uint32_t worth[5];  // threads of passes, in turn
  std::uint32_t n;
  std::uint32_t* slots;
  std::uint32_t* wrong;
  std::uint32_t* helped;   // threads that the leader has not run
  std::uint32_t fails_in;  // the pass in which a thread throws
  std::thread::id leader = std::this_thread::get_id();
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (const std::uint32_t i : self.items(n)) {
      if (ld_own(&slots[i]) != pass) red_add_rlx_dev(wrong, 1u);
      if (i % 512 == 0) pause(1000);  // others may come between
      st_plain(&slots[i], pass + 1);
    }
    if (std::this_thread::get_id() != leader) red_add_rlx_dev(helped, 1u);
    if (self.size() != worth[pass % 5]) red_add_rlx_dev(wrong, 1u);
    if (pass == fails_in && self.rank() + 1 == self.size()) throw std::runtime_error("as it should");
  }
  std::uint32_t next_pass() { return ++pass == passes ? 0 : worth[pass % 5]; }
};
static_assert(has_passes<relay>);

/// Never ends where it is told so, and else has one pass after another of one thread.
struct endless {
  bool loops;
  std::uint32_t* begun;
  MAGPIE_DEVICE void operator()(const thread&) const {
    do {
      st_rlx_dev(begun, 1u);
    } while (loops);
  }
  std::uint32_t next_pass() { return 1; }
};

struct one_pass {
  MAGPIE_DEVICE void operator()(const thread&) const {}
};
static_assert(!has_passes<one_pass>);
static_assert(passes_of<one_pass>() == nullptr);

/// Runs a launch on so many host threads; gives what each part said.
template <class Functor>
std::vector<std::int32_t> launch(Functor& functor, std::uint32_t threads, std::uint32_t parts,
                                 std::uint32_t most_helpers) {
  magpie_shared_grid grid{};
  grid.threads = threads;
  grid.most_helpers = most_helpers;
  std::vector<std::int32_t> codes(parts, -1);
  const auto part = [&](std::uint32_t which) {
    char message[256] = "";
    const magpie_launch_args args{threads, 0, threads, 0, 0, 1, which == 0 ? 0u : 1u, nullptr, &grid};
    const auto body = [](const void* f, const thread& self) { (*static_cast<const Functor*>(f))(self); };
    codes[which] = run_grid("tried", body, &functor, args, message, sizeof message, "", passes_of<Functor>());
  };
  std::vector<std::thread> helpers;
  for (std::uint32_t i = 1; i < parts; ++i) helpers.emplace_back(part, i);
  part(0);
  for (std::thread& each : helpers) each.join();
  return codes;
}

struct relay_run {
  static constexpr std::uint32_t n = 3000;

  std::uint32_t wrong = 0;
  std::uint32_t helped = 0;
  std::uint32_t launches = 0;
  std::vector<std::uint32_t> slots;
  relay work;

  relay_run(std::uint32_t passes, std::initializer_list<std::uint32_t> worth, std::uint32_t fails_in = ~0u)
      : slots(n, 0), work{0, passes, {}, n, slots.data(), &wrong, &helped, fails_in} {
    std::copy(worth.begin(), worth.end(), work.worth);
  }
  relay_run(const relay_run&) = delete;

  /// As a host does that looks at what a launch has left.
  void launch_until_done(std::uint32_t parts, std::uint32_t most_helpers) {
    while (work.pass < work.passes) {
      ++launches;
      for (const std::int32_t code : launch(work, work.worth[work.pass % 5], parts, most_helpers)) {
        CHECK_EQ(code, launch_ok);
      }
    }
    CHECK_EQ(wrong, 0u);
    for (const std::uint32_t each : slots) CHECK_EQ(each, work.passes);
  }
};

int main() {
  test::run("what a pass wrote the next one reads", [] {
    for (std::uint32_t parts = 1; parts <= 4; ++parts) {
      test::setting() = std::to_string(parts) + " parts";
      relay_run run(300, {4, 1, 2, 7, 1});
      run.launch_until_done(parts, parts - 1);
      relay_run wide(300, {8, 8, 5, 6, 9});
      wide.launch_until_done(parts, parts - 1);
      CHECK_EQ(run.helped + wide.helped > 0, parts > 1);
    }
  });

  test::run("a launch ends before a pass whose helpers are missing", [] {
    relay_run alone(50, {4, 1, 2, 7, 1});
    alone.launch_until_done(1, 0);  // there are none to be missed
    CHECK_EQ(alone.launches, 1u);
    relay_run missed(50, {4, 1, 2, 7, 1});
    missed.launch_until_done(1, 1);
    CHECK_EQ(missed.launches, 30u);  // passes of several threads
    relay_run many(50, {1, 1, 1, 1, 1});
    many.launch_until_done(1, 7);
    CHECK_EQ(many.launches, 1u);
  });

  test::run("a fault ends all parts", [] {
    for (std::uint32_t parts = 1; parts <= 3; ++parts) {
      for (std::uint32_t round = 0; round < 20; ++round) {
        relay_run run(100, {4, 4, 4, 4, 4}, round % 2);
        std::uint32_t faults = 0;
        std::vector<std::int32_t> codes;
        do {
          codes = launch(run.work, 4, parts, parts - 1);
          for (const std::int32_t code : codes) {
            CHECK(code == launch_ok || code == launch_misuse);
            faults += code == launch_misuse ? 1 : 0;
          }
        } while (faults == 0);
        CHECK_EQ(faults, 1u);
        CHECK_EQ(run.work.pass, round % 2);
      }
    }
  });

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  test::run("an interrupt ends all parts", [] {
    for (const bool loops : {true, false}) {
      std::uint32_t begun = 0;
      endless work{loops, &begun};
      std::atomic<bool> over = false;
      std::thread impatient([&] {
        while (ld_rlx_dev(&begun) == 0) std::this_thread::yield();
        while (!over) {
          fault_guard::interrupt(&work);
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
      });
      const std::vector<std::int32_t> codes = launch(work, 1, 3, 2);
      over = true;
      impatient.join();
      CHECK(std::find(codes.begin(), codes.end(), std::int32_t{launch_interrupted}) != codes.end());
    }
  });
#endif
  return test::finish();
}
