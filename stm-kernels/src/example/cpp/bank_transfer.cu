/// @file
/// The device library from plain C++, without Java: a transactional region, run and checked. From this folder:
///
///     nvcc -std=c++20 -O3 -arch=sm_90 -I ../../main/cuda bank_transfer.cu -o bank_transfer
///     g++ -x c++ -std=c++20 -O3 -pthread -I ../../main/cuda bank_transfer.cu -o bank_transfer
///
/// Moves money between 1,000 accounts 100,000 times and prints what it cost. Exit status 1 if money was lost or
/// made, or if nothing could run.
#include <cstdio>
#include <exception>
#include <numeric>
#include <vector>

#include "magpie/host.hpp"
#include "magpie/stm.cuh"

/// Transfer `item` moves `amount` from one account to another, unless the first would be overdrawn.
struct transfer {
  magpie::stm::objects accounts;
  magpie::array<std::int32_t> balance;
  magpie::array<const std::uint32_t> from;
  magpie::array<const std::uint32_t> to;
  std::int32_t amount;

  static constexpr std::uint32_t max_objects = 2;
  static constexpr std::uint32_t max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    using magpie::stm::outcome;
    const std::uint32_t payer = magpie::ld_plain(&from[item]);
    const std::uint32_t payee = magpie::ld_plain(&to[item]);
    const auto a = tx.open(accounts, payer);
    const auto b = tx.open(accounts, payee);
    std::int32_t x;
    std::int32_t y;
    if (!tx.read(a, &balance[payer], x) || !tx.read(b, &balance[payee], y)) return outcome::retry;
    if (x < amount || payer == payee) return outcome::cancel;
    if (!tx.write(a, &balance[payer], x - amount) || !tx.write(b, &balance[payee], y + amount)) return outcome::retry;
    return outcome::commit;
  }
};

/// Runs the transfers; gives the exit status.
int run() {
  using namespace magpie;
  constexpr std::uint32_t accounts = 1'000;
  constexpr std::uint32_t transfers = 100'000;
  std::vector<std::uint32_t> payers(transfers);
  std::vector<std::uint32_t> payees(transfers);
  for (std::uint32_t i = 0; i < transfers; ++i) {
    payers[i] = i * 7'919u % accounts;
    payees[i] = (i * 104'729u + 1) % accounts;
  }

  host::object_array objects(accounts);
  host::buffer<std::int32_t> balance(accounts, 100);
  const host::buffer<std::uint32_t> from(payers);
  const host::buffer<std::uint32_t> to(payees);
  const transfer region{objects.view<stm::hand_off>(), balance.view(), from.const_view(), to.const_view(), 10};
  const host::region_report report = host::run_region<stm::hand_off>(region, transfers);

  const auto& n = report.statistics;
  std::printf("%llu committed, %llu canceled, %zu unfinished, %llu aborts in %.3f ms\n",
              static_cast<unsigned long long>(n[stm::counter::commits]),
              static_cast<unsigned long long>(n[stm::counter::cancels]), report.unfinished.size(),
              static_cast<unsigned long long>(std::accumulate(n.begin() + stm::counter::aborts_outranked,
                                                              n.begin() + stm::counter::overflows, 0ull)),
              report.milliseconds);
  const auto money = balance.get();
  const long total = std::accumulate(money.begin(), money.end(), 0l);
  std::printf("%ld in all accounts, as before: %s\n", total, total == 100l * accounts ? "yes" : "NO");
  return total == 100l * accounts && report.unfinished.empty() ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const std::exception& e) {  // no driver, no GPU, no memory, a launch that failed
    std::fprintf(stderr, "bank_transfer: %s\n", e.what());
    return 1;
  }
}
