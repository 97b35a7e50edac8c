// full flavors: nvcc
/// @file
/// Benchmark: two-account transfers, one a transaction, over a range of contention. Plain C++ over the device library.
///
///     nvcc -std=c++20 -O3 -arch=sm_90 -I stm-kernels/src/main/cuda transfers.cu -o transfers
///     g++ -x c++ -std=c++20 -O3 -pthread -I stm-kernels/src/main/cuda transfers.cu -o transfers
///     ./transfers [largest number of accounts, default 134217728 [forms]]
///
/// With `forms` it measures only the default, in each form in which a region reaches its data.
///
/// `threads` is what was asked for, 0 = the default, with which data beyond the L2 cache have fewer than a full grid in flight;
/// `in_flight` is what the launch had.
///
/// Prints one JSON object a line: the setting, the kernel's milliseconds, million commits a second, aborts per commit and the
/// most retries of one item (of the median of three runs), and whether every account's money was still there. Exit status 1
/// if it was not, or if a word stayed claimed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>

#include "magpie/host.hpp"
#include "magpie/stm.cuh"

namespace {

using magpie::stm::outcome;

/// How a region reaches its data: by handles, through guarded arrays by index, or by the datum that it opened there. With
/// handles and by datum it opens both accounts before it reads either; in turn, as by index, it reads the first one before.
enum class form : std::uint32_t { handles, by_index, by_datum, handles_in_turn, by_datum_in_turn };
constexpr const char* names[] = {"handles", "by index", "by datum", "handles in turn", "by datum in turn"};

/// Where the data are: in an array of their own, beside their words, or fused with these.
template <class Layout>
using balances_in = magpie::stm::guarded<std::int32_t, magpie::stm::same_index, Layout>;
template <class Layout>
inline constexpr bool is_apart = std::is_same_v<Layout, magpie::stm::apart>;
template <class Layout>
inline constexpr bool is_fused = std::is_same_v<Layout, magpie::stm::fused>;
template <class Layout>
inline constexpr const char* name_of_layout = is_apart<Layout>   ? "apart"
                                              : is_fused<Layout> ? "fused"
                                                                 : "beside";

/// Transfer number `item` moves 1 between two accounts drawn by a hash of its number.
template <magpie::stm::reads Reads, form Form, class Layout>
struct transfer {
  balances_in<Layout> balances;
  std::uint32_t salt;

  static constexpr std::uint32_t max_objects = 2;
  static constexpr std::uint32_t max_writes = 2;
  static constexpr magpie::stm::reads reads = Reads;
  static constexpr bool opens_fused_cells = is_fused<Layout>;
  static constexpr bool scattered_accesses = true;

  MAGPIE_INLINE static std::uint32_t mix(std::uint32_t x) {  // a 32-bit finalizer with full avalanche
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
  }
  MAGPIE_INLINE std::uint32_t draw(std::uint32_t x) const {
    return static_cast<std::uint32_t>((std::uint64_t{mix(x ^ salt)} * balances.guards.count) >> 32);
  }

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t from = draw(2 * item);
    const std::uint32_t drawn = draw(2 * item + 1);
    const std::uint32_t to = drawn != from ? drawn : (drawn + 1 == balances.guards.count ? 0 : drawn + 1);
    if constexpr (Form == form::handles) {
      static_assert(is_apart<Layout>);
      const auto& accounts = balances.guards;
      const auto a = tx.open(accounts, from);
      const auto b = tx.open(accounts, to);
      std::int32_t x;
      std::int32_t y;
      if (!tx.read(a, &balances.unguarded(from), x) || !tx.read(b, &balances.unguarded(to), y)) return outcome::retry;
      if (!tx.write(a, &balances.unguarded(from), x - 1) || !tx.write(b, &balances.unguarded(to), y + 1))
        return outcome::retry;
    } else if constexpr (Form == form::handles_in_turn) {
      static_assert(is_apart<Layout>);
      const auto& accounts = balances.guards;
      std::int32_t x;
      std::int32_t y;
      const auto a = tx.open(accounts, from);
      if (!tx.read(a, &balances.unguarded(from), x)) return outcome::retry;
      const auto b = tx.open(accounts, to);
      if (!tx.read(b, &balances.unguarded(to), y)) return outcome::retry;
      if (!tx.write(a, &balances.unguarded(from), x - 1) || !tx.write(b, &balances.unguarded(to), y + 1))
        return outcome::retry;
    } else if constexpr (Form == form::by_datum_in_turn) {
      const auto a = tx.open(balances, from);
      const std::int32_t x = MAGPIE_TRY(tx.get(a));
      const auto b = tx.open(balances, to);
      const std::int32_t y = MAGPIE_TRY(tx.get(b));
      MAGPIE_TRY(tx.set(a, x - 1));
      MAGPIE_TRY(tx.set(b, y + 1));
    } else if constexpr (Form == form::by_index) {
      const std::int32_t x = MAGPIE_TRY(tx.get(balances, from));
      const std::int32_t y = MAGPIE_TRY(tx.get(balances, to));
      MAGPIE_TRY(tx.set(balances, from, x - 1));
      MAGPIE_TRY(tx.set(balances, to, y + 1));
    } else {
      const auto a = tx.open(balances, from);
      const auto b = tx.open(balances, to);
      const std::int32_t x = MAGPIE_TRY(tx.get(a));
      const std::int32_t y = MAGPIE_TRY(tx.get(b));
      MAGPIE_TRY(tx.set(a, x - 1));
      MAGPIE_TRY(tx.set(b, y + 1));
    }
    return outcome::commit;
  }
};

/// In place of a number of threads: as many as fit the device.
inline constexpr std::uint32_t full_grid = ~0u;

struct setting {
  std::uint32_t accounts;
  std::uint32_t items;
  std::uint32_t threads;  // or full_grid; 0 = the default
  std::uint32_t polls;
  std::optional<std::uint32_t> back_off;  // as in region_options: the policy's if nothing
  bool give_way;
  std::uint32_t lanes;
  std::uint32_t eager_attempts;
};

bool all_well = true;

/// Accounts of 1,000 each.
template <class Layout>
struct accounts {
  magpie::host::object_array objects;
  magpie::host::buffer<std::int32_t> balance;

  explicit accounts(std::uint32_t n) : objects(n), balance(n, 1000) {}
  template <class Policy>
  balances_in<Layout> view() {
    return {balance.view(), objects.template view<Policy>()};
  }
  std::vector<std::int32_t> get() const { return balance.get(); }
  std::size_t claimed() const { return objects.claimed(); }
};
template <class Layout>
  requires(!is_apart<Layout>)
struct accounts<Layout> : magpie::host::cell_array<std::int32_t, Layout> {
  explicit accounts(std::uint32_t n) : magpie::host::cell_array<std::int32_t, Layout>(n, 1000) {}
};

template <class Policy, magpie::stm::reads Reads, form Form = form::handles, class Layout = magpie::stm::apart>
void measure(const char* policy, const setting& s) {
  using namespace magpie;
  accounts<Layout> bank(s.accounts);
  using kernel = stm::region_kernel<transfer<Reads, Form, Layout>, Policy, false>;
  host::region_options options;
  options.threads = s.threads == full_grid ? host::default_threads<kernel>() : s.threads;
  options.polls = s.polls;
  options.back_off = s.back_off;
  options.give_way = s.give_way;
  options.lanes = s.lanes;
  options.eager_attempts = s.eager_attempts;
  options.timeout = std::chrono::milliseconds(4000);
  const transfer<Reads, Form, Layout> region{bank.template view<Policy>(), 12345};

  std::array<host::region_report, 3> runs{};
  bool stopped = false;
  host::run_region<Policy>(region, std::min(s.items, 1u << 16), options);  // warm-up
  bool all_ended = true;
  for (host::region_report& run : runs) {
    if (stopped) break;
    run = host::run_region<Policy>(region, s.items, options);
    stopped = run.timed_out;
    all_ended = all_ended && run.statistics[stm::counter::commits] + run.unfinished.size() == s.items;
  }
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.milliseconds < b.milliseconds; });
  const auto& median = runs[1];
  const auto& n = median.statistics;
  const double commits = static_cast<double>(n[stm::counter::commits]);
  double aborts = 0;
  for (std::uint32_t i = stm::counter::aborts_outranked; i <= stm::counter::aborts_requested; ++i) {
    aborts += static_cast<double>(n[i]);
  }
  const auto money = bank.get();
  const std::int64_t sum = std::accumulate(money.begin(), money.end(), std::int64_t{0});
  const bool well = sum == std::int64_t{1000} * s.accounts && bank.claimed() == 0 && all_ended;
  all_well = all_well && well;
  std::printf(
      "{\"benchmark\":\"transfers\",\"policy\":\"%s\",\"form\":\"%s\",\"layout\":\"%s\",\"opaque\":%s,\"accounts\":%u,"
      "\"items\":%u,"
      "\"threads\":%u,\"in_flight\":%u,"
      "\"polls\":%u,\"back_off_ns\":%u,\"give_way\":%s,\"lanes\":%u,\"eager_attempts\":%u,\"ms\":%.4f,\"ms_min\":%.4f,"
      "\"ms_max\":%.4f,"
      "\"mcommits_per_s\":%.2f,\"aborts_per_commit\":%.4f,\"max_retries\":%llu,\"unfinished\":%zu,"
      "\"timed_out\":%s,\"money_kept\":%s}\n",
      policy, names[static_cast<std::uint32_t>(Form)], name_of_layout<Layout>,
      Reads == stm::reads::validated ? "true" : "false", s.accounts, s.items, options.threads, median.threads, s.polls,
      s.back_off.value_or(Policy::default_back_off), s.give_way ? "true" : "false", s.lanes, s.eager_attempts,
      median.milliseconds, runs[0].milliseconds, runs[2].milliseconds,
      stopped ? 0.0 : s.items / median.milliseconds / 1e3, aborts / commits,
      static_cast<unsigned long long>(n[stm::counter::max_attempts] - 1), median.unfinished.size(),
      stopped ? "true" : "false", well ? "true" : "false");
  std::fflush(stdout);
}

/// The default in each form.
template <magpie::stm::reads Reads>
void measure_forms(setting s) {
  s.lanes = 0;
  s.give_way = true;
  s.back_off.reset();
  measure<magpie::stm::hand_off, Reads>("hand_off", s);
  measure<magpie::stm::hand_off, Reads, form::by_datum>("hand_off", s);
  measure<magpie::stm::hand_off, Reads, form::handles_in_turn>("hand_off", s);
  measure<magpie::stm::hand_off, Reads, form::by_datum_in_turn>("hand_off", s);
  measure<magpie::stm::hand_off, Reads, form::by_index>("hand_off", s);
}

/// The default (eager attempts, back off, lanes by losses) in each form, other numbers of eager attempts, waiting in place,
/// both with every lane running, and the published rule.
template <magpie::stm::reads Reads>
void measure_policies(setting s) {
  for (const std::uint32_t lanes : {0u, 32u}) {
    s.lanes = lanes;
    s.give_way = true;
    s.back_off.reset();
    measure<magpie::stm::hand_off, Reads>("hand_off", s);
    if (lanes == 0) measure<magpie::stm::hand_off, Reads, form::by_index>("hand_off", s);
    if (lanes == 0) measure<magpie::stm::hand_off, Reads, form::by_datum>("hand_off", s);
    if (lanes == 0) measure<magpie::stm::hand_off, Reads, form::by_index, magpie::stm::beside>("hand_off", s);
    if (lanes == 0) measure<magpie::stm::hand_off, Reads, form::by_datum, magpie::stm::beside>("hand_off", s);
    if (lanes == 0) measure<magpie::stm::hand_off, Reads, form::by_index, magpie::stm::fused>("hand_off", s);
    if (lanes == 0) measure<magpie::stm::hand_off, Reads, form::by_datum, magpie::stm::fused>("hand_off", s);
    if (lanes == 0) {
      for (const std::uint32_t eager : {0u, 1u, 4u, 64u}) {
        s.eager_attempts = eager;
        measure<magpie::stm::hand_off, Reads>("hand_off", s);
      }
      s.eager_attempts = magpie::stm::hand_off::default_eager_attempts;
    }
    s.give_way = false;
    s.back_off = 0;
    measure<magpie::stm::hand_off, Reads>("hand_off", s);
  }
  s.eager_attempts = 0;
  measure<magpie::stm::priority_rule, Reads>("priority_rule", s);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned long largest = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1ul << 27;
  const bool forms = argc > 2;
  if (argc > 3 || (forms && std::strcmp(argv[2], "forms") != 0)) {
    std::fprintf(stderr, "usage: transfers [largest number of accounts [forms]]\n");
    return 2;
  }
  struct size {
    std::uint32_t accounts, items, threads;
  };
  // clang-format off
  const size sizes[] = {
      {1u << 27, 1u << 26, 0}, {1u << 27, 1u << 26, full_grid}, {1u << 27, 1u << 26, 50'688},
      {1u << 24, 1u << 26, 0}, {1u << 24, 1u << 26, full_grid}, {1u << 24, 1u << 26, 50'688},
      {1u << 20, 1u << 26, 0}, {1u << 17, 1u << 25, 0},         {1u << 17, 1u << 25, 34'816},
      {1u << 14, 1u << 21, 0}, {1u << 14, 1u << 21, 34'816}, {4096, 1u << 20, 0},
      {1024, 1u << 19, 0},     {1024, 1u << 19, 65'536},     {1024, 1u << 19, 8'192},
      {64, 1u << 16, 0},       {64, 1u << 16, 8'192},        {64, 1u << 16, 4'224},
  };
  // clang-format on
  for (const size& each : sizes) {
    if (each.accounts > largest) continue;
    const setting s{each.accounts,
                    each.items,
                    each.threads,
                    64,
                    std::nullopt,
                    false,
                    0,
                    magpie::stm::hand_off::default_eager_attempts};
    if (forms) {
      measure_forms<magpie::stm::reads::unvalidated>(s);
      measure_forms<magpie::stm::reads::validated>(s);
    } else {
      measure_policies<magpie::stm::reads::unvalidated>(s);
      measure_policies<magpie::stm::reads::validated>(s);
    }
  }
  return all_well ? 0 : 1;
}
