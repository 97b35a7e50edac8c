/// @file
/// One transaction as a region sees it: open objects, read, write, nest; and what the retry loop does with it.
///
/// Layer: stm, above the policies and logs, below region.cuh, which alone creates transactions. Participation: per
/// thread; no warp collective between `begin` and the end of an attempt, except by the `lanes` of `seek` and `apply`.
///
/// Shared state: tracking words, through the policy and its protocol, which say in which order and why (detail/policy.cuh);
/// data through `ld_acq_dev`/`ld_rlx_dev` and `st_rlx_dev`, device scope.
///
/// Under every policy the attempts that commit have an order that explains what they read; under those that claim or lock what
/// they read, it keeps real time. With validated reads no attempt sees a mix of two states ("Opacity" in detail/claims.cuh and
/// detail/versions.cuh). A region that declares `reads::unvalidated` may see one until the commit rejects it: it must survive
/// any value that the data ever held, must bound its loops and indices itself, and must not run at the same time as a validated
/// region on the same objects.
///
/// Failure. `open`, `read`, `write`, `push`, `reserve` and `inner` say when they failed; from then on every operation of
/// the attempt fails, and the region returns, with any outcome: the attempt is retried. Not where that cannot help: a
/// handle that was never opened and too many pushes end the item unfinished. Every 1,024th operation of an attempt looks
/// whether time is up, and then fails: a region that loops over them ends with its launch.
///
/// Irrevocable attempts (regions that declare it; policies that have them: hand_off, coarse_lock). From `become_irrevocable` on
/// no operation fails, whatever others do, and the attempt commits: it may do what cannot be undone. At most one attempt of a
/// launch is irrevocable at a time. All that the region gives from then on is `commit`, also from `inner` and from each
/// alternative; it opens and writes no more than it asked room for, and what it reserves is there, so that it had better reserve
/// before. If it breaks this: a fault in checked builds; in others nothing that it wrote is committed, while what it did outside of
/// the transaction stays, and its item ends unfinished, counted as `counter::revoked`; a later pass of the run, for the items that
/// need larger logs, may run it again. Not even the watchdog ends such an attempt, which therefore must not loop without an
/// end: only a wait for a lock whose holder is gone, after a fault of its thread, ends so.
///
/// What checked builds refuse, by a fault that says so: a handle that was never opened (`read`, `write`) or was undone; a part
/// of what the transaction wrote, or more than that (`read`, `write`); `open`, `read`,
/// `write`, `peek` and `reserve` after the body or `plan`; `store` and `load` outside of `apply`; `free` outside of `apply`
/// and `committed`; `take` without `reserve`; an irrevocable attempt that does not commit; objects
/// whose words were filled for another policy.
///
/// Cost: that of the protocol; each open compares with the objects opened before, each read and write with the writes. With
/// long logs (log.cuh) each takes a search in a hash table.
#pragma once

#include "magpie/stm/detail/checks.cuh"
#include "magpie/stm/detail/conflicts.cuh"
#include "magpie/stm/detail/log.cuh"
#include "magpie/stm/detail/mutants.cuh"
#include "magpie/stm/detail/policy.cuh"
#include "magpie/stm/detail/pool.cuh"
#include "magpie/stm/detail/statistics.cuh"
#include "magpie/stm/guarded.cuh"
#include "magpie/stm/guarded_access.cuh"
#include "magpie/stm/refused_calls.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// Whether the present attempt is irrevocable, and of how many objects it was when it became so, in regions that have such
/// attempts. As a base: see claims.cuh.
template <bool Kept>
struct kept_irrevocability {
  bool irrevocable_ = false;
  std::uint32_t objects_before_ = 0;
};
template <>
struct kept_irrevocability<false> {};

/// `Pushes` and `Pools` are those of the region: see worklist.cuh, pool.cuh. `Narrow`: whether it writes data of 1 or 2 bytes.
/// `Applies`: whether it has an `apply`. `Irrevocable`: whether its attempts may become so.
template <policy Policy, class Log, reads Reads, class Pushes = push_log<0>, class Pools = no_pools,
          bool Narrow = false, bool Applies = false, bool Irrevocable = false>
class transaction : public guarded_access<transaction<Policy, Log, Reads, Pushes, Pools, Narrow, Applies, Irrevocable>>,
                    public refused_calls<transaction<Policy, Log, Reads, Pushes, Pools, Narrow, Applies, Irrevocable>>,
                    private phase_check,
                    private conflict_notes,
                    private kept_irrevocability<Irrevocable> {
  using protocol = typename Policy::template protocol<Log, Reads, Applies>;
  using on_guarded = guarded_access<transaction>;
  using refused = refused_calls<transaction>;
  friend on_guarded;

 public:
  MAGPIE_INLINE transaction(const thread& self, const control& c)
      : control_(c), log_(self, c), statistics_(self, c.statistics), recorder_(self, c), pools_(self, c) {
    if constexpr (Policy::has_descriptors) protocol_.find_memory(self, c);
  }

  // ---- For regions. The same for guarded arrays: guarded_access.cuh. What none of them takes: refused_calls.cuh.

  using on_guarded::get;
  using on_guarded::glance;
  using on_guarded::leave_hint;
  using on_guarded::load;
  using on_guarded::open;
  using on_guarded::peek;
  using on_guarded::set;
  using on_guarded::store;

  using refused::get;
  using refused::glance;
  using refused::leave_hint;
  using refused::load;
  using refused::open;
  using refused::peek;
  using refused::read;
  using refused::set;
  using refused::store;
  using refused::tally;
  using refused::write;

  /// Whether regions may reach data past their transaction, by `peek`, `glance` and `leave_hint`. Where writes are in place, none of
  /// these compiles: what they saw could be undone.
  static constexpr bool reaches_past = !Policy::writes_in_place;

  /// Claims object `id` of `array` for this transaction; a second time gives the same handle. Fails when a higher rank
  /// has it, when a wait ran out, or when the log is full. id < array.count, or it is undefined (checked builds: fault).
  template <any_objects Objects>
  [[nodiscard]] MAGPIE_INLINE handle open(const Objects& array, std::uint32_t id) {
    static_assert(are_fused_cells<Objects> || !Log::has_fused_cells,
                  "a region that declares opens_fused_cells opens nothing else");
    static_assert(!are_fused_cells<Objects> || Log::has_fused_cells || !Policy::has_fused_cells,
                  "a region that opens fused cells declares: static constexpr bool opens_fused_cells = true");
    only_in(in_body, "opens an object in apply, committed or rolled_back");
    if (!goes_on()) return {};
    check_object(array, id);
    recorder_.disturb();
    std::uint32_t* const word = guard_at(array, id);
    if (const handle opened = find(word)) return opened;
    if (objects_ == log_.object_capacity()) return fail(cause::overflow), handle{};
    this->meets(word);
    // Not counted before it is claimed; but so there is nothing to choose behind the claim.
    if constexpr (Log::keeps_in_registers) log_.set_word(objects_, word);
    const cause why = open_by_policy(array, word);
    if (why != cause::none) return lose(why), handle{};
    if constexpr (!Log::keeps_in_registers) log_.set_word(objects_, word);
    if (recorder_.opened(log_, objects_, !inner_canceled_)) protocol_.reads_unlooked();
    trace(trace_event::opened, 0, word);
    return handle_of(objects_++);
  }

  /// Claims objects `id(0)` .. `id(n - 1)` of `array`, as `open` does for each; false if one could not be. Several
  /// exchanges are under way at once, so that many claims take the time of a few: for regions that know beforehand what
  /// they need. In validated regions it is `open` one by one: there a claim that was lost and is taken again must be
  /// noticed when it is opened, elsewhere commit and cancel do.
  template <any_objects Objects, class Id>
  [[nodiscard]] MAGPIE_INLINE bool open_each(const Objects& array, std::uint32_t n, Id&& id) {
    only_in(in_body, "opens objects in apply, committed or rolled_back");
    if constexpr (Reads == reads::validated || !has_atomic_max || !protocol::takes_several) {
      for (std::uint32_t i = 0; i < n; ++i) {
        if (!open(array, id(i))) return false;
      }
      return !failed();
    } else {
      for (std::uint32_t base = 0; base < n && goes_on(); base += 32) {
        const std::uint32_t last = n - base < 32 ? n : base + 32;
        // First those that nobody has, without a way out of the loop, so that the lanes of a warp stay together.
        std::uint32_t others = 0;
        for (std::uint32_t first = base; first < last; first += together) {
          const std::uint32_t room = log_.object_capacity() - objects_;
          std::uint32_t* words[together];
          std::uint32_t taken = 0;
          MAGPIE_UNROLL
          for (std::uint32_t k = 0; k < together; ++k) {
            words[k] = nullptr;
            if (first + k >= last) continue;
            const std::uint32_t which = id(first + k);
            check_object(array, which);
            words[k] = guard_at(array, which);
            if (k < room && protocol_.try_take(*this, words[k])) {
              taken |= 1u << k;
            } else {
              others |= 1u << (first - base + k);
            }
          }
          // All that were taken go into the log before anything can fail.
          MAGPIE_UNROLL
          for (std::uint32_t k = 0; k < together; ++k) {
            if ((taken >> k & 1u) == 0 || (breaks(mutant::object_of_many_unlogged) && k == 1)) continue;
            protocol_.took(words[k]);
            log_.set_word(objects_, words[k]);
            if (recorder_.opened(log_, objects_, !inner_canceled_)) protocol_.reads_unlooked();
            trace(trace_event::opened, 0, words[k]);
            ++objects_;
          }
        }
        for (; others != 0; others &= others - 1u) {
          static_cast<void>(open(array, id(base + lowest_bit(others))));
        }
      }
      return !failed();
    }
  }

  /// Reads a datum of the opened object `object`: this transaction's own write if there is one, else what is in memory.
  /// False, and `value` untouched, if the attempt failed. `p` must lie in data that `object` stands for.
  template <class T>
  [[nodiscard]] MAGPIE_INLINE bool read(handle object, const T* p, T& value, std::uint32_t line = __builtin_LINE()) {
    only_in(in_body, "reads in apply, committed or rolled_back: apply loads");
    if (!may_access(object, p, "reads through a handle that was never opened")) return false;
    check_width(p, sizeof(T));
    check_cell(object, p, sizeof(T));
    bool written = false;
    if constexpr (Policy::writes_in_place) {
      // Memory has it.
    } else if constexpr (Log::indexes_writes) {
      const std::uint32_t last = log_.find_write(p, writes_);
      written = last != no_place;
      if (written) value = from_bits<T>(log_.write(last).bits);
    } else {
      MAGPIE_UNROLL
      for (std::uint32_t i = 0; i < log_.write_capacity(); ++i) {
        if (i >= writes_) break;
        if (log_.write(i).address == p) {  // the latest one counts
          value = from_bits<T>(log_.write(i).bits);
          written = true;
        }
      }
    }
    if (written) return true;
    sighting version;
    meets_at(object.place);
    const cause why = protocol_.read(*this, object.place, p, value, version);
    if (why != cause::none) return lose(why), false;
    if (!inner_canceled_ && !is_own_in_place(p)) recorder_.read(log_, object.place, version, p, line);
    return true;
  }

  /// Reads a datum of object `id` of `array`, open or not, past the transaction: the object is not claimed for it, and
  /// nobody looks again whether the value still holds, neither after other reads nor at commit. Gives what is in memory,
  /// perhaps from before this attempt, never a write of its own; cannot fail. The region must be right with any value the
  /// datum ever held, and whether the commit is serializable is up to its author: recordings include the read, and show it.
  /// (Datum and version are read one after the other, relaxed: during a commit they may be from different sides of it.) Not
  /// in `apply`. id < array.count, or it is undefined (checked builds: fault).
  template <any_objects Objects, class T>
  [[nodiscard]] MAGPIE_INLINE T peek(const Objects& array, std::uint32_t id, const T* p,
                                     std::uint32_t line = __builtin_LINE()) {
    static_assert(!are_fused_cells<Objects>,
                  "the data of fused cells cannot be read past a transaction: use guarded_cells");
    refuse_past_transactions();
    only_in(in_body, "peeks in apply, committed or rolled_back");
    check_object(array, id);
    static_cast<void>(goes_on());
    trace_next(trace_event::peek, array.word(id));
    const T value = ld_rlx_dev(p);
    if (!inner_canceled_) recorder_.peek(array.word(id), p, line);
    return value;
  }

  /// Looks at a datum past the transaction, for a hint only: nothing is claimed, nobody looks again whether the value still
  /// holds, and recordings leave it out. What follows from it must be looked at again under claims. That includes a cancel
  /// because of a value that never changes again. With any value that the datum ever holds, the transaction must do the same,
  /// or retry. `verify` on `sim` compares it with runs in which nothing is stale. Relaxed, device scope. Anywhere in the
  /// region; cannot fail.
  template <class T>
  [[nodiscard]] MAGPIE_INLINE T glance(const T* p) {
    refuse_past_transactions();
    trace_next(trace_event::glance, nullptr);
    recorder_.glance();
    return ld_rlx_dev(p);
  }

  /// The same of two words side by side, as `ld_rlx_pair_dev` reads them: perhaps of two states.
  [[nodiscard]] MAGPIE_INLINE word_pair glance(const word_pair* p) {
    refuse_past_transactions();
    if constexpr (tracing) {
      return {glance(&p->first), glance(&p->second)};  // each is an access of its own
    } else {
      recorder_.glance();
      return ld_rlx_pair_dev(p);
    }
  }

  /// Leaves a hint for others: stores at once, whether or not the attempt commits, and nothing undoes it. For a value that
  /// says the same as the one it replaces, and only sooner, such as a parent on a shortened way to a root. Whoever reads the
  /// datum, by whatever call, must do the same with either value, or retry; so no value may be left that a commit has made
  /// wrong, or will. `verify` on `sim` compares what items do with what they do alone, where others have left nothing.
  /// Relaxed, device scope. Anywhere in the region; cannot fail.
  template <class T>
  MAGPIE_INLINE void leave_hint(T* p, std::type_identity_t<T> value) {
    refuse_past_transactions();
    recorder_.tally(p);
    trace_next(trace_event::leave_hint, nullptr);
    st_rlx_dev(p, value);
  }

  /// Adds to a counter that is no part of the data, such as one of visits: at once, whether or not the attempt commits, and
  /// never undone. No transaction may read it. Relaxed, device scope. Anywhere in the region; cannot fail.
  template <class T>
  MAGPIE_INLINE void tally(T* p, std::type_identity_t<T> n) {
    recorder_.tally(p);
    trace_next(trace_event::tally, nullptr);
    red_add_rlx_dev(p, n);
  }

  /// Logs a write of `value` to a datum of the opened object `object`; it reaches memory at commit, or at once under a policy
  /// that `writes_in_place`, which logs what was there before. Fails when the log is full. What a transaction wrote it accesses
  /// with the same size from then on, also in `apply`, or that is undefined (checked builds: fault).
  template <class T>
  [[nodiscard]] MAGPIE_INLINE bool write(handle object, T* p, std::type_identity_t<T> value,
                                         std::uint32_t line = __builtin_LINE()) {
    static_assert(!std::is_const_v<T>, "tx.write to const data: leave const out of the region's field");
    static_assert(Narrow || sizeof(T) >= 4,
                  "a region that writes data of 1 or 2 bytes declares: static constexpr bool narrow_writes = true");
    static_assert(!Log::has_fused_cells || sizeof(T) == 4,
                  "a region that declares opens_fused_cells writes data of 4 bytes only");
    only_in(in_body, "writes in apply, committed or rolled_back: apply stores");
    if (!may_access(object, p, "writes through a handle that was never opened")) return false;
    check_width(p, sizeof(T));
    check_cell(object, p, sizeof(T));
    meets_at(object.place);
    if (const cause why = protocol_.write(*this, object.place); why != cause::none) return lose(why), false;
    std::uint32_t place = writes_;
    // An inner transaction leaves the writes of the outer one as they are.
    if constexpr (Log::indexes_writes) {
      const std::uint32_t last = log_.find_write(p, writes_);
      if (last != no_place && last >= inner_writes_) place = last;
    } else {
      MAGPIE_UNROLL
      for (std::uint32_t i = 0; i < log_.write_capacity(); ++i) {
        if (i >= writes_) break;
        if (i >= inner_writes_ && log_.write(i).address == p) place = i;
      }
    }
    if (place == log_.write_capacity()) {
      if (breaks(mutant::overflow_ignored)) return true;
      return fail(cause::overflow), false;
    }
    trace(trace_event::logged, to_bits(value), word_of(object), p);
    if constexpr (Policy::writes_in_place) {
      if (place == writes_) log_value_before(object, p, line);
      trace_next(trace_event::write_back, word_of(object));
      return st_rlx_dev(p, value), true;
    }
    log_.set_write(place, {p, to_bits(value), size_of_write(sizeof(T), object.place, line)});
    if (place == writes_) {
      log_.enter_write(place);
      ++writes_;
    }
    return true;
  }

  /// In `apply` only: writes a datum of the locked object `object` in place; without a handle, of one of those opened.
  template <class T>
  MAGPIE_INLINE void store(handle object, T* p, std::type_identity_t<T> value,
                           [[maybe_unused]] std::uint32_t line = __builtin_LINE()) {
    static_assert(!Log::has_fused_cells || sizeof(T) == 4,
                  "a region that declares opens_fused_cells writes data of 4 bytes only");
    only_in(in_apply, "stores outside of apply");
    check_open(object, p);
    check_width(p, sizeof(T));
    check_cell(object, p, sizeof(T));
    if constexpr (recording) {
      for_each_place(object, [&](std::uint32_t place) { recorder_.write(log_, place, p, line); });
    }
    if constexpr (Log::holds_data && sizeof(T) == sizeof(std::uint32_t)) {
      if (const handle cell = cell_of(p)) return log_.set_datum(cell.place, __builtin_bit_cast(std::uint32_t, value));
    }
    trace_next(trace_event::store, word_of(object));
    st_rlx_dev(p, value);
  }

  /// In `apply` only: reads a datum of the locked object `object`; without a handle, of one of those opened.
  template <class T>
  MAGPIE_INLINE T load(handle object, const T* p, [[maybe_unused]] std::uint32_t line = __builtin_LINE()) {
    only_in(in_apply, "loads outside of apply");
    check_open(object, p);
    check_width(p, sizeof(T));
    check_cell(object, p, sizeof(T));
    trace_next(trace_event::load, word_of(object));
    const T value = load_in_place(p);
    if constexpr (recording) {
      for_each_place(object, [&](std::uint32_t place) {
        recorder_.read(log_, place, recorder_.template look<false>(log_, place), p, line);
      });
    }
    return value;
  }

  // ---- Items and slots.

  /// Makes `item` an item of the next launch of this run in rounds, if this attempt commits. Anywhere in the region,
  /// also in `apply`. False, and the item ends unfinished, if it pushes more than the region's `max_pushes`; in `apply`
  /// more are undefined (checked builds: fault).
  MAGPIE_INLINE bool push(std::uint32_t item, [[maybe_unused]] std::uint32_t line = __builtin_LINE()) {
    static_assert(Pushes::most > 0, "a region that pushes declares max_pushes of at least 1");
    only_in(in_body | in_apply, "pushes in committed or rolled_back");
    if (failed()) return false;
    trace(trace_event::pushed, item);
    if (pushes_.push(item)) return recorder_.pushed(item, line), true;
    only_in(in_body, "pushes more than its max_pushes in apply, where nothing can fail");
    return fail(cause::too_many_pushes), false;
  }

  /// Makes sure that this attempt can `take` n more slots of the pool. Fails when the pool is exhausted. Not in `apply`.
  /// One attempt reserves at most `max_slots` of a pool, or it is undefined (checked builds: fault).
  template <std::uint32_t Index>
  [[nodiscard]] MAGPIE_INLINE bool reserve(const pool<Index>& from, std::uint32_t n) {
    only_in(in_body, "reserves slots in apply, committed or rolled_back");
    if (!goes_on()) return false;
    return pools_.reserve(control_, from, n, recorder_) || (fail(cause::no_slot), false);
  }

  /// One of the slots reserved; it belongs to what this attempt commits. Also in `apply`. Without one left: ~0u (checked
  /// builds: fault).
  template <std::uint32_t Index>
  MAGPIE_INLINE std::uint32_t take(const pool<Index>& from, [[maybe_unused]] std::uint32_t line = __builtin_LINE()) {
    only_in(in_body | in_apply, "takes a slot in committed or rolled_back");
    const std::uint32_t slot = pools_.take(from, recorder_);
    recorder_.took(Index, slot, line);
    trace(trace_event::taken, slot, nullptr, from.slots);
    return slot;
  }

  /// Gives up a slot that is the transaction's to give up: what it names is no longer referred to by what is committed.
  /// It can be taken again from the next launch on. In `apply` and `committed` only, and once: elsewhere a failed attempt
  /// would free it as well (checked builds: fault; the host refuses what was freed twice, see pool.cuh).
  template <std::uint32_t Index>
  MAGPIE_INLINE void free(const pool<Index>& to, std::uint32_t slot,
                          [[maybe_unused]] std::uint32_t line = __builtin_LINE()) {
    only_in(in_apply | in_committed, "frees a slot outside of apply and committed");
    trace(trace_event::freed, slot, nullptr, to.slots);
    recorder_.freed(Index, slot, line);
    pools_.free(control_, to, slot);
  }

  /// An inner transaction: `body(*this)`, at most `attempts` times, over the claims held so far. Only what the body
  /// opened and wrote is undone between its attempts; objects are locked together with the outer ones at commit, which
  /// commits both. Gives `commit`; or `cancel` if the body canceled; or `retry` if all attempts failed or an outer
  /// claim was lost. Giving up rolls back both: once an inner transaction has canceled, `commit` from the body around
  /// it means `cancel`, also when an alternative was tried after it.
  template <class Body>
  [[nodiscard]] MAGPIE_INLINE outcome inner(std::uint32_t attempts, Body&& body) {
    const std::uint32_t outer_objects = objects_;
    const std::uint32_t outer_writes = writes_;
    const std::uint32_t outer_inner_writes = inner_writes_;
    const bool canceled_before = inner_canceled_;
    const std::uint32_t outer_accesses = recorder_.mark();
    const std::uint32_t outer_effects = recorder_.effects();
    const std::uint32_t outer_pushes = pushes_.count();
    const auto outer_slots = pools_.mark();
    inner_writes_ = writes_;
    if constexpr (has_mutants && requires { protocol_.lock_outer(*this); }) {
      if (breaks(mutant::inner_over_locked)) protocol_.lock_outer(*this);
    }
    outcome result = outcome::retry;
    for (std::uint32_t attempt = 0; attempt < attempts && !failed(); ++attempt) {
      if (attempt > 0) statistics_.add<counter::inner_retries>();
      trace(trace_event::inner_begin);
      result = body(*this);
      const bool in_vain = (forces_retry(true) || recorder_.forces_inner_retry()) && !is_irrevocable();
      if (attempt == 0 && attempts > 1 && !failed() && in_vain) fail(cause::stolen);
      must_commit(result);
      if (!failed() && result == outcome::commit) {
        if (!inner_canceled_ || canceled_before) {
          trace(trace_event::inner_kept);
          break;
        }
        result = outcome::cancel;  // one further in gave up
      }
      this->meets(nullptr);
      const bool stood = protocol_.abandon_inner(*this, outer_objects, !failed() && result == outcome::cancel);
      if (!failed() && result == outcome::cancel && !stood) lose(cause::stolen);
      const cause why = failed() ? cause_ : cause_of(result);
      trace(trace_event::inner_undone);
      if (failed()) result = outcome::retry;
      inner_canceled_ = canceled_before;  // what is undone did not give up
      objects_ = outer_objects;
      if (!breaks(mutant::inner_undo_keeps_writes)) writes_ = outer_writes;
      pushes_.cut(outer_pushes);
      pools_.cut(outer_slots);
      recorder_.undo_effects(outer_effects);
      if (result == outcome::cancel) {
        inner_canceled_ = true;  // by what it read, which stays logged
        break;
      }
      recorder_.cut(log_, outer_objects, outer_accesses);
      // Not under locks: who has what the body met may be after these.
      const bool met_others = protocol_.ends_at_locks() && why == cause::locked;
      const bool again = is_worth_another(why) && attempt + 1 < attempts && !met_others;
      cause_ = again ? cause::none : why;
      this->meets(nullptr);
      if (again && !protocol_.intact(*this)) lose(cause::stolen);
    }
    inner_writes_ = outer_inner_writes;
    return failed() ? outcome::retry : result;
  }

  /// Alternatives (Harris, Marlow, Peyton Jones, Herlihy: Composable memory transactions, PPoPP 2005, `orElse`):
  /// `first(*this)`, and if that gives `cancel`, `second(*this)` in its place. What one wrote, pushed and took that does not
  /// give `commit` is undone; what it opened stays open, and is locked or looked at if the transaction commits, so that the
  /// second one is chosen only where the first one would cancel in the serial order, too. Gives what the last one gave; if both
  /// cancel, the region decides. Fails as the operations do. May be nested, and within `inner`; an inner transaction that cancels
  /// within an alternative cancels all, as it does elsewhere. The log needs room for the objects of both.
  template <class First, class Second>
  [[nodiscard]] MAGPIE_INLINE outcome or_else(First&& first, Second&& second) {
    const outcome result = alternative(first);
    return result == outcome::cancel ? alternative(second) : result;
  }

  /// From here on no operation of this attempt fails, and it commits: what it does outside of the transaction is done once for the
  /// item, and by one attempt of the launch at a time ("Irrevocable attempts" above). False as a failed `open` is: others have
  /// what it needs, another attempt is irrevocable, or the log has no room for `more_objects` objects that it will open and
  /// `more_writes` data that it will write from here on, for which the item then gets a larger one. A second time it
  /// gives true, and asks for nothing. Not after an inner transaction gave up. What was read is of one state, also
  /// where reads are not validated, and stays so until the commit. Orders nothing for others: who sees what the attempt did
  /// outside of the transaction need not see what it commits.
  [[nodiscard]] MAGPIE_INLINE bool become_irrevocable(std::uint32_t more_objects = 0, std::uint32_t more_writes = 0) {
    static_assert(Irrevocable,
                  "a region whose attempts become irrevocable declares: static constexpr bool irrevocable = true");
    if constexpr (Irrevocable && Policy::has_irrevocable) {
      only_in(in_body, "becomes irrevocable in apply, committed or rolled_back");
      if (!goes_on()) return false;
      if (is_irrevocable()) return true;
      if (inner_canceled_) return revoke(cause::requested), false;
      if (log_.object_capacity() - objects_ < more_objects || log_.write_capacity() - writes_ < more_writes) {
        return fail(cause::overflow), false;
      }
      // An attempt that is to fail, so that others get in between, has to end here.
      if (forces_retry(false) || recorder_.forces_retry()) return fail(cause::stolen), false;
      this->meets(nullptr);
      if (const cause why = protocol_.become_irrevocable(*this); why != cause::none) return lose(why), false;
      this->irrevocable_ = true;
      this->objects_before_ = objects_;
      trace(trace_event::phase, in_irrevocable);
    }
    return true;
  }

  /// Whether this attempt is irrevocable.
  MAGPIE_INLINE bool is_irrevocable() const {
    if constexpr (Irrevocable) return this->irrevocable_;
    return false;
  }

  /// Whether an operation of this attempt failed.
  MAGPIE_INLINE bool failed() const { return cause_ != cause::none; }

  /// This item's rank: unique in the launch, older items higher.
  MAGPIE_INLINE std::uint32_t rank() const { return rank_; }

  // ---- For policies.

  static constexpr bool may_become_irrevocable = Irrevocable;

  MAGPIE_INLINE const control& launch() const { return control_; }
  MAGPIE_INLINE const Log& log() const { return log_; }
  MAGPIE_INLINE Log& log() { return log_; }
  /// Objects opened so far, and writes logged.
  MAGPIE_INLINE std::uint32_t opened() const { return objects_; }
  MAGPIE_INLINE std::uint32_t written() const { return writes_; }
  /// Of these, those before the inner transaction that is being undone.
  MAGPIE_INLINE std::uint32_t written_before_inner() const { return inner_writes_; }
  /// Policies that write in place: puts back what the writes from `first` on found, relaxed, the last one first. So a datum that was
  /// written in an inner transaction and around it ends as it was before both.
  MAGPIE_INLINE void undo_writes(std::uint32_t first) {
    if (breaks(mutant::undo_forgotten)) return;
    const auto put_back = [&](std::uint32_t i) {
      trace_next(trace_event::write_back, log_.word(log_.write(i).place()));
      put(log_.write(i));
    };
    if (breaks(mutant::undo_in_order)) {
      for (std::uint32_t i = first; i < writes_; ++i) put_back(i);
    } else if constexpr (Log::keeps_writes_in_registers) {
      MAGPIE_UNROLL
      for (std::uint32_t left = log_.write_capacity(); left > 0; --left) {
        if (left <= writes_ && left > first) put_back(left - 1);
      }
    } else {
      MAGPIE_NO_UNROLL
      for (std::uint32_t left = writes_; left > first; --left) put_back(left - 1);
    }
  }
  /// Whether a write of the datum at `p` is logged.
  MAGPIE_INLINE bool has_written(const void* p) const {
    bool has = false;
    if constexpr (Log::indexes_writes) {
      has = log_.find_write(p, writes_) != no_place;
    } else {
      MAGPIE_UNROLL
      for (std::uint32_t i = 0; i < log_.write_capacity(); ++i) {
        if (i >= writes_) break;
        has |= log_.write(i).address == p;
      }
    }
    return has;
  }
  /// Calls `visit(i)` for every opened object. Unrolled where the log is small, so that it stays in registers.
  template <class Visit>
  MAGPIE_INLINE void each_object(Visit&& visit) const {
    if constexpr (Log::fits_mask) {
      MAGPIE_UNROLL
      for (std::uint32_t i = 0; i < log_.object_capacity(); ++i) {
        if (i >= objects_) break;
        visit(i);
      }
    } else {
      MAGPIE_NO_UNROLL
      for (std::uint32_t i = 0; i < objects_; ++i) visit(i);
    }
  }
  /// Whether a logged write is to object i; where the log knows.
  MAGPIE_INLINE bool writes_to(std::uint32_t i) const {
    bool found = false;
    for (std::uint32_t w = 0; w < writes_; ++w) found = found || log_.write(w).place() == i;
    return found;
  }
  /// The version of object i that a recording has.
  template <bool Acquire>
  MAGPIE_INLINE sighting look(std::uint32_t i) const {
    return recorder_.template look<Acquire>(log_, i);
  }
  /// What was read of object i is as it was, under the version that it has now.
  MAGPIE_INLINE void revise(std::uint32_t i) {
    if (!inner_canceled_) recorder_.revise(log_, i);
  }
  /// Where a recording has the version of object i; null if it has none.
  MAGPIE_INLINE std::uint32_t* stamp_of(std::uint32_t i) const { return recorder_.stamp_of(log_.word(i)); }
  /// Logged write w, to an object of the version `stamp`, is part of a commit whose writes the policy makes.
  MAGPIE_INLINE void record_write(std::uint32_t w, std::uint32_t stamp) {
    const logged_write& write = log_.write(w);
    recorder_.wrote(log_, write.place(), stamp, write.address, write.line());
  }
  MAGPIE_INLINE void traces_read(std::uint32_t i) const { trace_next(trace_event::read, word_of({i})); }
  MAGPIE_INLINE void fail(cause why) {
    if (is_irrevocable()) return revoke(why);
    cause_ = why;
  }
  /// Object i is what the attempt meets, should it fail now.
  MAGPIE_INLINE void meets_at([[maybe_unused]] std::uint32_t i) const {
    if constexpr (samples_conflicts) this->meets(log_.word(i));
  }
  /// Gives back whether object i was found as it has to be; if not, it is what the attempt meets.
  MAGPIE_INLINE bool noted(std::uint32_t i, bool is_right) const {
    if (!is_right) meets_at(i);
    return is_right;
  }
  /// A wait begins at the object that is being opened.
  MAGPIE_INLINE void waits() const { this->count_conflict(control_); }
  /// Whether object i was opened before the attempt became irrevocable, and so is locked.
  MAGPIE_INLINE bool is_locked([[maybe_unused]] std::uint32_t i) const {
    if constexpr (Irrevocable)
      return this->irrevocable_ && i < this->objects_before_ && !breaks(mutant::irrevocable_unlocked);
    return false;
  }
  /// The tracking word of object `id`, as a transaction opens it.
  template <any_objects Objects>
  MAGPIE_INLINE std::uint32_t* guard_at(const Objects& array, std::uint32_t id) const {
    return array.word(breaks(mutant::neighbor_opened) && rank() % 3 == 0 && id != 0 ? id - 1 : id);
  }
  /// The rank by which the attempt claims.
  MAGPIE_INLINE std::uint32_t claim_rank() const {
    if constexpr (Irrevocable && requires { Policy::top_rank; }) {
      if (is_irrevocable() && !breaks(mutant::irrevocable_by_own_rank)) return Policy::top_rank;
    }
    return rank_;
  }

  /// Whether all that is held still stands.
  MAGPIE_INLINE bool intact() const { return protocol_.intact(*this); }
  MAGPIE_INLINE auto& remembered() { return protocol_.remembered(); }
  MAGPIE_INLINE bool gives_way() const { return control_.give_way != 0; }
  /// Counts a poll of this attempt; false when it has used up its bound.
  MAGPIE_INLINE bool may_poll() {
    if (polls_ >= control_.polls) return false;
    ++polls_;
    return true;
  }
  /// The watchdog's flag; relaxed, it carries no data.
  MAGPIE_INLINE bool stopping() const { return control_.is_stopped(); }
  MAGPIE_INLINE void pause_in_wait(std::uint32_t poll) const { pause_while_polling(poll); }
  MAGPIE_INLINE void count_steal() { statistics_.add<counter::steals>(); }
  MAGPIE_INLINE void count_poll() { statistics_.add<counter::polls>(); }
  MAGPIE_INLINE void count_registration() { statistics_.add<counter::registrations>(); }
  MAGPIE_INLINE void count_withdrawal() { statistics_.add<counter::withdrawals>(); }

  // ---- For the retry loop.

  /// Starts an attempt of the item of rank `rank`, an eager one or not.
  MAGPIE_INLINE void begin(std::uint32_t rank, bool eager) {
    rank_ = rank;
    objects_ = 0;
    writes_ = 0;
    inner_writes_ = 0;
    polls_ = 0;
    operations_ = 0;
    inner_canceled_ = false;
    cause_ = cause::none;
    if constexpr (Irrevocable) this->irrevocable_ = false;
    protocol_.begin(*this, eager);
    recorder_.begin(rank);
    pushes_.begin();
    pools_.begin();
    enter(in_body);
  }

  /// Ends the attempt with the region's verdict: commits (with `apply` between the lock and the release), or rolls back.
  /// `converge` is told, once, between the locks and `apply`, whether it commits.
  /// Gives what became of it; `retry` if it has to be tried again, `why()` says for what reason.
  template <class Converge, class Apply>
  MAGPIE_INLINE outcome end(outcome verdict, Converge&& converge, Apply&& apply) {
    const bool gave_up = !failed() && verdict == outcome::commit && inner_canceled_;
    if (gave_up) verdict = outcome::cancel;
    must_commit(verdict);
    if (!failed() && !is_irrevocable() && (forces_retry(false) || recorder_.forces_retry())) fail(cause::stolen);
    recorder_.disturb();
    const bool commits = !failed() && verdict == outcome::commit;
    this->meets(nullptr);
    const cause obstacle = commits ? protocol_.prepare(*this) : cause::none;
    const bool locked = commits && obstacle == cause::none;
    converge(locked);
    enter(in_rolled_back);
    if (failed()) {
      verdict = outcome::retry;
    } else if (verdict == outcome::commit) {
      if (locked) {
        trace(trace_event::locked);
        // From here on nothing fails.
        protocol_.order_writes(*this);
        if (breaks(mutant::release_before_write_back)) protocol_.publish(*this);
        recorder_.disturb();
        if constexpr (Policy::has_descriptors) {
          protocol_.write_back(*this);
        } else {
          recorder_.write_back(log_, objects_, writes_);
        }
        if constexpr (!Policy::has_descriptors && !Policy::writes_in_place) {
          MAGPIE_UNROLL
          for (std::uint32_t i = 0; i < log_.write_capacity(); ++i) {
            if (i >= writes_) break;
            if constexpr (Log::holds_data) {
              if (set_datum(log_.write(i))) continue;
            }
            trace_next(trace_event::write_back, log_.word(log_.write(i).place()));
            put(log_.write(i));
          }
        }
        enter(in_apply);
        apply();
        recorder_.disturb();
        if (!breaks(mutant::release_before_write_back)) protocol_.publish(*this);
        statistics_.objects_at_commit(objects_);
        pools_.settle();
        enter(in_committed);
        return outcome::commit;
      } else {
        lose(obstacle);
        return outcome::retry;
      }
    } else if (verdict == outcome::cancel) {
      trace(trace_event::canceled, gave_up ? 1 : 0);
    } else {
      cause_ = cause_of(verdict);
      verdict = outcome::retry;
    }
    this->meets(nullptr);
    const bool stood = protocol_.abandon(*this, verdict == outcome::cancel);
    if (verdict == outcome::cancel && !stood) {
      lose(cause::stolen);
      verdict = outcome::retry;
    }
    return verdict;
  }

  /// Logs the attempt that just ended, the `attempt`-th of `item`, where this build records.
  MAGPIE_INLINE void record(std::uint32_t item, std::uint32_t attempt, outcome result) {
    recorder_.end(item, attempt, rank_, result, cause_);
    recorder_.enter_hook();
    recorder_.disturb();
    trace(trace_event::end, code_of(result, cause_));
  }

  /// Says of the region what a recording tells: `seen`.
  MAGPIE_INLINE void has(std::uint32_t what) const { recorder_.mark(what); }

  /// Whether the present attempt, or the last one, is eager.
  MAGPIE_INLINE bool is_eager() const {
    if constexpr (Policy::has_eager_attempts) return protocol_.was_eager();
    return false;
  }

  /// Ends the item: whatever it kept between attempts is withdrawn.
  MAGPIE_INLINE void end_item() { protocol_.end_item(*this); }

  /// What the attempt that committed pushes.
  MAGPIE_INLINE Pushes& pushes() { return pushes_; }

  /// Ends the thread's part in the launch: nothing of a pool stays at hand.
  MAGPIE_INLINE void end_thread() {
    protocol_.end_thread(*this);
    pools_.give_back_all(control_);
  }

  /// Whether an attempt that failed so may do better within this launch.
  MAGPIE_INLINE static bool is_worth_another(cause why) {
    return why != cause::stopped && why != cause::no_slot && why != cause::deferred && !is_left_to_host(why);
  }
  /// Whether an item that ended so would end so in the next launch too: the host gives it larger logs, or reports it.
  MAGPIE_INLINE static bool is_left_to_host(cause why) {
    return why == cause::overflow || why == cause::unopened || why == cause::too_many_pushes ||
           (Irrevocable && why == cause::revoked);
  }

  /// Why the attempt failed.
  MAGPIE_INLINE cause why() const { return cause_; }
  MAGPIE_INLINE run_statistics& statistics() { return statistics_; }

 private:
  /// Runs `body`, and undoes its effects unless it gives `commit`.
  template <class Body>
  MAGPIE_INLINE outcome alternative(Body&& body) {
    const std::uint32_t outer_writes = writes_;
    const std::uint32_t outer_inner_writes = inner_writes_;
    const std::uint32_t outer_pushes = pushes_.count();
    const std::uint32_t outer_effects = recorder_.effects();
    const auto outer_slots = pools_.mark();
    inner_writes_ = writes_;
    trace(trace_event::inner_begin);
    const outcome result = body(*this);
    must_commit(result);
    inner_writes_ = outer_inner_writes;
    if (failed() || result == outcome::commit) {
      trace(trace_event::inner_kept);
      return failed() ? outcome::retry : result;
    }
    trace(trace_event::effects_undone);
    if (!breaks(mutant::alternative_keeps_writes)) {
      if constexpr (Policy::writes_in_place) undo_writes(outer_writes);
      writes_ = outer_writes;
    }
    pushes_.cut(outer_pushes);
    pools_.cut(outer_slots);
    recorder_.undo_effects(outer_effects);
    return result;
  }

  /// What the region, or a part of it, gave must be a commit once the attempt is irrevocable.
  MAGPIE_INLINE void must_commit(outcome verdict) {
    if (is_irrevocable() && !failed() && verdict != outcome::commit) revoke(cause::requested);
  }
  /// The attempt is irrevocable and cannot commit, or could not if it became so. No fault where the launch is being ended.
  MAGPIE_INLINE void revoke([[maybe_unused]] cause why) {
#if MAGPIE_CHECKS_BOUNDS
    if (why == cause::overflow) {
      misuse_fault("became irrevocable and did not commit: it opened or wrote more than it had asked room for");
    }
    if (why == cause::no_slot) {
      misuse_fault("became irrevocable and did not commit: it reserved slots that there were not; reserve before");
    }
    if (why != cause::stopped) {
      misuse_fault("became irrevocable and did not commit: it gave another outcome, pushed too much, or had given up");
    }
#endif
    cause_ = cause::revoked;
  }

  /// Objects that `open_each` takes at once.
  static constexpr std::uint32_t together = 4;

  template <class T>
  MAGPIE_INLINE static std::uint64_t to_bits(T value) {
    static_assert(
        (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8) && std::is_trivially_copyable_v<T>,
        "a word that a transaction reads or writes has 1, 2, 4 or 8 bytes and is trivially copyable");
    return __builtin_bit_cast(unsigned_of<sizeof(T)>, value);
  }
  /// What a logged write has for its size, and the bytes that this says.
  MAGPIE_INLINE static std::uint64_t size_of_write(std::uint64_t bytes, std::uint32_t place, std::uint32_t line) {
    return Policy::has_descriptors ? logged_write::size_with_place(bytes, place, line)
                                   : logged_write::size_of(bytes, place, line);
  }
  MAGPIE_INLINE static std::uint64_t bytes_of(const logged_write& write) {
    return Policy::has_descriptors ? write.bytes_beside_place() : write.bytes();
  }

  template <class T>
  MAGPIE_INLINE static T from_bits(std::uint64_t bits) {
    return __builtin_bit_cast(T, static_cast<unsigned_of<sizeof(T)>>(bits));
  }
  template <class T>
  MAGPIE_INLINE static void store(T* p, T value) {
    if constexpr (requires { requires protocol::passes_lines; }) return st_rlx_dev_last(p, value);
    st_rlx_dev(p, value);
  }
  MAGPIE_INLINE static void put(const logged_write& write) {
    if constexpr (Narrow) {
      if (write.bytes() == 1) {
        return st_rlx_dev(static_cast<std::uint8_t*>(write.address), static_cast<std::uint8_t>(write.bits));
      }
      if (write.bytes() == 2) {
        return st_rlx_dev(static_cast<std::uint16_t*>(write.address), static_cast<std::uint16_t>(write.bits));
      }
    }
    if (write.bytes() == 4) {
      store(static_cast<std::uint32_t*>(write.address), static_cast<std::uint32_t>(write.bits));
    } else {
      store(static_cast<std::uint64_t*>(write.address), write.bits);
    }
  }

  // ---- Policies that write in place.

  MAGPIE_INLINE static constexpr void refuse_past_transactions() {
    static_assert(
        reaches_past,
        "this policy writes in place: what peek, glance and leave_hint reach past a transaction may be undone; run "
        "the region under another policy, such as pessimistic");
  }
  /// Logs what a write of the datum, the attempt's first at this depth of inner transactions, is about to replace.
  template <class T>
  MAGPIE_INLINE void log_value_before(handle object, const T* p, std::uint32_t line) {
    log_.set_write(writes_, {const_cast<T*>(p), to_bits(ld_rlx_dev(p)), size_of_write(sizeof(T), object.place, line)});
    log_.enter_write(writes_);
    ++writes_;
  }
  /// Recordings leave out what was read of the attempt's own writes.
  MAGPIE_INLINE bool is_own_in_place([[maybe_unused]] const void* p) const {
    if constexpr (recording && Policy::writes_in_place) return has_written(p);
    return false;
  }

  // ---- Fused cells.

  /// The open object in whose cell `p` is the datum.
  MAGPIE_INLINE handle cell_of(const void* p) const { return find(static_cast<const std::uint32_t*>(p) + 1); }
  /// In place of the store, where it is to such a datum: the release writes it.
  MAGPIE_INLINE bool set_datum(const logged_write& write) {
    const handle cell = cell_of(write.address);
    if (cell) log_.set_datum(cell.place, static_cast<std::uint32_t>(write.bits));
    return static_cast<bool>(cell);
  }
  template <class T>
  MAGPIE_INLINE T load_in_place(const T* p) const {
    if constexpr (Log::holds_data && sizeof(T) == sizeof(std::uint32_t)) {
      if (const handle cell = cell_of(p)) return __builtin_bit_cast(T, log_.datum(cell.place));
    }
    return ld_rlx_dev(p);
  }

  template <any_objects Objects>
  MAGPIE_INLINE cause open_by_policy(const Objects& array, std::uint32_t* word) {
    if constexpr (Policy::has_descriptors) {
      return protocol_.open(*this, objects::record_of(array.words, word, array.distance()));
    } else {
      return protocol_.open(*this, array.distance(), word);
    }
  }

  /// The opened object of tracking word `word`.
  MAGPIE_INLINE handle find(const std::uint32_t* word) const {
    std::uint32_t found = handle::none;
    if constexpr (Log::indexes_objects) {
      found = log_.find(word, objects_);
    } else if constexpr (Log::keeps_in_registers) {
      if (!is_open(word)) return {};
      found = log_.object_capacity() - 1;
      MAGPIE_UNROLL
      for (std::uint32_t i = log_.object_capacity() - 1; i > 0; --i) {
        if (log_.word(i - 1) == word) found = i - 1;
      }
    } else {
      each_object([&](std::uint32_t i) {
        if (log_.word(i) == word) found = i;
      });
    }
    return handle_of(found);
  }
  /// Whether the object of tracking word `word` is open; in logs in registers. Without a branch, so that it is one value
  /// wherever it is asked for.
  MAGPIE_INLINE bool is_open(const std::uint32_t* word) const {
    bool is = false;
    MAGPIE_UNROLL
    for (std::uint32_t i = 0; i < log_.object_capacity(); ++i) is |= (i < objects_) & (log_.word(i) == word);
    return is;
  }
  /// Tells the compiler that `object`, open and of tracking word `word`, will be found, so that the next access by index
  /// has neither a search nor a claim. True.
  MAGPIE_INLINE bool will_find([[maybe_unused]] const std::uint32_t* word, [[maybe_unused]] handle object) const {
    if constexpr (Log::keeps_in_registers) {
      holds(object.place < objects_);
      holds(is_open(word));
    }
    return true;
  }

  /// A handle of the object at `place` in the log, which may be `handle::none`.
  MAGPIE_INLINE handle handle_of(std::uint32_t place) const {
#if MAGPIE_CHECKS_BOUNDS
    return {place, place == handle::none ? nullptr : log_.word(place)};
#else
    return {place};
#endif
  }

  /// Operations of an attempt between two looks at the watchdog's flag. In a region without loops over operations their
  /// number is a constant, and no look is left.
  static constexpr std::uint32_t operations_per_look = 1024;

  /// One more operation; whether the attempt goes on.
  MAGPIE_INLINE bool goes_on() {
    if (++operations_ % operations_per_look == 0 && !failed() && !is_irrevocable() && stopping()) fail(cause::stopped);
    if (failed()) in_vain(operations_);
    return !failed();
  }
  /// The same of an operation on an object. Without one, although nothing failed, the region is wrong: the item ends.
  MAGPIE_INLINE bool may_access(handle object, [[maybe_unused]] const void* p, [[maybe_unused]] const char* without) {
    if (!goes_on() || !object) {
#if MAGPIE_CHECKS_BOUNDS
      if (!failed()) bad_handle(p, without);
#endif
      if (!failed()) fail(cause::unopened);
      return false;
    }
    check_open(object, p);
    return true;
  }
  /// Checked builds: a handle is of an object that is open.
  MAGPIE_INLINE void check_open([[maybe_unused]] handle object, [[maybe_unused]] const void* p) const {
#if MAGPIE_CHECKS_BOUNDS
    if (object && (object.place >= objects_ || object.word != log_.word(object.place))) {
      bad_handle(p, "uses a handle of an attempt or inner transaction that was undone");
    }
#endif
  }
  /// Checked builds: the datum of a fused cell is accessed as a whole, through its own handle if there is one.
  MAGPIE_INLINE void check_cell([[maybe_unused]] handle object, [[maybe_unused]] const void* p,
                                [[maybe_unused]] std::uint32_t bytes) const {
#if MAGPIE_CHECKS_BOUNDS
    if constexpr (Log::has_fused_cells) {
      const std::uintptr_t whole = reinterpret_cast<std::uintptr_t>(p) & ~std::uintptr_t{3};
      const handle cell = cell_of(reinterpret_cast<const void*>(whole));
      if (cell && (bytes != 4 || (object && object.place != cell.place))) {
        bad_handle(p, "accesses a part of a fused cell's datum, or one through the handle of another cell");
      }
    }
#endif
  }
  /// Checked builds: what the transaction wrote is accessed as a whole: in the body only then it is found, and in `apply`
  /// only then a recording and the simulator's checks know it for the same datum.
  MAGPIE_INLINE void check_width([[maybe_unused]] const void* p, [[maybe_unused]] std::uint32_t bytes) const {
#if MAGPIE_CHECKS_BOUNDS
    const auto refuse_part = [&](std::uint32_t w) {
      const auto* const begin = static_cast<const std::byte*>(p);
      const auto* const written = static_cast<const std::byte*>(log_.write(w).address);
      const bool is_same = begin == written && bytes == bytes_of(log_.write(w));
      if (!is_same && begin < written + bytes_of(log_.write(w)) && written < begin + bytes) {
        misuse_fault(
            "reads or writes part of a datum that it wrote, or beyond it: access a datum always with the same size");
      }
    };
    if constexpr (Log::indexes_writes) {
      if (writes_ == 0) return;
      constexpr std::int32_t widest = 8;
      for (std::int32_t skipped = 1 - widest; skipped < static_cast<std::int32_t>(bytes); ++skipped) {
        const std::uint32_t w = log_.find_write(static_cast<const std::byte*>(p) + skipped, writes_);
        if (w != no_place) refuse_part(w);
      }
    } else {
      for (std::uint32_t w = 0; w < writes_; ++w) refuse_part(w);
    }
#endif
  }
#if MAGPIE_CHECKS_BOUNDS
  [[noreturn]] MAGPIE_INLINE static void bad_handle(const void* p, const char* what) {
    trace(trace_event::bad_handle, 0, nullptr, p);
    misuse_fault(what);
  }
#endif
  template <any_objects Objects>
  MAGPIE_INLINE static void check_object([[maybe_unused]] const Objects& array, [[maybe_unused]] std::uint32_t id) {
#if MAGPIE_CHECKS_BOUNDS
    if (id >= array.count) bounds_fault(id, array.count, array.words);
    if (objects::tag_of(array.policy) != Policy::tag) {
      misuse_fault("uses objects whose words were filled for another policy");
    }
#endif
  }

  /// The tracking word of an opened object; null without a handle.
  MAGPIE_INLINE const std::uint32_t* word_of([[maybe_unused]] handle object) const {
    if constexpr (tracing) {
      return object ? log_.word(object.place) : nullptr;
    } else {
      return nullptr;
    }
  }

  /// Why an attempt ends whose region gave it up.
  MAGPIE_INLINE cause cause_of(outcome verdict) const {
    return verdict == outcome::defer && control_.work.pushed != nullptr ? cause::deferred : cause::requested;
  }

  /// An operation failed by what it met.
  MAGPIE_INLINE void lose(cause why) {
    if (is_loss(why)) this->count_conflict(control_);
    fail(why);
  }

  /// The place of `object`; without a handle, those of all opened objects.
  template <class Visit>
  MAGPIE_INLINE void for_each_place(handle object, Visit&& visit) {
    const std::uint32_t first = object ? object.place : 0;
    const std::uint32_t last = object ? object.place + 1 : objects_;
    for (std::uint32_t place = first; place < last; ++place) visit(place);
  }

  const control& control_;
  Log log_;
  run_statistics statistics_;
  protocol protocol_;
  std::uint32_t rank_ = 0;
  std::uint32_t objects_ = 0;
  std::uint32_t writes_ = 0;
  std::uint32_t inner_writes_ = 0;
  std::uint32_t polls_ = 0;
  std::uint32_t operations_ = 0;
  cause cause_ = cause::none;
  bool inner_canceled_ = false;
  [[no_unique_address]] recorder recorder_;
  [[no_unique_address]] Pushes pushes_;
  [[no_unique_address]] Pools pools_;
};

}  // namespace stm

MAGPIE_NAMESPACE_END
