/// @file
/// The harness of the C++ tests: checks that say where and what, cases with names, settings of the machine under test.
///
/// A test is a program: `int main() { test::run("name", [] { ... CHECK_EQ(a, b); ... }); return test::finish(); }`. A
/// failed check prints file, line, both values and the case's setting (with its seed), and ends the program with status 1.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "magpie/host/runtime.hpp"

namespace test {

/// What is being tried, for the message of a failed check.
inline std::string& setting() {
  static std::string text;
  return text;
}
inline std::atomic<std::uint64_t>& checks() {
  static std::atomic<std::uint64_t> n = 0;
  return n;
}

[[noreturn]] inline void fail(const char* file, int line, const std::string& what) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s%s%s\n", file, line, what.c_str(), setting().empty() ? "" : "\n  in ",
               setting().c_str());
  std::fflush(stderr);
  std::_Exit(1);  // also from a fiber, whose stack must not run destructors
}

template <class T>
std::string text_of(const T& value) {
  std::ostringstream out;
  if constexpr (requires { out << value; }) {
    out << value;
  } else {
    out << "(" << sizeof value << " bytes)";
  }
  return out.str();
}

template <class A, class B>
void check_equal(const A& a, const B& b, const char* a_text, const char* b_text, const char* file, int line) {
  ++checks();
  if (!(a == b)) fail(file, line, std::string(a_text) + " == " + b_text + ": " + text_of(a) + " against " + text_of(b));
}

inline void check(bool value, const char* text, const char* file, int line) {
  ++checks();
  if (!value) fail(file, line, std::string(text) + " is false");
}

inline void check_contains(const std::string& text, const std::string& part, const char* file, int line) {
  ++checks();
  if (text.find(part) == std::string::npos) fail(file, line, "\"" + part + "\" is not in \"" + text + "\"");
}

#define CHECK(condition) ::test::check(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
#define CHECK_EQ(a, b) ::test::check_equal((a), (b), #a, #b, __FILE__, __LINE__)
#define CHECK_CONTAINS(text, part) ::test::check_contains((text), (part), __FILE__, __LINE__)

template <class Body>
void run(const char* name, Body&& body) {
  setting() = name;
  const std::uint64_t before = checks();
  body();
  setting() = name;
  if (checks() == before) fail(__FILE__, __LINE__, "the case checked nothing");
  std::printf("  %s: %llu checks\n", name, static_cast<unsigned long long>(checks() - before));
  setting().clear();
}

inline int finish() {
  std::printf("passed, %llu checks\n", static_cast<unsigned long long>(checks().load()));
  return 0;
}

#if defined(MAGPIE_MACHINE_SIM)
inline constexpr bool simulated = true;
#else
inline constexpr bool simulated = false;
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// `full`, or the smaller number where a sanitizer makes everything slow, and on the simulator in plain builds of Maven's; but mutants
/// are looked for as long as always.
inline std::uint32_t scaled([[maybe_unused]] std::uint32_t full, std::uint32_t reduced) {
#if defined(MAGPIE_TEST_FEWER) && !defined(MAGPIE_MUTANTS)
  return reduced;
#else
  return sanitized ? reduced : full;
#endif
}
/// The same where no mutant is looked for, in a build that has some, too.
inline std::uint32_t scaled_without_mutants([[maybe_unused]] std::uint32_t full, std::uint32_t reduced) {
#if defined(MAGPIE_TEST_FEWER)
  return reduced;
#else
  return sanitized ? reduced : full;
#endif
}

#if defined(MAGPIE_MACHINE_SIM)
/// Makes the next launches of this thread run under a seed's schedule: seed 0 round robin, then by turns a random walk,
/// a random walk on weak memory, PCT of depth 3 on weak memory, and warp lock-step. Gives the setting's name.
inline std::string simulate_by(std::uint32_t seed, std::uint32_t width) {
  thread_local magpie_simulation plan;
  plan = {};
  plan.seed = seed;
  plan.stopped = ~std::uint64_t{0};
  std::string name = "seed " + std::to_string(seed);
  magpie::host::simulated() = {seed, 0, width};
  if (seed == 0 || seed % 4 == 1) return name;
  magpie::host::simulated().plan = &plan;
  if (seed % 4 == 2) {
    plan.schedule = schedule_random_walk;
    plan.memory = memory_weak;
    return name + " on weak memory";
  }
  if (seed % 4 == 3) {
    plan.schedule = schedule_pct;
    plan.memory = memory_weak;
    plan.depth = 3;
    plan.length = 4000;
    return name + " of PCT on weak memory";
  }
  plan.schedule = schedule_lock_step;
  return name + " of lock-step";
}
#endif

/// Runs `body()` until `seen()` holds after it, at most 1000 times: where threads have to meet, which on `cpu`, unlike on
/// `sim`, they may not for a while. Gives whether it holds.
template <class Seen, class Body>
bool run_until(Seen&& seen, Body&& body) {
  for (std::uint32_t tries = 0; tries < 1000; ++tries) {
    body();
    if (seen()) return true;
    if (simulated) break;
  }
  return false;
}

#if defined(MAGPIE_MACHINE_SIM)
/// The seeds of the first kinds of schedules for warps of a width, where there are `seeds` for each of three widths: with few,
/// all kinds come over the widths, lock-step for one of the wider warps.
inline std::uint32_t seed_of(std::uint32_t index, std::uint32_t seeds, std::uint32_t nth_width) {
  constexpr std::uint32_t kinds[] = {3, 2, 4, 0, 1};
  return seeds >= std::size(kinds) ? index : kinds[(nth_width * seeds + index) % std::size(kinds)];
}
#endif

/// Calls `body(threads)` for several settings of the machine: on `sim` widths 1, 4 and 32 under `seeds` schedules each
/// (see `simulate_by` and `seed_of`), on `cpu` once with 4 host threads and once with 7.
template <class Body>
void for_each_setting(std::uint32_t seeds, Body&& body) {
  const std::string name = setting();
#if defined(MAGPIE_MACHINE_SIM)
  for (std::uint32_t nth = 0; nth < 3; ++nth) {
    const std::uint32_t width = nth == 0 ? 1 : nth == 1 ? 4 : 32;
    if (!magpie::has_atomic_max && width > 1) break;  // the protocol of `cpu`: waits unbounded, warps of one thread
    for (std::uint32_t index = 0; index < seeds; ++index) {
      const std::uint32_t seed = seed_of(index, seeds, nth);
      for (const std::uint32_t threads : {32u, 96u}) {
        if (index % 2 != 0 && threads == 96) continue;
        const std::string schedule = simulate_by(seed, width);
        setting() =
            name + ", sim of " + std::to_string(threads) + " threads, width " + std::to_string(width) + ", " + schedule;
        body(threads);
      }
    }
  }
#else
  for (std::uint32_t repeat = 0; repeat < (seeds + 7) / 8; ++repeat) {
    for (const std::uint32_t threads : {4u, 7u}) {
      setting() = name + ", cpu with " + std::to_string(threads) + " threads, repetition " + std::to_string(repeat);
      body(threads);
    }
  }
#endif
  setting() = name;
}

/// splitmix64, for inputs.
class random {
 public:
  explicit random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// In [0, n).
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((bits() >> 32) * n >> 32); }

 private:
  std::uint64_t state_;
};

}  // namespace test
