// full flavors: nvcc
// build:
// full build(litmus-sim): -DMAGPIE_MUTANT=no_release_fence
// full build(litmus-sim): -DMAGPIE_MUTANT=relaxed_claim
/// @file
/// Whole transactions with one memory order of the protocol left out, until what then goes wrong is seen. Plain C++ over
/// the device library; the order is chosen when it is compiled, by its name in stm/detail/mutants.cuh:
///
///     nvcc -std=c++20 -O3 -arch=sm_90 -DMAGPIE_MUTANT=no_release_fence -I stm-kernels/src/main/cuda broken_orders.cu -o broken
///     g++ -x c++ -std=c++20 -O2 -pthread -DMAGPIE_MUTANT=no_release_fence -I stm-kernels/src/main/cuda broken_orders.cu -o broken
///     ./broken [seconds a setting, default 1]
///
/// Without `-DMAGPIE_MUTANT` it runs the protocol as it ships: the control.
///
/// Litmus tests (litmus.cu) show that a machine reorders two accesses; this shows that the reordering reaches the data of a
/// transaction. The data are four words for each pair of objects, two guarded by either, far from each other in memory. They
/// are equal at first, and each transaction reads the four of a pair and adds 1 to each. So in a correct run
/// - no attempt reads different values (`mixed`),
/// - the four are equal after each launch (`torn` pairs), and
/// - all pairs' values add up to the number of commits (`lost` is the difference).
///
/// To provoke weak behavior, many small instances run at once: launches take 2 to 65,536 pairs in turn, with and without
/// eager attempts; of each four groups of 32 items, one only loads, stores and adds all over a piece of memory; transactions
/// pause for a random while between reads and writes; and all words are scattered anew for each launch.
///
/// Prints one JSON object a line and setting. Exit status 1 if nothing was committed, if the control shows anything, or if a
/// broken order shows nothing: then the machine orders more than its model, or the seconds were too few; the order may still be
/// needed.
///
/// Under `-DMAGPIE_MACHINE_SIM` the simulator's weak memory is tested in the same way, on random schedules.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "magpie/host.hpp"
#include "magpie/stm.cuh"

namespace {

using namespace magpie;
using stm::outcome;

#define QUOTED_AS_IT_IS(x) #x
#define QUOTED(x) QUOTED_AS_IT_IS(x)
#if defined(MAGPIE_MUTANT)
constexpr bool is_broken = true;
constexpr const char* rule = QUOTED(MAGPIE_MUTANT);
#else
constexpr bool is_broken = false;
constexpr const char* rule = "none";
#endif

MAGPIE_HOST_DEVICE inline std::uint32_t mix(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

/// Datum k of all, anywhere among 2^bits words, and different for each k: `factor` is odd.
struct scattered {
  std::uint32_t* words;
  std::uint32_t bits;
  std::uint32_t factor;

  MAGPIE_HOST_DEVICE std::uint32_t* operator[](std::uint32_t k) const {
    return words + ((k * factor) & ((1u << bits) - 1u));
  }
};

constexpr std::uint32_t data_each = 4;     // of a pair of objects
constexpr std::uint32_t stress_bits = 16;  // words for those that only stress memory
constexpr std::uint32_t stress_steps = 64;

/// Whether the item only stresses memory. Items run in groups of 32.
MAGPIE_HOST_DEVICE inline bool is_stress(std::uint32_t item, std::uint32_t seed) { return (item / 32 + seed) % 4 == 3; }

struct keep_equal {
  stm::objects objects;  // two for each pair
  scattered data;
  array<std::uint32_t> stressed;
  array<std::uint64_t> mixed;  // attempts that read different values
  std::uint32_t pairs;
  std::uint32_t seed;
  std::uint32_t longest_pause;  // in loads, a power of 2

  static constexpr std::uint32_t max_objects = 2;
  static constexpr std::uint32_t max_writes = data_each;
  static constexpr stm::reads reads = stm::reads::validated;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (is_stress(item, seed)) {
      stress(item);
      return outcome::cancel;
    }
    const std::uint32_t draw = mix(item ^ mix(seed));
    const std::uint32_t pair = (draw >> 8) % pairs;
    const std::uint32_t first = draw & 1u;  // of the two objects
    std::uint32_t seen[data_each];
    const auto read = [&](const auto& handle, std::uint32_t object) {
      return tx.read(handle, data[data_each * pair + 2 * object], seen[2 * object]) &&
             tx.read(handle, data[data_each * pair + 2 * object + 1], seen[2 * object + 1]);
    };
    const auto write = [&](const auto& handle, std::uint32_t object) {
      return tx.write(handle, data[data_each * pair + 2 * object], seen[first] + 1u) &&
             tx.write(handle, data[data_each * pair + 2 * object + 1], seen[first] + 1u);
    };
    const auto a = tx.open(objects, 2 * pair + first);
    if (!read(a, first)) return outcome::retry;
    pause(draw);
    const auto b = tx.open(objects, 2 * pair + 1 - first);
    if (!read(b, 1 - first)) return outcome::retry;
    if (seen[0] != seen[1] || seen[0] != seen[2] || seen[0] != seen[3]) tx.tally(&mixed[0], 1);
    pause(draw >> 4);
    return write(a, first) && write(b, 1 - first) ? outcome::commit : outcome::retry;
  }

 private:
  MAGPIE_INLINE std::uint32_t* anywhere(std::uint32_t draw) const {
    return &stressed[mix(draw) & ((1u << stress_bits) - 1u)];
  }
  MAGPIE_INLINE void pause(std::uint32_t draw) const {
    for (std::uint32_t i = 0; i < (draw & (longest_pause - 1u)); ++i) static_cast<void>(ld_rlx_dev(anywhere(draw + i)));
  }
  MAGPIE_INLINE void stress(std::uint32_t item) const {
    for (std::uint32_t i = 0; i < stress_steps; ++i) {
      const std::uint32_t draw = mix(seed + item * 977u + i);
      if (draw % 4 < 2) {
        st_rlx_dev(anywhere(draw), draw);
      } else if (draw % 4 == 2) {
        static_cast<void>(ld_rlx_dev(anywhere(draw)));
      } else {
        red_add_rlx_dev(anywhere(draw), 1u);
      }
    }
  }
};

std::string device_name() {
#if defined(__CUDACC__)
  cudaDeviceProp properties;
  host::check(cudaGetDeviceProperties(&properties, 0), "asking for the device's name");
  return properties.name;
#elif defined(MAGPIE_MACHINE_SIM)
  return "sim";
#else
  return "cpu";
#endif
}

struct tally {
  std::uint64_t commits = 0;
  std::uint64_t wrong = 0;
};

/// Runs launches for some seconds.
template <class Policy>
tally measure(const char* policy, std::uint32_t pairs, std::uint32_t eager_attempts, double seconds) {
#if defined(__CUDACC__)
  const std::uint32_t items = pairs < 256 ? 1u << 17 : 1u << 22;
#elif defined(MAGPIE_MACHINE_SIM)
  const std::uint32_t items = 256;
#else
  const std::uint32_t items = 1u << 14;
#endif
  std::uint32_t bits = 10;
  while ((1u << bits) < 8 * data_each * pairs) ++bits;
  host::object_array objects(2 * pairs);
  host::buffer<std::uint32_t> words(std::size_t{1} << bits), stressed(std::size_t{1} << stress_bits, 0);
  host::buffer<std::uint64_t> mixed(1, 0);
  host::region_options options;
  options.eager_attempts = eager_attempts;
  options.timeout = std::chrono::milliseconds(2000);
#if defined(MAGPIE_MACHINE_SIM)
  magpie_simulation plan = {};
  plan.schedule = schedule_random_walk;
  plan.memory = memory_weak;
  plan.stopped = ~std::uint64_t{0};
  host::simulated().width = 1;
  host::simulated().plan = &plan;
#endif

  std::uint64_t commits = 0, lost = 0, torn = 0, launches = 0;
  std::uint32_t state = pairs * 31 + eager_attempts;
  const auto begin = std::chrono::steady_clock::now();
  std::chrono::duration<double> passed{};
  do {
    state = mix(state + 0x9e3779b9u);
    const scattered data{words.data(), bits, mix(state) | 1u};
    keep_equal region{objects.view<Policy>(), data, stressed.view(), mixed.view(), pairs, state,
                      1u << (state >> 8) % 6};
#if defined(MAGPIE_MACHINE_SIM)
    plan.seed = state;
#endif
    words.fill(0);
    const host::region_report report = host::run_region<Policy>(region, items, options);
    const auto after = words.get();
    const std::uint64_t committed = report.statistics[stm::counter::commits];
    std::uint64_t counted = 0;
    const std::uint32_t mask = (1u << bits) - 1u;
    for (std::uint32_t pair = 0; pair < pairs; ++pair) {
      const auto at = [&](std::uint32_t k) { return ((data_each * pair + k) * data.factor) & mask; };
      counted += after[at(0)];
      bool equal = true;
      for (std::uint32_t k = 1; k < data_each; ++k) equal = equal && after[at(k)] == after[at(0)];
      torn += equal ? 0 : 1;
    }
    commits += committed;
    lost += committed > counted ? committed - counted : counted - committed;
    ++launches;
    passed = std::chrono::steady_clock::now() - begin;
  } while (passed.count() < seconds);
#if defined(MAGPIE_MACHINE_SIM)
  host::simulated().plan = nullptr;
#endif
  const std::uint64_t mixes = mixed.get()[0];
  std::printf(
      "{\"test\":\"broken "
      "orders\",\"mutant\":\"%s\",\"policy\":\"%s\",\"pairs\":%u,\"eager_attempts\":%u,\"launches\":%llu,"
      "\"commits\":%llu,\"lost\":%llu,\"torn\":%llu,\"mixed\":%llu,\"seconds\":%.2f,\"device\":\"%s\"}\n",
      rule, policy, pairs, eager_attempts, static_cast<unsigned long long>(launches),
      static_cast<unsigned long long>(commits), static_cast<unsigned long long>(lost),
      static_cast<unsigned long long>(torn), static_cast<unsigned long long>(mixes), passed.count(),
      device_name().c_str());
  std::fflush(stdout);
  return {commits, lost + torn + mixes};
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1;
  tally all;
  const auto add = [&](const tally& each) {
    all.commits += each.commits;
    all.wrong += each.wrong;
  };
  for (const std::uint32_t pairs : {2u, 64u, 1024u, 8192u, 65536u}) {
    for (const std::uint32_t eager_attempts : {stm::hand_off::default_eager_attempts, 0u}) {
      add(measure<stm::hand_off>("hand_off", pairs, eager_attempts, seconds));
    }
    add(measure<stm::priority_rule>("priority_rule", pairs, 0, seconds));
  }
  return all.commits != 0 && (all.wrong != 0) == is_broken ? 0 : 1;
}
