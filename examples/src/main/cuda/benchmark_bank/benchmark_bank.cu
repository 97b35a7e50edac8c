/// @file
/// The benchmark `bank`: money moves between accounts, and scans read the accounts of a branch at one moment. By transactions,
/// and by locks.
#define MAGPIE_ALL_POLICIES  // hand_off and priority_rule; others are compiled when they are asked for

#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// What an item does: `from` pays `to` an amount; or, if that is 0, it reads the branch that begins with account `from`.
struct order {
  std::uint32_t from, to;
  std::int32_t amount;
};

/// Balances in an array of their own, or next to the accounts' words.
template <class Layout>
using balances = magpie::stm::guarded<std::int64_t, magpie::stm::same_index, Layout>;

/// One account pays another, unless it has too little.
template <class Tx, class Layout>
MAGPIE_DEVICE outcome pay(Tx& tx, const balances<Layout>& balance, const order& wanted, std::uint32_t& moved) {
  const auto payer = MAGPIE_TRY(tx.open(balance, wanted.from));
  const auto payee = MAGPIE_TRY(tx.open(balance, wanted.to));
  const std::int64_t has = MAGPIE_TRY(tx.get(payer));
  const bool enough = has >= wanted.amount;
  magpie::st_plain(&moved, enough ? 1u : 0u);
  if (!enough) return outcome::cancel;
  const std::int64_t had = MAGPIE_TRY(tx.get(payee));
  MAGPIE_TRY(tx.set(payer, has - wanted.amount));
  MAGPIE_TRY(tx.set(payee, had + wanted.amount));
  return outcome::commit;
}

/// Item i pays orders[i].
template <class Layout>
struct transfer_in {
  balances<Layout> balance;
  magpie::array<const order> orders;
  magpie::array<std::uint32_t> moved;  // of each item: whether it moved money

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr bool scattered_accesses = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    return pay(tx, balance, orders[item], moved[item]);
  }
};
using transfer = transfer_in<magpie::stm::apart>;
using transfer_in_cells = transfer_in<magpie::stm::beside>;
MAGPIE_REGION(transfer)
MAGPIE_REGION(transfer_in_cells)

/// Item i pays orders[i], or scans.
template <class Layout>
struct transfer_or_scan_in {
  balances<Layout> balance;
  magpie::array<const order> orders;
  magpie::array<std::uint32_t> moved;
  std::uint32_t scanned;             // accounts of a branch
  magpie::array<std::int64_t> sums;  // of each scan: what it read

  static constexpr std::uint32_t max_objects = 64, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const order wanted = orders[item];
    if (wanted.amount != 0) return pay(tx, balance, wanted, moved[item]);
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < scanned; ++i) sum += MAGPIE_TRY(tx.get(balance, wanted.from + i));
    magpie::st_plain(&sums[item], sum);
    return outcome::commit;
  }
};
using transfer_or_scan = transfer_or_scan_in<magpie::stm::apart>;
using transfer_or_scan_in_cells = transfer_or_scan_in<magpie::stm::beside>;
MAGPIE_REGION(transfer_or_scan)
MAGPIE_REGION(transfer_or_scan_in_cells)

/// The same with a lock for each account in place of transactions. Locks are taken in ascending order. A transfer that meets a
/// lock gives back what it has: the lanes of a warp then hold up each other for no longer than a transfer takes. A scan waits
/// while it has the locks of lower accounts; who has a lock waits only for higher ones, so that somebody always goes on.
struct transfer_or_scan_by_locks {
  magpie::array<std::int64_t> balance;
  magpie::array<std::uint32_t> locks;  // of each account: 1 while somebody has it
  magpie::array<const order> orders;
  magpie::array<std::uint32_t> moved;
  std::uint32_t scanned;
  magpie::array<std::int64_t> sums;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (const std::uint32_t item : self.items(static_cast<std::uint32_t>(orders.size()))) {
      const order wanted = orders[item];
      if (wanted.amount != 0) {
        while (!pays(wanted, moved[item])) magpie::pause(shortest_pause);
      } else {
        magpie::st_plain(&sums[item], scan(wanted.from));
      }
    }
  }

 private:
  static constexpr std::uint32_t shortest_pause = 32;

  MAGPIE_INLINE bool try_lock(std::uint32_t account) const { return magpie::cas_acq_dev(&locks[account], 0u, 1u) == 0; }
  MAGPIE_INLINE void unlock(std::uint32_t account) const { magpie::st_rel_dev(&locks[account], 0u); }

  /// Whether it got both locks.
  MAGPIE_INLINE bool pays(const order& wanted, std::uint32_t& done) const {
    const bool ascending = wanted.from < wanted.to;
    const std::uint32_t first = ascending ? wanted.from : wanted.to;
    const std::uint32_t second = ascending ? wanted.to : wanted.from;
    if (!try_lock(first)) return false;
    const bool both = try_lock(second);
    if (both) {
      const std::int64_t has = magpie::ld_rlx_dev(&balance[wanted.from]);
      const bool enough = has >= wanted.amount;
      if (enough) {
        magpie::st_rlx_dev(&balance[wanted.from], has - wanted.amount);
        magpie::st_rlx_dev(&balance[wanted.to], magpie::ld_rlx_dev(&balance[wanted.to]) + wanted.amount);
      }
      magpie::st_plain(&done, enough ? 1u : 0u);
      unlock(second);
    }
    unlock(first);
    return both;
  }

  MAGPIE_INLINE std::int64_t scan(std::uint32_t first) const {
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < scanned; ++i) {
      while (!try_lock(first + i)) magpie::pause(shortest_pause);
      sum += magpie::ld_rlx_dev(&balance[first + i]);
    }
    for (std::uint32_t i = 0; i < scanned; ++i) unlock(first + i);
    return sum;
  }
};
MAGPIE_KERNEL(transfer_or_scan_by_locks)
