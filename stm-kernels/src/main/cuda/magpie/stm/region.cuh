/// @file
/// The retry loop that runs a region for every item of a launch, and the macro that exports it.
///
/// Layer: stm, the top. Participation: every thread of the grid. The lanes of a warp take its share of the positions in
/// order; a lane that is done with its item goes on to the next while its neighbors retry.
///
/// A region is a trivially copyable aggregate, fields = launch arguments, with
///
///     static constexpr std::uint32_t max_objects = ..., max_writes = ...;   // first log; larger ones follow by themselves
///     static constexpr magpie::stm::reads reads = ...;                      // optional, see transaction.cuh
///     static constexpr bool narrow_writes = true;                           // if it writes data of 1 or 2 bytes
///     static constexpr bool irrevocable = true;                             // if it calls become_irrevocable, see transaction.cuh
///     static constexpr bool opens_fused_cells = true;                       // if all it opens are fused cells, see guarded.cuh
///     static constexpr bool order_dependent = true;                         // if several results are right, see below
///     static constexpr bool scattered_accesses = true;                      // if items do little else, see below
///     static constexpr unsigned block_size = ...;                           // optional, on GPUs: 32, 64, 128 or 256
///     static constexpr unsigned resident_blocks = ...;                      // optional, on GPUs: see below
///     template <class Tx> MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t item) const;
///
/// or, instead of the call operator, a cautious form whose second half cannot fail:
///
///     using state = ...;
///     template <class Tx> MAGPIE_DEVICE magpie::stm::outcome plan(Tx& tx, std::uint32_t item, state& s) const;
///     template <class Tx> MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const;
///
/// Every attempt has a state of its own, which nobody has set: it keeps nothing from the attempt before, and members without an
/// initializer hold anything. In modules that are checked or traced, as the verifier runs, they hold something else in each attempt
/// of an item if the state is trivially copyable.
///
/// or that form with a part before it that works out what to open, for long transactions:
///
///     MAGPIE_DEVICE void seek(const magpie::lane_group& lanes, std::uint32_t rank, std::uint32_t item, state& s) const;
///     ... plan as above
///     template <class Tx>
///     MAGPIE_DEVICE void apply(Tx& tx, const magpie::lane_group& lanes, std::uint32_t item, const state& s) const;
///
/// and `MAGPIE_REGION(name)` after it. `seek` runs at the beginning of every attempt and has no transaction: it reads what
/// others may be changing, past all claims, relaxed; `plan` opens what it found and looks again, and may seek on under
/// these claims. The lanes of a warp whose
/// attempts run at the same time are brought together after `seek`, after `plan`, after the locks and at the end, so
/// that each part runs on all of them at once; `lanes` are those that run the part, for loops of its own
/// (parallel/lane_group.cuh). `rank` is the item's: no two items in flight have the same, nor any two of one launch.
///
/// While it waits there a lane may hold claims, which older items can steal, but no lock that another lane's `plan` could
/// be waiting for without a bound: attempts that claim take locks once all plans have ended, and taking them waits for nothing;
/// eager ones hold locks from their first `open` on, but run only where every attempt of the warp is eager, and none of these
/// waits for a lock; an irrevocable one holds locks, and claims that nobody steals, but the others' waits for them are bounded by
/// polls. A lane whose `plan` waits in place for a claim of an older item in its own warp waits for nothing until its polls run
/// out: such regions had better roll back, the default; and they need bounded waits, or warps of one lane.
///
/// A region may declare `max_pushes` to run in rounds (worklist.cuh), `max_slots` to use pools (pool.cuh), and have either of
/// two hooks, without the state where there is no `plan`:
///
///     template <class Tx> MAGPIE_DEVICE void committed(Tx& tx, std::uint32_t item, const state& s) const;
///     template <class Tx> MAGPIE_DEVICE void rolled_back(Tx& tx, std::uint32_t item, state& s) const;
///
/// `committed` runs after the release, when the transaction holds nothing; `rolled_back` after every attempt that
/// committed nothing, for whatever reason, when its claims are given back, and before the next attempt. Neither opens,
/// reads, writes, pushes or takes; `committed` may `free` slots. What they write for others is ordered by nothing but
/// what they do for it; on memory of their own item, or by atomics, they need nothing. A fault may come between a
/// commit and its hook.
///
/// A region may run its items in stages, all in one launch, with work between them that only the whole grid can do:
///
///     struct stage { ... };   // what a thread keeps from stage to stage; zeros at first
///     MAGPIE_DEVICE bool next(const magpie::thread& self, const control& launch, stage& at, std::uint64_t& items) const;
///
/// All threads call `next` before each stage, and get the same answers: whether there is one, and how many items it has, those at
/// positions 0 to `items` - 1, no more than the launch has, which are those that the host counts. Between two stages it meets the
/// grid's barrier (platform/grid_barrier.cuh) before anything reads what the stage wrote, and again before it returns. Its barriers
/// ask `launch.is_stopped()`; if one is not passed, `next` gives false and leaves word of that for the host in the region's own data.
/// Ranks are given anew in each stage: between two no word is claimed. Only regions whose own logs are enough: what a stage leaves
/// unfinished is run after the last. Recordings, which tell launches apart, are not for such regions.
///
/// `order_dependent` declares that a hint may choose among several right results, so that they depend on the order of items,
/// also of items that share no object: which cell of a hash table a key gets. No launch depends on it; the verifier does. It
/// does not run the items in another order to compare, and of a recorded run it does not compare data that come out differently
/// in other orders: only the simulator does, in the order of the run's commits. Verdicts of `magpie verify` say so.
///
/// `scattered_accesses` declares that an item makes a few accesses, to objects scattered over memory that it touches once, and
/// does little else, such as a transfer between random accounts. Where the words of the region's objects and the data that they
/// guard exceed a GPU's L2 cache, a launch for which no number of threads is asked then has fewer than a full grid in flight
/// (host/threads_in_flight.hpp), so that fewer lines are evicted between a transaction's first access to them and its last. Not for
/// regions that follow paths or compute between their accesses, which need the threads. Data count if the region has them as
/// guarded arrays. Results do not depend on it, nor do processors.
///
/// And a region may say what an item will touch:
///
///     MAGPIE_DEVICE void soon(std::uint32_t item) const;
///
/// On processors this runs some turns before the item does, outside any transaction, for some items never. It reads what
/// nobody writes during the launch, and calls `prefetch` (platform.cuh) for what the item will open, read and write. Atomic
/// operations keep a processor from reading ahead, so a transaction waits for each of its cache misses in turn; where
/// items are short and lie far apart, those of their neighbors are most of the time. On a GPU other warps run meanwhile.
///
/// `resident_blocks`, where it is not 0, says for how many blocks the registers of a multiprocessor must suffice. Else the
/// compiler decides, and may put into local memory what is not used at once, to have room for blocks that a bound of
/// transactions in flight then leaves out. Policies that choose the size of blocks go by their own. More than 2,048 threads in all
/// do not compile. Multiprocessors of compute capability 7.5 run 1,024, those of 8.6 and 8.9 1,536: there a number of blocks that
/// exceeds it has no effect, and ptxas warns.
///
/// Progress: the only loop on shared state here is the retry loop; it ends with the item's commit or cancel, its log's
/// overflow, its bound of attempts, an exhausted pool, a broken rule (transaction.cuh, "Failure"), or the watchdog's flag.
/// An item that did not finish has its bit set in `control::pending` and is counted, or is deferred in rounds; nothing is
/// dropped. A region's own endless loop ends at the flag if it calls `open`, `read`, `write` or `reserve` and returns when
/// they fail; hosts interrupt any other (fault_guard.hpp).
///
/// `MAGPIE_SAMPLE_CONFLICTS` has launches count at which objects transactions met (detail/conflicts.cuh).
///
/// Compile time: a region is two kernels, with its own and with paged logs, under `hand_off`; or under the policy that
/// `MAGPIE_POLICY` names, whichever of policies.cuh; or under `hand_off` and `priority_rule`, if `MAGPIE_ALL_POLICIES` or
/// `MAGPIE_MUTANTS` is defined; but for regions that declare what a policy does not have. `MAGPIE_ONLY_REGION` (a region's name)
/// and `MAGPIE_ONLY_FIXED_LOGS` leave more out. All regions stay in the module's table, and a launch of what was left out is
/// refused; the Java facade compiles other policies when they are first asked for.
///
/// Determinism: not guaranteed; the result is that of some serial order of the items.
#pragma once

#include <concepts>
#include <new>
#include <type_traits>

#include "magpie/kernel.cuh"
#include "magpie/parallel/lane_group.cuh"
#include "magpie/parallel/warp.cuh"
#include "magpie/stm/detail/fused_cells.cuh"
#include "magpie/stm/detail/hand_off.cuh"
#include "magpie/stm/detail/mutants.cuh"
#include "magpie/stm/detail/priority_rule.cuh"
#include "magpie/stm/transaction.cuh"
#if defined(MAGPIE_POLICY) || defined(MAGPIE_POLICIES_TO_COMPARE)
#include "magpie/stm/policies.cuh"
#endif

MAGPIE_NAMESPACE_BEGIN

namespace stm {

template <class Region>
inline constexpr reads reads_of = reads::validated;
template <class Region>
  requires requires { Region::reads; }
inline constexpr reads reads_of<Region> = Region::reads;

/// Whether a region writes data of 1 or 2 bytes: others need not look at a write's size for that.
template <class Region>
inline constexpr bool narrow_writes_of = false;
template <class Region>
  requires requires { Region::narrow_writes; }
inline constexpr bool narrow_writes_of<Region> = Region::narrow_writes;

/// Whether a region declares that the order of its items decides which of several right results comes about.
template <class Region>
inline constexpr bool is_order_dependent = false;
template <class Region>
  requires requires { Region::order_dependent; }
inline constexpr bool is_order_dependent<Region> = Region::order_dependent;

/// Whether a region declares that its items do little else than access objects scattered over memory.
template <class Region>
inline constexpr bool has_scattered_accesses = false;
template <class Region>
  requires requires { Region::scattered_accesses; }
inline constexpr bool has_scattered_accesses<Region> = Region::scattered_accesses;

/// Whether attempts of a region may become irrevocable. An irrevocable one waits for locks without a bound, and the holder must
/// never be a lane of its own warp, which on a GPU may have to wait for it where the compiler brings lanes together. So no
/// attempt of such a region is eager, with locks from its first `open` on, and the lanes of a warp meet between their bodies
/// and their locks.
template <class Region>
inline constexpr bool irrevocable_of = false;
template <class Region>
  requires requires { Region::irrevocable; }
inline constexpr bool irrevocable_of<Region> = Region::irrevocable;

/// Whether all objects that a region opens are fused cells (guarded.cuh), and whether a policy then moves word and datum at once.
/// Under other policies, and in traces, which have an access to each, a cell is a word with a datum next to it.
template <class Region>
inline constexpr bool opens_fused_cells_of = false;
template <class Region>
  requires requires { Region::opens_fused_cells; }
inline constexpr bool opens_fused_cells_of<Region> = Region::opens_fused_cells;
template <class Region, class Policy>
inline constexpr bool fuses_cells = opens_fused_cells_of<Region>&& Policy::has_fused_cells;

/// Whether a region runs its items in stages within one launch.
template <class Region>
inline constexpr bool is_staged = requires {
  typename Region::stage;
};

/// Whether a region has the form with `plan` and `apply`.
template <class Region>
inline constexpr bool is_planned = requires {
  typename Region::state;
};

/// Whether a region can run under a policy. Where commits can be aborted up to their last step, nothing is left to `apply`; where
/// writes are in place, a region with `apply` gains nothing.
template <class Region, class Policy>
inline constexpr bool runs_under = (!irrevocable_of<Region> || Policy::has_irrevocable) &&
                                   (!is_planned<Region> || !(Policy::has_descriptors || Policy::writes_in_place));

/// Threads of a block: what the region declares, else 64 for transactions of few objects and 256 for others. Registers go to
/// whole blocks, so that of small ones more are in flight: good for short transactions, but longer ones then meet more.
template <class Region>
inline constexpr unsigned region_block_size = Region::max_objects <= hand_off::most_eager_objects ? 64 : 256;
template <class Region>
  requires requires { typename std::integral_constant<unsigned, Region::block_size>; }
inline constexpr unsigned region_block_size<Region> = Region::block_size;

/// Blocks for which the registers of a multiprocessor suffice, where the region says so.
template <class Region>
inline constexpr unsigned region_resident_blocks = 0;
template <class Region>
  requires requires { typename std::integral_constant<unsigned, Region::resident_blocks>; }
inline constexpr unsigned region_resident_blocks<Region> = Region::resident_blocks;

/// How many lanes of a warp run transactions at once, and how long they pause after losses.
///
/// Lanes of one warp that take different paths run one after another, so each transaction's locks and claims are held while
/// its neighbors fail, wait and roll back. Under contention fewer lanes commit more. The limit follows the losses: halved
/// when more than 5 of 8 attempts are lost, doubled when fewer than 3 of 8 are, and four times as high when none is. Where one
/// lane still loses so many, there are too many warps: the longest pause is doubled instead, up to four times what was asked
/// for, until few are lost: then pauses end at once, and lanes come back in the same step. It changes after half as many attempts as lanes may run, at
/// least 4: a launch begins with all items meeting at once, and a warp that has few lanes for it must find its way back within the
/// few items that it gets. Warp-uniform; at width 1 everything here is constant.
class warp_pressure {
 public:
  MAGPIE_INLINE warp_pressure(const thread& self, std::uint32_t fixed, bool adapts)
      : lanes_(fixed != 0 && fixed < self.width() ? fixed : self.width()),
        adapts_(fixed == 0 && adapts && self.width() > 1) {}

  MAGPIE_INLINE std::uint32_t lanes() const { return lanes_; }
  /// How often the longest pause is doubled.
  MAGPIE_INLINE std::uint32_t patience() const { return patience_; }

  /// After every round of attempts; a collective of the warp.
  MAGPIE_INLINE void observe(const thread& self, bool tried, bool lost) {
    if (!adapts_) return;
    tried_ += popcount(self.ballot(tried));
    lost_ += popcount(self.ballot(lost));
    if (tried_ < (lanes_ < 2 * least_window ? least_window : lanes_ / 2)) return;
    if (8 * lost_ > 5 * tried_) {
      if (lanes_ > 1) {
        lanes_ /= 2;
      } else if (patience_ < most_patience) {
        ++patience_;
      }
    } else if (8 * lost_ < 3 * tried_) {
      patience_ = 0;
      if (lanes_ < self.width()) {
        const std::uint32_t more = lost_ == 0 ? 4 * lanes_ : 2 * lanes_;
        lanes_ = more < self.width() ? more : self.width();
      }
    }
    tried_ = lost_ = 0;
  }

 private:
  static constexpr std::uint32_t least_window = 4;  // attempts between two changes
  static constexpr std::uint32_t most_patience = 2;

  std::uint32_t lanes_;
  bool adapts_;
  std::uint32_t patience_ = 0;
  std::uint32_t tried_ = 0;
  std::uint32_t lost_ = 0;
};

/// Whether a region seeks before it plans.
template <class Region>
inline constexpr bool seeks = requires(const Region& region, const lane_group& lanes, typename Region::state& s) {
  region.seek(lanes, std::uint32_t{}, std::uint32_t{}, s);
};

/// Whether the lanes of a warp wait for each other within an attempt.
template <class Region>
inline constexpr bool lanes_meet = seeks<Region> || irrevocable_of<Region>;

/// The longest pause, in ns, of an item after so many attempts, the last of which `tx` lost, in a warp of such `patience`; not if
/// the launch asks for none.
///
/// From one eager attempt to the next it is bounded by the policy, if the launch leaves pauses to it: after shorter ones more
/// attempts fail, but more commit in the same time (protocol.md, "Contention"). Not on processors, where longer pauses let other
/// threads run.
template <class Region, class Policy, class Tx>
MAGPIE_INLINE std::uint32_t longest_pause(const control& launch, [[maybe_unused]] const Tx& tx, std::uint32_t attempts,
                                          std::uint32_t patience) {
  const std::uint32_t asked = launch.back_off & control::longest_back_off;
  const std::uint32_t steps = attempts < 20 ? attempts : 20;
  std::uint64_t longest = std::uint64_t{asked} << patience;
  if constexpr (Policy::longest_eager_pause != 0 && !scalar_warps && !irrevocable_of<Region>) {
    bool between_eager = (launch.back_off & control::policys_back_off) != 0 && attempts < launch.eager_attempts;
    // Elsewhere it was if the next one is: to ask takes registers, even where nothing contends.
    if constexpr (seeks<Region>) between_eager = between_eager && tx.is_eager();
    if (between_eager && longest > Policy::longest_eager_pause) longest = Policy::longest_eager_pause;
  }
  const bool linear = (launch.back_off & control::linear_back_off) != 0;
  const std::uint64_t grown = linear ? std::uint64_t{32} * attempts : std::uint64_t{32} << steps;
  return static_cast<std::uint32_t>(grown < longest ? grown : longest);
}

/// Which of the items a warp runs, and in which order: rows of as many as it has lanes, shared out as the machine does.
///
/// If there are too few items for that, long transactions come in shorter rows, one for each warp: lanes that take
/// different paths run one after another, so that such a transaction ends soonest in a warp of its own. Short ones only
/// meet more conflicts: unions of trees (2 objects) took up to 1.2 times as long on an H200.
class warp_share {
 public:
  MAGPIE_INLINE warp_share(const thread& self, std::uint64_t items, std::uint32_t objects) : row_(self.width()) {
    const auto rows = self.warp_items(items);
    first_ = rows.first;
    last_ = rows.last;
    step_ = rows.step;
    const std::uint32_t warps = self.size() / self.width();
    if (self.width() == 1 || objects <= short_transaction || items == 0 || items >= std::uint64_t{warps} * row_) return;
    row_ = (static_cast<std::uint32_t>(items) + warps - 1) / warps;
    first_ = std::uint64_t{self.rank() / self.width()} * row_;
    step_ = std::uint64_t{warps} * row_;
  }

  /// The position of the turn-th item, if it is one.
  MAGPIE_INLINE std::uint64_t at(const thread& self, std::uint64_t turn) const {
    const std::uint32_t all = self.width();  // mostly the row, and a constant to divide by
    return row_ == all ? first_ + turn / all * step_ + turn % all : first_ + turn / row_ * step_ + turn % row_;
  }
  MAGPIE_INLINE bool has(std::uint64_t position) const { return position < last_; }
  /// Whether there is none from the turn-th on.
  MAGPIE_INLINE bool ends(std::uint64_t turn) const { return first_ + turn / row_ * step_ >= last_; }

 private:
  std::uint32_t row_;
  std::uint64_t first_;
  std::uint64_t last_;
  std::uint64_t step_;
};

/// What a region's bodies get.
template <class Region, class Policy, class Log>
using transaction_of =
    transaction<Policy, Log, reads_of<Region>, push_log<max_pushes_of<Region>>, typename pools_for<Region>::type,
                narrow_writes_of<Region>, is_planned<Region>, irrevocable_of<Region>>;

/// What the logs keep of an object besides its word.
template <class Region, class Policy>
inline constexpr kept kept_by = fuses_cells<Region, Policy> ? (tracing ? kept::cell : kept::datum)
                                : Policy::has_versions      ? kept::version
                                                            : kept::nothing;
/// A region's own logs, and paged ones.
template <class Region, class Policy>
using fixed_log_of = fixed_log<Region::max_objects, Region::max_writes, kept_by<Region, Policy>>;
template <class Region, class Policy, bool Paged>
using log_of =
    std::conditional_t<Paged,
                       std::conditional_t<Policy::has_descriptors, paged_log_of<kept_by<Region, Policy>, Policy>,
                                          paged_log_of<kept_by<Region, Policy>>>,
                       fixed_log_of<Region, Policy>>;

/// The kernel of a region under a policy, with the region's own or paged logs.
template <class Region, class Policy, bool Paged>
struct region_kernel {
  static constexpr bool begins_notes = true;
  static constexpr bool meets_grid = is_staged<Region> && !Paged;
  static constexpr unsigned block_size =
      Policy::default_block_size != 0 ? Policy::default_block_size : region_block_size<Region>;
  static_assert(block_size == 32 || block_size == 64 || block_size == 128 || block_size == 256,
                "a region's block_size is 32, 64, 128 or 256");
  static constexpr unsigned resident_blocks = Policy::default_block_size != 0 ? 0 : region_resident_blocks<Region>;
  static_assert(
      !irrevocable_of<Region> || Policy::has_irrevocable,
      "this policy has no irrevocable transactions, which the region declares: hand_off and coarse_lock have");
  static_assert(!irrevocable_of<Region> || !opens_fused_cells_of<Region>,
                "a region that declares irrevocable opens no fused cells: use guarded_cells");
  static_assert(!is_planned<Region> || !Policy::has_descriptors,
                "this policy runs no region with apply: its commits may be aborted up to their last step");
  static_assert(!is_planned<Region> || !Policy::writes_in_place,
                "this policy runs no region with apply, whose stores are in place under every policy");
  static_assert(!lanes_meet<Region> || has_atomic_max || scalar_warps,
                "lanes that wait for each other need bounded waits");

  control launch;
  Region region;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if constexpr (meets_grid) {
      typename Region::stage at{};
      std::uint64_t items = 0;
      while (region.next(self, launch, at, items)) run(self, items);
    } else {
      run(self, launch.items);
    }
  }

 private:
  /// Runs the items at positions 0 to `items` - 1.
  MAGPIE_INLINE void run(const thread& self, std::uint64_t items) const {
    transaction_of<Region, Policy, log_of<Region, Policy, Paged>> tx(self, launch);
    if constexpr (rolls_back<decltype(tx)>()) tx.has(seen::rolled_back_hook);
    const std::uint32_t lanes = launch.lanes != 0 ? launch.lanes : Policy::default_lanes;
    warp_pressure pressure(self, lanes, Policy::adapts_lanes);
    const warp_share share(self, is_listed() ? launch.only_pending : items, Region::max_objects);
    std::uint64_t taken = 0;     // positions handed out in this warp, of its share; the same on every lane
    std::uint64_t position = 0;  // of this lane's present item, if it is busy
    std::uint32_t attempts = 0;  // of the present item
    std::uint32_t rank = 0;      // of the present item, in rounds
    bool busy = false;
    bool stopped = false;
    for (std::uint32_t unlooked = 0;; unlooked = (unlooked + 1) % rounds_per_check) {
      if (unlooked == 0) stopped = tx.stopping();
      // Hand the next positions to idle lanes, up to the limit.
      std::uint32_t working = self.ballot(busy);
      const std::uint32_t room = pressure.lanes() > popcount(working) ? pressure.lanes() - popcount(working) : 0;
      const std::uint32_t idle_before = self.lane() - popcount(working & below(self.lane()));
      if (!busy && idle_before < room) {
        const std::uint64_t turn = taken + idle_before;
        position = share.at(self, turn);
        busy = share.has(position);
        if (busy) position = position_at(position);
        busy = busy && (launch.only_pending == 0 || is_listed() || is_pending(position));
        announce(share.at(self, turn + turns_ahead), share);
        if constexpr (in_rounds<Region>) {
          if (busy) rank = rank_in_rounds(position);
        }
      }
      taken += room < self.width() - popcount(working) ? room : self.width() - popcount(working);
      working = self.ballot(busy);
      if (working == 0) {
        if (share.ends(taken)) break;
        continue;
      }
      const std::uint32_t age = !busy ? 0 : in_rounds<Region> ? rank : rank_of(position);
      bool lost = false;
      bool committed = false;
      bool deferred = false;
      const bool active = may_run(self, working, pressure.lanes(), age) && busy;
      const std::uint32_t together = lanes_meet<Region> ? self.ballot(active && !stopped) : 0;
      const bool eager = is_eager(self, tx, active && !stopped, attempts);
      if (active) {
        tx.begin(in_rounds<Region> ? rank : rank_of(position), eager);
        if (attempts != ~0u) ++attempts;  // of an item without a bound there may be more than can be counted
        const outcome result = stopped ? outcome::retry : attempt(self, together, tx, item_at(position), attempts);
        committed = result == outcome::commit;
        lost = result == outcome::retry && goes_on(tx, attempts);
        if (lost) unlooked = 0;  // it has just looked
        if (!lost) {
          deferred = result == outcome::retry && defers(tx);
          end_item(tx, result, deferred, position, attempts);
          progress();
          attempts = 0;
          busy = false;
        }
      } else if (busy) {
        tx.end_item();  // a lane that sits out keeps no registration: a grant to it would block others
      }
      if constexpr (max_pushes_of < Region >> 0) {
        if (committed || (active && breaks(mutant::push_before_commit))) {
          tx.pushes().flush(self, launch.work, launch.statistics + counter::pushed);
        }
      }
      if (deferred) defer(self, position, rank);
      pressure.observe(self, active, (lost || deferred) && is_loss(tx.why()));
      if (lost) {
        tx.statistics().abort(tx.why());
        // With a grant on the way no longer than need be: others cannot have the object meanwhile.
        back_off(tx, attempts, tx.why() == cause::wait_expired ? 0 : pressure.patience());
      }
    }
    tx.end_thread();
    tx.statistics().flush(self);
  }

  /// Rounds between two looks at the watchdog's flag by a warp that loses no attempt.
  static constexpr std::uint32_t rounds_per_check = 16;

  /// Short transactions that pass while memory answers.
  static constexpr std::uint64_t turns_ahead = 12;

  MAGPIE_INLINE std::uint32_t rank_of(std::uint64_t position) const {
    if (breaks(mutant::equal_ranks)) position /= 2;
    return launch.first_rank - static_cast<std::uint32_t>(position);
  }

  /// A carried item keeps its rank; new ones go on below the first.
  MAGPIE_INLINE std::uint32_t rank_in_rounds(std::uint64_t position) const {
    if (breaks(mutant::deferred_rank_lost)) return rank_of(position);
    if (position < launch.work.carried) return ld_plain(launch.work.carried_ranks + position);
    return rank_of(position - launch.work.carried);
  }

  /// Whether the region has a hook for attempts that did not commit.
  template <class Tx>
  MAGPIE_INLINE static constexpr bool rolls_back() {
    if constexpr (requires { typename Region::state; }) {
      using state = typename Region::state;
      return requires(const Region& r, Tx& tx, state& s) { r.rolled_back(tx, std::uint32_t{}, s); };
    } else {
      return requires(const Region& r, Tx& tx) { r.rolled_back(tx, std::uint32_t{}); };
    }
  }

  /// Tells the region of an item to come, if there is one at this position.
  MAGPIE_INLINE void announce(std::uint64_t position, const warp_share& share) const {
    // What it reads would be events of the item before.
    if constexpr (scalar_warps && !tracing && requires { region.soon(std::uint32_t{}); }) {
      if (share.has(position)) region.soon(item_at(position_at(position)));
    }
  }

  MAGPIE_INLINE std::uint32_t item_at(std::uint64_t position) const {
    return launch.list != nullptr ? ld_plain(launch.list + position) : static_cast<std::uint32_t>(position);
  }

  /// Whether this lane is among the `limit` lanes of `working` with the oldest items; a collective of the warp. By age,
  /// not by lane: a low lane may hold a younger item, which may be waiting for the older one to end.
  MAGPIE_INLINE static bool may_run(const thread& self, std::uint32_t working, std::uint32_t limit,
                                    std::uint32_t rank) {
    if (popcount(working) <= limit) return true;
    std::uint32_t older = 0;
    for (std::uint32_t lane = 0; lane < self.width(); ++lane) older += self.shuffle(rank, lane) > rank ? 1u : 0u;
    return older < limit;
  }

  /// Whether the item's next attempt is eager. Where a region seeks, a collective of the warp: there attempts wait for each
  /// other with what they hold, and one that claims could be waiting for an eager one's lock. So all are eager, or none is,
  /// and an item that claimed stays with it: it may have registered.
  template <class Tx>
  MAGPIE_INLINE bool is_eager([[maybe_unused]] const thread& self, [[maybe_unused]] const Tx& tx,
                              [[maybe_unused]] bool runs, [[maybe_unused]] std::uint32_t attempts) const {
    if constexpr (!Policy::has_eager_attempts || irrevocable_of<Region>) {
      return false;
    } else {
      if (launch.eager_attempts == 0) return false;
      const bool eager = attempts < launch.eager_attempts || breaks(mutant::eager_forever);
      if constexpr (seeks<Region>) {
        return self.ballot(runs && !(eager && (attempts == 0 || tx.is_eager()))) == 0;
      }
      return eager;
    }
  }

#if !defined(__CUDACC__) && (MAGPIE_CHECKS_BOUNDS || defined(MAGPIE_TRACE))
  /// What an attempt does not set in its state differs from that of other attempts of its item, so that it shows if something
  /// depends on it: each byte is 1 in the first, 0 in the second, and the attempt's number in others. What initializers set
  /// stays so. Padding is 0, since it is stored with the struct around it.
  template <class State>
  static void fill_unset(State& state, std::uint32_t number) {
    if constexpr (std::is_trivially_copyable_v<State>) {
      auto* bytes = reinterpret_cast<unsigned char*>(&state);
      const auto unset = static_cast<unsigned char>(number == 2 ? 0 : number);
      for (std::uint32_t i = 0; i < sizeof(State); ++i) bytes[i] = unset;
      if constexpr (!std::is_trivially_default_constructible_v<State>) {
        // What is in memory before an object begins is of no account to compilers, unless something may look at it.
        asm volatile("" : : "r"(bytes) : "memory");
        ::new (static_cast<void*>(bytes)) State;
        asm volatile("" : : "r"(bytes) : "memory");
      }
#if __has_builtin(__builtin_clear_padding)
      __builtin_clear_padding(&state);
#endif
    }
  }
#endif

  template <class Tx>
  MAGPIE_INLINE outcome attempt(const thread& self, std::uint32_t together, Tx& tx, std::uint32_t item,
                                std::uint32_t number) const {
    working_on(item);
    trace(trace_event::begin, number);
    if constexpr (requires { typename Region::state; }) {
      typename Region::state state;
#if !defined(__CUDACC__) && (MAGPIE_CHECKS_BOUNDS || defined(MAGPIE_TRACE))
      fill_unset(state, number);
#endif
      outcome result;
      if constexpr (seeks<Region>) {
        lane_group lanes{self, together};
        trace(trace_event::phase, in_seek);
        region.seek(lanes, tx.rank(), item, state);
        trace(trace_event::phase, in_body);
        lanes.converge();
        const outcome planned = region.plan(tx, item, state);
        lanes.converge();
        const auto converge = [&](bool locked) { lanes.lanes = self.ballot_among(together, locked); };
        result = tx.end(planned, converge, [&] { region.apply(tx, lanes, item, state); });
        self.converge(together);
      } else {
        const outcome planned = region.plan(tx, item, state);
        if constexpr (lanes_meet<Region>) self.converge(together);
        result = tx.end(
            planned, [](bool) {}, [&] { region.apply(tx, item, state); });
      }
      tx.record(item, number, result);
      if constexpr (requires { region.committed(tx, item, state); }) {
        if (result == outcome::commit) region.committed(tx, item, state);
      }
      if constexpr (requires { region.rolled_back(tx, item, state); }) {
        if (result != outcome::commit) region.rolled_back(tx, item, state);
      }
      return result;
    } else {
      const outcome given = region(tx, item);
      if constexpr (lanes_meet<Region>) self.converge(together);
      const outcome result = tx.end(
          given, [](bool) {}, [] {});
      tx.record(item, number, result);
      if constexpr (requires { region.committed(tx, item); }) {
        if (result == outcome::commit) region.committed(tx, item);
      }
      if constexpr (requires { region.rolled_back(tx, item); }) {
        if (result != outcome::commit) region.rolled_back(tx, item);
      }
      return result;
    }
  }

  MAGPIE_INLINE static std::uint32_t below(std::uint32_t lane) { return (1u << lane) - 1u; }

  template <class Tx>
  MAGPIE_INLINE void end_item(Tx& tx, outcome result, bool deferred, std::uint64_t position,
                              std::uint32_t attempts) const {
    tx.end_item();
    if (deferred) {
      if constexpr (pools_of < Region >> 0) {
        if (tx.why() == cause::no_slot) red_add_rlx_dev(launch.statistics + counter::no_slot, std::uint64_t{1});
      }
      tx.statistics().abort(tx.why());
      if (launch.only_pending != 0) clear_pending(position);
      return;
    }
    if (result == outcome::retry) {
      give_up(tx, position);
    } else {
      if (result == outcome::commit) {
        tx.statistics().template add<counter::commits>();
      } else {
        tx.statistics().template add<counter::cancels>();
      }
      if (launch.only_pending != 0) clear_pending(position);
    }
    tx.statistics().item_done(attempts - 1);
  }

  template <class Tx>
  MAGPIE_INLINE bool goes_on(const Tx& tx, std::uint32_t attempts) const {
    if constexpr (in_rounds<Region>) {
      // Not after an expired wait: its registration is the next grant, and must not be withdrawn forever. Nor after an eager
      // attempt that lost to others: it may be that of the oldest item, and claims would get through.
      const bool may_get_through = tx.why() == cause::wait_expired ||
                                   (tx.is_eager() && is_loss(tx.why()) && !breaks(mutant::eager_loser_deferred));
      if (launch.work.defer_losers != 0 && !may_get_through) return false;
    }
    return Tx::is_worth_another(tx.why()) && attempts != launch.max_attempts && !tx.stopping();
  }

  /// Whether an item that does not go on and did not end is left to the next launch.
  template <class Tx>
  MAGPIE_INLINE bool defers(const Tx& tx) const {
    if constexpr (in_rounds<Region>) return launch.work.pushed != nullptr && !Tx::is_left_to_host(tx.why());
    return false;
  }

  /// Hands the item at a position on to the next launch.
  MAGPIE_INLINE void defer(const thread& self, std::uint64_t position, std::uint32_t rank) const {
    const std::uint64_t place = append(self, launch.statistics + counter::deferred);
#if MAGPIE_CHECKS_BOUNDS
    if (place >= launch.work.deferred_capacity)
      bounds_fault(place, launch.work.deferred_capacity, launch.work.deferred);
#endif
    st_plain(launch.work.deferred - 1 - place, item_at(position));
    st_plain(launch.work.deferred_ranks - 1 - place, rank);
  }

  /// The item ends unfinished: say so, and why.
  template <class Tx>
  MAGPIE_INLINE void give_up(const Tx& tx, std::uint64_t position) const {
    const cause why = tx.why();
    std::uint32_t which = counter::stopped;
    if (why == cause::overflow) {
      which = counter::overflows;
    } else if (why == cause::unopened) {
      which = counter::unopened;
    } else if (why == cause::too_many_pushes) {
      which = counter::too_many_pushes;
    } else if (irrevocable_of<Region> && why == cause::revoked) {
      which = counter::revoked;
    } else if (why != cause::stopped && !tx.stopping()) {
      which = why == cause::no_slot ? counter::no_slot : counter::attempts_exhausted;
    }
    red_add_rlx_dev(launch.statistics + which, std::uint64_t{1});
    if (why == cause::requested) red_add_rlx_dev(launch.statistics + counter::requested, std::uint64_t{1});
    red_or_rlx_dev(launch.pending + position / 32, 1u << (position % 32));
  }

  /// A pause that grows with the attempts, spread by rank so that lanes in step fall out of it.
  template <class Tx>
  MAGPIE_INLINE void back_off(const Tx& tx, std::uint32_t attempts, std::uint32_t patience) const {
    setback();
    if ((launch.back_off & control::longest_back_off) == 0) return;
    const std::uint32_t bound = longest_pause<Region, Policy>(launch, tx, attempts, patience);
    const std::uint32_t spread = (tx.rank() * 2654435761u + attempts * 40503u) >> 16;
    pause(bound / 2 + spread % (bound / 2 + 1));
  }

  /// Whether the launch runs listed positions.
  MAGPIE_INLINE bool is_listed() const {
    return Paged && launch.only_pending != 0 && launch.only_pending != control::by_bits;
  }
  /// The position of the place-th item that the launch runs.
  MAGPIE_INLINE std::uint64_t position_at(std::uint64_t place) const {
    return is_listed() ? ld_plain(launch.pending + (launch.items + 31) / 32 + place) : place;
  }
  MAGPIE_INLINE bool is_pending(std::uint64_t position) const {
    return (ld_rlx_dev(launch.pending + position / 32) >> (position % 32) & 1u) != 0;
  }
  MAGPIE_INLINE void clear_pending(std::uint64_t position) const {
    red_and_rlx_dev(launch.pending + position / 32, ~(1u << (position % 32)));
  }
};

/// What a region must have, asked where it is exported, so that errors are in its own file.
namespace check {

template <class Region>
concept limits = requires {
  std::uint32_t{Region::max_objects};
  std::uint32_t{Region::max_writes};
};

template <class Region>
struct state_of {
  struct none {};
  using type = none;
};
template <class Region>
  requires requires { typename Region::state; }
struct state_of<Region> {
  using type = typename Region::state;
};

template <class Region, class Tx>
concept body = requires(Region& region, Tx& tx, std::uint32_t item) {
  region(tx, item);
};
template <class Region, class Tx>
concept plan = requires(Region& region, Tx& tx, std::uint32_t item, typename state_of<Region>::type& s) {
  region.plan(tx, item, s);
};
template <class Region, class Tx>
concept apply = requires(Region& region, Tx& tx, std::uint32_t item, typename state_of<Region>::type& s) {
  region.apply(tx, item, s);
}
|| requires(Region& region, Tx& tx, std::uint32_t item, lane_group& lanes, typename state_of<Region>::type& s) {
  region.apply(tx, lanes, item, s);
};
template <class Region, class Tx>
concept gives_outcome = requires(const Region& region, Tx& tx, std::uint32_t item) {
  { region(tx, item) } -> std::same_as<outcome>;
}
|| requires(const Region& region, Tx& tx, std::uint32_t item, typename state_of<Region>::type& s) {
  { region.plan(tx, item, s) } -> std::same_as<outcome>;
};
template <class Region, class Tx>
concept committed = requires(Region& region, Tx& tx, std::uint32_t item) {
  region.committed(tx, item);
};
template <class Region, class Tx>
concept committed_with_state = requires(Region& region, Tx& tx, std::uint32_t item,
                                        typename state_of<Region>::type& s) {
  region.committed(tx, item, s);
};
template <class Region, class Tx>
concept rolled_back = requires(Region& region, Tx& tx, std::uint32_t item) {
  region.rolled_back(tx, item);
};
template <class Region, class Tx>
concept rolled_back_with_state = requires(Region& region, Tx& tx, std::uint32_t item,
                                          typename state_of<Region>::type& s) {
  region.rolled_back(tx, item, s);
};

/// What is wrong with a region; `nothing` if nothing is.
enum class flaw { nothing, no_aggregate, no_limits, no_body, no_apply, not_const, no_outcome, committed, rolled_back };

template <class Region>
constexpr flaw find_flaw_of() {
  if constexpr (!std::is_aggregate_v<Region> || !std::is_trivially_copyable_v<Region>) {
    return flaw::no_aggregate;
  } else if constexpr (!limits<Region>) {
    return flaw::no_limits;
  } else {
    using tx = transaction_of<Region, hand_off, fixed_log_of<Region, hand_off>>;
    constexpr bool planned = is_planned<Region>;
    if constexpr (planned ? !plan<Region, tx> : !body<Region, tx>) {
      return flaw::no_body;
    } else if constexpr (planned && !apply<Region, tx>) {
      return flaw::no_apply;
    } else if constexpr (planned ? !plan<const Region, tx> || !apply<const Region, tx> : !body<const Region, tx>) {
      return flaw::not_const;
    } else if constexpr (!gives_outcome<Region, tx>) {
      return flaw::no_outcome;
    } else if constexpr ((committed<Region, tx> || committed_with_state<Region, tx>)&&!(
                             planned ? committed_with_state<const Region, tx> : committed<const Region, tx>)) {
      return flaw::committed;
    } else if constexpr ((rolled_back<Region, tx> || rolled_back_with_state<Region, tx>)&&!(
                             planned ? rolled_back_with_state<const Region, tx> : rolled_back<const Region, tx>)) {
      return flaw::rolled_back;
    } else {
      return flaw::nothing;
    }
  }
}

template <class Region>
inline constexpr flaw flaw_of = find_flaw_of<Region>();

}  // namespace check

#define MAGPIE_TEXT_OF(text) #text
#define MAGPIE_TEXT(macro) MAGPIE_TEXT_OF(macro)

constexpr bool same_text(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

/// Whether a variant of a region is compiled.
constexpr bool is_wanted([[maybe_unused]] const char* region, [[maybe_unused]] bool paged) {
#if defined(MAGPIE_ONLY_REGION)
  if (!same_text(region, MAGPIE_TEXT(MAGPIE_ONLY_REGION))) return false;
#endif
#if defined(MAGPIE_ONLY_FIXED_LOGS)
  if (paged) return false;
#endif
  return true;
}

}  // namespace stm

MAGPIE_NAMESPACE_END

#if defined(__CUDACC__)

#define MAGPIE_REGION_VARIANT(symbol, region, policy, paged, kernel)                                          \
  using kernel##_functor = std::conditional_t<                                                                \
      ::magpie::stm::is_wanted(#symbol, paged) &&                                                             \
          ::magpie::stm::runs_under<region, ::magpie::stm::policy>&& ::magpie::stm::check::flaw_of<region> == \
              ::magpie::stm::check::flaw::nothing,                                                            \
      ::magpie::stm::region_kernel<region, ::magpie::stm::policy, paged>, ::magpie::stm::no_kernel>;          \
  MAGPIE_KERNEL_AS(kernel, kernel##_functor)
#define MAGPIE_REGION_BEGIN(symbol, region) MAGPIE_REGION_CHECK(region)

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// Stands for a variant that is left out: its entry point is there, and nobody launches it.
struct no_kernel {
  MAGPIE_DEVICE void operator()(const thread&) const {}
};

}  // namespace stm

MAGPIE_NAMESPACE_END

#else

#include "magpie/stm/launch_table.hpp"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

template <class Region>
bool add_region(const char* name) {
  if constexpr (check::flaw_of<Region> == check::flaw::nothing) {  // else it has been said
    add_launch_lines();
    const table_word pushes = [] {
      if constexpr (in_rounds<Region>) return table_word(max_pushes_of<Region>);
      return table_word("-");
    }();
    std::string& table = module_registry::instance().table;
    if constexpr (lanes_meet<Region>) add_line(table, {"lanes", name});
    add_line(table, {"region", name, sizeof(Region), alignof(Region), Region::max_objects, Region::max_writes,
                     reads_of<Region> == reads::validated, is_order_dependent<Region>, has_scattered_accesses<Region>,
                     pushes});
    table += reflection::field_lines<Region>();
  }
  return true;
}

template <class Kernel>
bool add_kernel_of_variant(const char* policy, const char* log, const char* kernel) {
  auto& registry = module_registry::instance();
  const std::size_t index =
      registry.add<Kernel>(kernel, reflection::field_lines<decltype(Kernel::region)>(offsetof(Kernel, region)));
  add_line(registry.table, {"variant", policy, log, kernel, index, sizeof(Kernel), offsetof(Kernel, region)});
  return true;
}

/// `Kernel` is named, and so compiled, only if it is wanted.
template <bool Wanted, class Region, class Policy, bool Paged>
bool add_variant(const char* policy, const char* kernel) {
  if constexpr (Wanted && runs_under<Region, Policy> && check::flaw_of<Region> == check::flaw::nothing) {
    add_policy_lines<Policy>(policy);
    return add_kernel_of_variant<region_kernel<Region, Policy, Paged>>(policy, Paged ? "paged" : "fixed", kernel);
  } else {
    return false;
  }
}

}  // namespace stm

MAGPIE_NAMESPACE_END

#define MAGPIE_REGION_VARIANT(symbol, region, policy, paged, kernel)                                              \
  [[maybe_unused]] static const bool magpie_registered_##kernel =                                                 \
      ::magpie::stm::add_variant<::magpie::stm::is_wanted(#symbol, paged), region, ::magpie::stm::policy, paged>( \
          #policy, #kernel);
#define MAGPIE_REGION_BEGIN(symbol, region) \
  MAGPIE_REGION_CHECK(region)               \
  [[maybe_unused]] static const bool magpie_registered_##symbol = ::magpie::stm::add_region<region>(#symbol);

#endif

#if defined(MAGPIE_MUTANTS)

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// From the next launch on, the mutant of this number is at work; the module's constant `mutant::<name>` has it.
struct choose_mutant {
  std::uint32_t number;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for ([[maybe_unused]] std::uint64_t once : self.items(1)) chosen_mutant = static_cast<mutant>(number);
  }
};

#if !defined(__CUDACC__)
/// Exports the number of each, under the name that it has in the source.
template <std::uint32_t... I>
bool add_mutants(std::integer_sequence<std::uint32_t, I...>) {
  std::int64_t number = 0;
  for (const std::string_view name : {reflection::enumerator_name<static_cast<mutant>(I)>()...}) {
    if (!name.empty()) module_registry::instance().add_constant(("mutant::" + std::string(name)).c_str(), number);
    ++number;
  }
  return true;
}
[[maybe_unused]] static const bool told_mutants = add_mutants(std::make_integer_sequence<std::uint32_t, 128>());
#endif

}  // namespace stm

MAGPIE_NAMESPACE_END

MAGPIE_KERNEL_AS(choose_mutant, ::magpie::stm::choose_mutant)

#endif

/// Says what is wrong with a region, in the line of its MAGPIE_REGION.
#define MAGPIE_REGION_CHECK(region)                                                                                 \
  static_assert(::magpie::stm::check::flaw_of<region> != ::magpie::stm::check::flaw::no_aggregate,                  \
                "region " #region                                                                                   \
                ": its fields are copied to the device byte by byte: no constructors, no private "                  \
                "fields, no base classes, no std::vector");                                                         \
  static_assert(::magpie::stm::check::flaw_of<region> != ::magpie::stm::check::flaw::no_limits,                     \
                "region " #region                                                                                   \
                ": declare how much a transaction opens and writes at first: "                                      \
                "static constexpr std::uint32_t max_objects = 2, max_writes = 2;");                                 \
  static_assert(::magpie::stm::check::flaw_of<region> != ::magpie::stm::check::flaw::no_body,                       \
                "region " #region                                                                                   \
                ": it needs template <class Tx> MAGPIE_DEVICE magpie::stm::outcome "                                \
                "operator()(Tx& tx, std::uint32_t item) const; or, where it declares a type state, plan(tx, item, " \
                "state&) const and apply(tx, item, const state&) const");                                           \
  static_assert(::magpie::stm::check::flaw_of<region> != ::magpie::stm::check::flaw::no_apply,                      \
                "region " #region                                                                                   \
                ": with plan it also needs template <class Tx> MAGPIE_DEVICE void apply(Tx& tx, "                   \
                "std::uint32_t item, const state& s) const");                                                       \
  static_assert(::magpie::stm::check::flaw_of<region> != ::magpie::stm::check::flaw::not_const,                     \
                "region " #region ": const is missing after the parameters of operator(), plan or apply");          \
  static_assert(::magpie::stm::check::flaw_of<region> != ::magpie::stm::check::flaw::no_outcome,                    \
                "region " #region ": operator() or plan must return a magpie::stm::outcome");                       \
  static_assert(::magpie::stm::check::flaw_of<region> != ::magpie::stm::check::flaw::committed,                     \
                "region " #region                                                                                   \
                ": committed has other parameters than it is called with, or lacks const: "                         \
                "(Tx& tx, std::uint32_t item) const, with a third, const state& s, where there is a plan");         \
  static_assert(::magpie::stm::check::flaw_of<region> != ::magpie::stm::check::flaw::rolled_back,                   \
                "region " #region                                                                                   \
                ": rolled_back has other parameters than it is called with, or lacks const: "                       \
                "(Tx& tx, std::uint32_t item) const, with a third, state& s, where there is a plan");

#define MAGPIE_REGION_POLICY(symbol, region, policy)                       \
  MAGPIE_REGION_VARIANT(symbol, region, policy, false, symbol##__##policy) \
  MAGPIE_REGION_VARIANT(symbol, region, policy, true, symbol##__##policy##__paged)

// What macros a policy's name stands for is looked up before it becomes part of a kernel's name.
#define MAGPIE_REGION_UNDER(symbol, region, policy) MAGPIE_REGION_POLICY(symbol, region, policy)

#if defined(MAGPIE_POLICY)
#define MAGPIE_REGION_POLICIES(symbol, region) MAGPIE_REGION_UNDER(symbol, region, MAGPIE_POLICY)
#elif defined(MAGPIE_ALL_POLICIES) || defined(MAGPIE_MUTANTS)  // mutants are chosen for all of a module's code
#define MAGPIE_REGION_POLICIES(symbol, region)   \
  MAGPIE_REGION_POLICY(symbol, region, hand_off) \
  MAGPIE_REGION_POLICY(symbol, region, priority_rule)
#else
#define MAGPIE_REGION_POLICIES(symbol, region) MAGPIE_REGION_POLICY(symbol, region, hand_off)
#endif

/// Exports the region type `region` (one name: give a template's instance an alias) under the name `symbol`, for each
/// policy that is wanted, with its own and with paged logs.
#define MAGPIE_REGION_AS(symbol, region) \
  MAGPIE_REGION_BEGIN(symbol, region)    \
  MAGPIE_REGION_POLICIES(symbol, region)

#define MAGPIE_REGION(name) MAGPIE_REGION_AS(name, name)
