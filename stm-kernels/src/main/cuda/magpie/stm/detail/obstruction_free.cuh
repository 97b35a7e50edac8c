/// @file
/// Policy `obstruction_free`: the non-blocking STM of Cederman, Tsigas and Chaudhry (EGPGV 2010; thesis, section 2.3.1) after
/// Harris and Fraser (OOPSLA 2003), one transaction for each thread.
///
/// Layer: stm policy with its own protocol, over the records and descriptors of descriptors.cuh; kept for comparison.
///
/// Protocol. `open` takes what the record says and ends whoever is committing there: it aborts an active owner by its status.
/// Reads look at all records; writes are logged. The commit
/// 1. puts its writes into its descriptor, whose status is active,
/// 2. takes the record of each object opened, read or written, from what was opened, and fails if that is gone. If its owner
///    has committed, its values may not have reached memory: they are borrowed, that is, copied to the taker's descriptor,
/// 3. commits by one compare-exchange of its status, and fails if somebody aborted it: the serialization point,
/// 4. writes, and leaves each record.
/// An object's state is that of memory where its record is free; else what its owner borrowed, and, if the owner committed,
/// what that writes, go before memory.
///
/// Stale stores. Who took a record is engaged in it until it leaves it, and a record counts who is. A commit that was slow, and
/// finds its record taken by others, may just have stored over what these wrote. It repairs that: it stores what the present
/// owner's descriptor says that the object's data are, and leaves by an exchange of the very record that named this owner; if
/// that fails, it repairs again. The last to leave frees the record. So when a record turns free, the last store to each
/// datum by every transaction that was engaged is the committed value, or is ordered before a later one's: let A repair while B
/// owns the record.
/// - B has committed, or aborted: its descriptor says what is committed, until another one takes the record, whose exchange
///   makes A's fail.
/// - B is active: A stores what B borrowed, and B may commit and store meanwhile. A looks at B's status again, after a
///   sequentially consistent fence, and begins anew if it changed. B has such a fence between its commit and its first store: if
///   A does not see the commit, A's fence comes before B's, and A's stores before B's stores.
/// A only ever stores to data of an object that it is engaged in, which all owners from then on have borrowed: what one of them
/// writes, all that follow keep until the record is free. An aborted transaction stored nothing, and only leaves.
///
/// Incarnations. A descriptor begins anew, under the next incarnation, only when no record names it any more; a record that was
/// taken from a descriptor never names that incarnation again. Who reads a descriptor looks at the record once more,
/// after a fence and before it uses what it read; the fence before a descriptor begins anew makes it find the record changed. As
/// long as others are engaged in a record that a transaction has left, the record names its descriptor. So a thread has three:
/// when two are still named, the third one takes over what both keep (`gather`), and the two are free.
///
/// Orders. Exchanges of records and statuses are acquire and release: who finds a record, and who takes it, sees the
/// slot of its owner's descriptor; who finds a status that committed sees the writes. Loads of records at `open` are acquire,
/// and of data too, before the looks at all records after them, which are relaxed: what was stored there is ordered after an
/// exchange of the record by a fence.
///
/// Opacity, real time: as in versions.cuh. Versions have 63 bits, and go up with each commit that wrote the object.
///
/// Limits. At most 2^24 descriptors in a launch, and 1,023 transactions engaged in an object at a time. Incarnations wrap after
/// 2^29 of a descriptor within one attempt of another thread. A datum is always reached under one object and with one size:
/// checked builds refuse anything else, as far as they notice (datum_table.cuh). No regions with `apply`, which stores when
/// nothing can fail any more; no irrevocable attempts; no cells.
///
/// Progress: obstruction-free, per thread: an attempt that runs alone from some time on commits or cancels, wherever others
/// have stopped for good. Every loop here is repeated only if another thread took a step meanwhile. Those that run at the same
/// time may abort each other forever, and in lock-step most do; pauses make that unlikely. Where one has stopped, they
/// need not even want the same objects: a thread that gathers changes the records of all that its descriptors keep, and who has
/// one of these objects open begins again. That happens at most once for each attempt of its own that took an object in which
/// the stopped one is engaged, and no more with an object once somebody else has taken it: so it is no loop of its own, but an
/// item whose attempts are slower than such a thread's may fail for as long as that goes on.
/// What stopped transactions have committed and not stored lies in descriptors: an item has to wait for them only if it meets
/// more of it than a descriptor borrows, twice the objects and writes of a transaction, or if what its thread left to them does
/// not fit into one descriptor.
///
/// Cost, uncontended: a load and a store per open, two loads per open object per validated read; at commit two exchanges and some six stores
/// per object, three stores per write besides its own, one exchange and two fences. 12 bytes per object, and descriptors.
///
/// What differs from the paper, and why:
/// - A transaction is a thread's, as Holey and Zhai have it; `control::lanes` of 1 is one for each warp.
/// - Commits compare records, not values: see block_level.cuh.
#pragma once

#include "magpie/stm/detail/datum_table.cuh"
#include "magpie/stm/detail/descriptors.cuh"
#include "magpie/stm/detail/history.cuh"
#include "magpie/stm/detail/mutants.cuh"
#include "magpie/stm/detail/policy.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

template <class Log, reads Reads>
class owned_records {
 public:
  static constexpr bool takes_several = false;

  MAGPIE_INLINE void find_memory(const thread& self, const control& c) {
    first_ = self.rank() * descriptor_rooms::per_thread;
#if MAGPIE_CHECKS_BOUNDS
    reached_ = datum_table(c.scratch);
#endif
    if constexpr (requires { Log::most_objects; }) {
      constexpr std::uint64_t stride = descriptor_rooms::thread_bytes(Log::most_objects, Log::most_writes);
      all_ = {c.scratch, stride, descriptor_rooms::of(Log::most_objects, Log::most_writes)};
    } else {
      const std::uint64_t log = paged_log_bytes(c.scratch_objects, c.scratch_writes);
      all_ = {c.scratch + log, Log::thread_bytes(c.scratch_objects, c.scratch_writes),
              descriptor_rooms::of(c.scratch_objects, c.scratch_writes)};
    }
  }

  template <class Tx>
  MAGPIE_INLINE void begin(Tx&, bool) {
    for (std::uint32_t d = 0; named_ != 0 && d < descriptor_rooms::per_thread; ++d) {
      if (is_named(d) && !still_named(d)) begin_anew(d);
    }
    if (popcount(named_) == descriptor_rooms::per_thread - 1) gather();
    has_descriptor_ = named_ != all_named;
    if (has_descriptor_ && is_named(current_)) current_ = lowest_bit(~named_);
  }

  template <class Tx>
  MAGPIE_INLINE cause open(Tx& tx, std::uint64_t* at) {
    if (!has_descriptor_) return cause::locked;
    const std::uint64_t seen = breaks(mutant::relaxed_claim) ? ld_rlx_dev(at) : ld_acq_dev(at);
    if (record::is_owned(seen) && !breaks(mutant::active_owner_ignored)) {
      std::uint64_t* const word = all_[record::descriptor_of(seen)].status();
      const std::uint32_t incarnation = record::incarnation_of(seen);
      const std::uint64_t active = status::of(incarnation, status::active);
      std::uint64_t now = ld_acq_dev(word);
      if (now == active) {
        now = cas_acqrel_dev(word, active, status::of(incarnation, status::aborted));
        if (now == active) tx.count_steal();
      }
      if (!status::is_of(now, incarnation)) return cause::stolen;  // the record has changed since
    }
    tx.log().version(tx.opened()) = {static_cast<std::uint32_t>(seen), static_cast<std::uint32_t>(seen >> 32)};
    mine().set_record(tx.opened(), at);
    return cause::none;
  }

  template <class Tx, class T>
  MAGPIE_INLINE cause read(Tx& tx, std::uint32_t place, const T* p, T& value, sighting& version) {
    const bool acquire = Reads == reads::validated && !breaks(mutant::relaxed_reads);
    reach(tx, place, reinterpret_cast<std::uintptr_t>(p), sizeof(T), false);
    tx.traces_read(place);
    T seen = acquire ? ld_acq_dev(p) : ld_rlx_dev(p);  // acquire: before the records below
    version = acquire ? tx.template look<true>(place) : tx.template look<false>(place);
    if (record::is_owned(seen_of(tx, place))) {
      std::uint64_t bits = 0;
      if (look_up(tx, place, p, bits)) seen = from<T>(bits);
      if (recording && version.listed && look_up(tx, place, tx.stamp_of(place), bits)) {
        version.stamp = static_cast<std::uint32_t>(bits);
      }
      fence_acqrel_dev();
      if (!is_intact(tx, place)) return tx.noted(place, false), cause::stolen;
    }
    if (Reads == reads::validated && !breaks(mutant::no_validation) && !intact(tx)) return cause::stolen;
    value = seen;
    return cause::none;
  }
  MAGPIE_INLINE void reads_unlooked() {}

  template <class Tx>
  MAGPIE_INLINE cause write(Tx&, std::uint32_t) {
    return cause::none;
  }

  template <class Tx>
  MAGPIE_INLINE cause prepare(Tx& tx) {
    taken_ = 0;
    if (tx.written() == 0) {
      if (Reads == reads::validated) return cause::none;
      fence_acqrel_dev();
      return intact(tx) ? cause::none : cause::stolen;
    }
    const descriptor me = mine();
    for (std::uint32_t w = 0; w < tx.written(); ++w) {
      const logged_write& write = tx.log().write(w);
      reach(tx, write.place(), reinterpret_cast<std::uintptr_t>(write.address), write.bytes_beside_place(), true);
      me.set_own(w, {reinterpret_cast<std::uintptr_t>(write.address), write.bits,
                     write.bytes_beside_place() | std::uint64_t{write.place()} << 32});
    }
    st_rlx_dev(me.status(), status::of(incarnation_[current_], status::active));
    std::uint32_t borrowed = 0;
    const std::uint32_t n = tx.opened() - (breaks(mutant::last_object_not_locked) ? 1 : 0);
    cause why = cause::none;
    for (std::uint32_t i = 0; i < n && why == cause::none; ++i) {
      why = take(tx, i, borrowed);
      if (why != cause::none) tx.meets_at(i);
    }
    if (why == cause::none) {
      me.set_written(with_stamps(tx));
      const std::uint64_t active = status::of(incarnation_[current_], status::active);
      if (cas_acqrel_dev(me.status(), active, status::of(incarnation_[current_], status::committed)) == active) {
        return cause::none;
      }
      why = cause::stolen;
      tx.meets_at(first_lost(tx));
    } else {
      st_rlx_dev(me.status(), status::of(incarnation_[current_], status::aborted));
    }
    leave_all(false);
    return why;
  }

  /// Before the first store, the commit: see "Stale stores".
  template <class Tx>
  MAGPIE_INLINE void order_writes(Tx&) {
    if (taken_ == 0) return;
    if (breaks(mutant::weak_fence_after_commit)) {
      fence_acqrel_dev();
    } else {
      fence_sc_dev();
    }
  }

  template <class Tx>
  MAGPIE_INLINE void write_back(Tx& tx) {
    if (taken_ == 0) return;
    const descriptor me = mine();
    for (std::uint32_t w = 0; w < tx.written(); ++w) {
      const logged_write& write = tx.log().write(w);
      if constexpr (recording) tx.record_write(w, stamp_before(tx, write.place()));
      trace_next(trace_event::write_back, tx.log().word(write.place()));
      store(me.own(w));
    }
    if constexpr (recording) {
      const std::uint32_t n = me.written();
      for (std::uint32_t i = tx.written(); i < n; ++i) store(me.own(i));
    }
  }

  template <class Tx>
  MAGPIE_INLINE void publish(Tx&) {
    leave_all(true);
  }

  template <class Tx>
  MAGPIE_INLINE bool abandon(Tx& tx, bool cancels) {
    return abandon_inner(tx, 0, cancels);
  }
  /// Nothing is taken before the commit. A cancel rests on what was read: validated reads held at the last of them.
  template <class Tx>
  MAGPIE_INLINE bool abandon_inner(Tx& tx, std::uint32_t, bool cancels) {
    if (Reads == reads::validated || !cancels || breaks(mutant::cancel_unchecked)) return true;
    fence_acqrel_dev();
    return intact(tx);
  }

  /// Whether the records of all objects say what they said. The caller orders it after its data loads.
  template <class Tx>
  MAGPIE_INLINE bool intact(const Tx& tx) const {
    bool all = true;
    tx.each_object([&](std::uint32_t i) { all = all && tx.noted(i, is_intact(tx, i)); });
    return all;
  }

  template <class Tx>
  MAGPIE_INLINE void end_item(Tx&) {}
  template <class Tx>
  MAGPIE_INLINE void end_thread(Tx&) {}
  MAGPIE_INLINE bool ends_at_locks() const { return false; }

 private:
  static constexpr std::uint32_t all_named = (1u << descriptor_rooms::per_thread) - 1;

  MAGPIE_INLINE std::uint32_t number(std::uint32_t d) const { return first_ + d; }
  MAGPIE_INLINE descriptor mine() const { return all_[number(current_)]; }
  MAGPIE_INLINE bool is_named(std::uint32_t d) const { return (named_ >> d & 1u) != 0; }
  MAGPIE_INLINE std::uint64_t owned_by(std::uint32_t d, std::uint32_t engaged) const {
    return record::owned_by(number(d), incarnation_[d], engaged);
  }

  template <class Tx>
  MAGPIE_INLINE static std::uint64_t seen_of(const Tx& tx, std::uint32_t i) {
    return tx.log().version(i).seen | std::uint64_t{tx.log().version(i).more} << 32;
  }
  template <class Tx>
  MAGPIE_INLINE bool is_intact(const Tx& tx, std::uint32_t i) const {
    return ld_rlx_dev(mine().record(i)) == seen_of(tx, i);
  }

  /// Checked builds: a datum of object `place` is accessed.
  template <class Tx>
  MAGPIE_INLINE void reach([[maybe_unused]] const Tx& tx, [[maybe_unused]] std::uint32_t place,
                           [[maybe_unused]] std::uint64_t datum, [[maybe_unused]] std::uint64_t size,
                           [[maybe_unused]] bool writes) const {
#if MAGPIE_CHECKS_BOUNDS
    reached_.reach(tx.log().word(place), datum, size, writes);
#endif
  }

  template <class T>
  MAGPIE_INLINE static T from(std::uint64_t bits) {
    return __builtin_bit_cast(T, static_cast<unsigned_of<sizeof(T)>>(bits));
  }
  MAGPIE_INLINE static void store(const kept_value& value) {
    void* const p = reinterpret_cast<void*>(value.address);
    switch (value.bytes()) {
      case 1: return st_rlx_dev(static_cast<std::uint8_t*>(p), static_cast<std::uint8_t>(value.bits));
      case 2: return st_rlx_dev(static_cast<std::uint16_t*>(p), static_cast<std::uint16_t>(value.bits));
      case 4: return st_rlx_dev(static_cast<std::uint32_t*>(p), static_cast<std::uint32_t>(value.bits));
      default: return st_rlx_dev(static_cast<std::uint64_t*>(p), value.bits);
    }
  }

  /// Whether the owner of object `place` has a committed value of the datum at p. The caller looks at the record again.
  template <class Tx>
  MAGPIE_INLINE bool look_up(const Tx& tx, std::uint32_t place, const void* p, std::uint64_t& bits) const {
    const descriptor owner = all_[record::descriptor_of(seen_of(tx, place))];
    const bool commits = status::state_of(ld_acq_dev(owner.status())) == status::committed;
    const std::uint32_t slot = owner.find(mine().record(place));
    bool found = false;
    if (slot == no_place) return false;
    owner.each_value(slot, commits, [&](const kept_value& value) {
      if (value.address != reinterpret_cast<std::uintptr_t>(p)) return true;
      bits = value.bits;
      found = true;
      return !breaks(mutant::superseded_value_read);  // of a datum written again within an inner one the last counts
    });
    return found;
  }

  // ---- Records.

  /// The version of an object whose record names `owner`, in a final state.
  MAGPIE_INLINE static std::uint64_t version_in(const descriptor& owner, std::uint32_t slot, bool commits) {
    const bool writes = commits && !breaks(mutant::version_kept) && owner.writes(slot);
    return owner.version(slot) + (writes ? 1 : 0);
  }

  /// Copies to slot `slot` of `to` what the owner that `seen` names keeps of the object at `at`, from entry `borrowed` on.
  /// Whether it has room, and the owner was still that one.
  MAGPIE_INLINE cause borrow(const descriptor& to, std::uint32_t slot, const std::uint64_t* at, std::uint64_t seen,
                             std::uint32_t& borrowed) const {
    const descriptor owner = all_[record::descriptor_of(seen)];
    const std::uint64_t now = ld_acq_dev(owner.status());
    const std::uint32_t from = owner.find(at);
    if (!status::is_of(now, record::incarnation_of(seen)) || from == no_place) return cause::stolen;
    const bool commits = status::state_of(now) == status::committed;
    const std::uint32_t first = borrowed;
    const bool has_room =
        breaks(mutant::values_not_borrowed) || owner.each_value(from, commits, [&](const kept_value& value) {
          if (borrowed == to.rooms().borrowed) return false;
          to.set_borrowed(borrowed, {value.address, value.bits, value.bytes() | std::uint64_t{slot} << 32});
          ++borrowed;
          return true;
        });
    if (!has_room) return cause::locked;
    to.set_slot(slot, version_in(owner, from, commits), first, borrowed - first);
    return cause::none;
  }

  /// Takes object i for the commit. After it has failed the attempt takes no other one: what was borrowed for i is in no
  /// record's slot, and nobody looks for it.
  template <class Tx>
  MAGPIE_INLINE cause take(const Tx& tx, std::uint32_t i, std::uint32_t& borrowed) {
    const descriptor me = mine();
    const std::uint64_t seen = seen_of(tx, i);
    std::uint32_t engaged = 0;
    if (record::is_owned(seen)) {
      engaged = record::engaged_in(seen);
      if (engaged == record::most_engaged) return cause::locked;
      const cause why = borrow(me, i, me.record(i), seen, borrowed);
      if (why != cause::none) return why;
    } else {
      me.set_slot(i, record::version_of(seen), borrowed, 0);
    }
    if (cas_acqrel_dev(me.record(i), seen, owned_by(current_, engaged + 1)) != seen) return cause::stolen;
    ++taken_;
    return cause::none;
  }

  /// What somebody took from the commit that he aborted; the first object if he took nothing yet.
  template <class Tx>
  MAGPIE_INLINE std::uint32_t first_lost(const Tx& tx) const {
    for (std::uint32_t i = 0; samples_conflicts && i < tx.opened(); ++i) {
      if (!record::same_owner(ld_rlx_dev(mine().record(i)), owned_by(current_, 0))) return i;
    }
    return 0;
  }

  /// Leaves all that was taken. The descriptor begins anew, unless a record still names it.
  MAGPIE_INLINE void leave_all(bool commits) {
    if (taken_ == 0) return;
    bool named = false;
    for (std::uint32_t i = 0; i < taken_; ++i) named = leave(i, commits) || named;
    slots_[current_] = taken_;
    if (named && !breaks(mutant::descriptor_reused)) {
      named_ |= 1u << current_;
    } else {
      begin_anew(current_);
    }
  }

  /// Leaves object i; whether its record still names the descriptor.
  MAGPIE_INLINE bool leave(std::uint32_t i, bool commits) const {
    const descriptor me = mine();
    std::uint64_t* const at = me.record(i);
    while (true) {
      const std::uint64_t seen = ld_acq_dev(at);
      const bool is_mine = record::same_owner(seen, owned_by(current_, 0));
      std::uint64_t version = 0;
      if (is_mine) {
        version = version_in(me, i, commits);
      } else if (!repair(at, seen, commits, version)) {
        continue;
      }
      const bool is_last = record::engaged_in(seen) == 1;
      const std::uint64_t next = is_last ? record::free_under(version) : seen - record::one_engaged;
      const std::uint64_t found =
          breaks(mutant::no_release_fence) ? cas_rlx_dev(at, seen, next) : cas_acqrel_dev(at, seen, next);
      if (found == seen) return is_mine && !is_last;
    }
  }

  /// Another one owns the record: makes the object's data what its descriptor says, if this transaction `stored` to them,
  /// and gives their version. False if the record, or the owner's status, changed meanwhile.
  MAGPIE_INLINE bool repair(const std::uint64_t* at, std::uint64_t seen, bool stored, std::uint64_t& version) const {
    const descriptor owner = all_[record::descriptor_of(seen)];
    const std::uint64_t before = ld_acq_dev(owner.status());
    const std::uint32_t slot = owner.find(at);
    if (!status::is_of(before, record::incarnation_of(seen)) || slot == no_place) return false;
    const bool commits = status::state_of(before) == status::committed;
    version = version_in(owner, slot, commits);
    if (!stored || breaks(mutant::stale_store_kept)) return true;
    const bool same = owner.each_value(slot, commits, [&](const kept_value& value) {
      fence_acqrel_dev();
      if (ld_rlx_dev(at) != seen) return false;  // and what was read may be of another incarnation
      store(value);
      return true;
    });
    if (!same) return false;
    if (breaks(mutant::weak_fence_after_repair)) {
      fence_acqrel_dev();
    } else {
      fence_sc_dev();
    }
    return breaks(mutant::repair_unchecked) || ld_acq_dev(owner.status()) == before;
  }

  // ---- Descriptors.

  /// Whether a record that the descriptor took still names it.
  MAGPIE_INLINE bool still_named(std::uint32_t d) const {
    const descriptor one = all_[number(d)];
    for (std::uint32_t i = 0; i < slots_[d]; ++i) {
      if (record::same_owner(ld_acq_dev(one.record(i)), owned_by(d, 0))) return true;
    }
    return false;
  }

  /// The fence: who reads what it gets from now on finds that no record names what it was.
  MAGPIE_INLINE void begin_anew(std::uint32_t d) {
    fence_acqrel_dev();
    named_ &= ~(1u << d);
    incarnation_[d] = (incarnation_[d] + 1) & record::incarnation_bits;
  }

  /// Two descriptors are still named: the third one takes over all records that name them, if it has room for that.
  MAGPIE_INLINE void gather() {
    const std::uint32_t to = lowest_bit(~named_);
    const descriptor keeper = all_[number(to)];
    std::uint32_t slots = 0;
    std::uint32_t borrowed = 0;
    st_rlx_dev(keeper.status(), status::of(incarnation_[to], status::aborted));
    for (std::uint32_t d = 0; d < descriptor_rooms::per_thread; ++d) {
      if (!is_named(d) || d == to) continue;
      for (std::uint32_t i = 0; i < slots_[d]; ++i) take_over(keeper, to, d, i, slots, borrowed);
    }
    slots_[to] = slots;
    if (slots != 0) named_ |= 1u << to;
    for (std::uint32_t d = 0; d < descriptor_rooms::per_thread; ++d) {
      if (d != to && is_named(d) && !still_named(d)) begin_anew(d);
    }
  }

  /// The keeper takes the record of slot i of descriptor d, if that still names it. If the exchange fails, its slot and what it
  /// borrowed are in no record, and are used for the next one.
  MAGPIE_INLINE void take_over(const descriptor& keeper, std::uint32_t to, std::uint32_t d, std::uint32_t i,
                               std::uint32_t& slots, std::uint32_t& borrowed) {
    std::uint64_t* const at = all_[number(d)].record(i);
    while (slots < keeper.rooms().slots) {
      const std::uint64_t seen = ld_acq_dev(at);
      if (!record::same_owner(seen, owned_by(d, 0))) return;
      std::uint32_t last = borrowed;
      keeper.set_record(slots, at);
      if (borrow(keeper, slots, at, seen, last) != cause::none) return;
      if (cas_acqrel_dev(at, seen, owned_by(to, record::engaged_in(seen))) != seen) continue;
      ++slots;
      borrowed = last;
      return;
    }
  }

  // ---- Recordings: versions are data of their objects.

  /// Adds to what is written the versions of the objects. Gives how much that is in all.
  template <class Tx>
  MAGPIE_INLINE std::uint32_t with_stamps(const Tx& tx) const {
    std::uint32_t n = tx.written();
    if constexpr (recording) {
      const descriptor me = mine();
      for (std::uint32_t i = 0; i < tx.opened(); ++i) {
        std::uint32_t* const stamp = tx.stamp_of(i);
        if (stamp == nullptr || !tx.writes_to(i)) continue;
        std::uint64_t bits = ld_rlx_dev(stamp);
        me.each_value(i, false, [&](const kept_value& value) {
          if (value.address == reinterpret_cast<std::uintptr_t>(stamp)) bits = value.bits;
          return true;
        });
        me.set_own(n++, {reinterpret_cast<std::uintptr_t>(stamp), static_cast<std::uint32_t>(bits + 1),
                         sizeof *stamp | std::uint64_t{i} << 32});
      }
    }
    return n;
  }
  template <class Tx>
  MAGPIE_INLINE std::uint32_t stamp_before(const Tx& tx, std::uint32_t place) const {
    const descriptor me = mine();
    const std::uint32_t n = me.written();
    for (std::uint32_t i = tx.written(); i < n; ++i) {
      const kept_value value = me.own(i);
      if (value.slot() == place) return static_cast<std::uint32_t>(value.bits) - 1;
    }
    return 0;
  }

#if MAGPIE_CHECKS_BOUNDS
  datum_table reached_;
#endif
  descriptors all_;
  std::uint32_t first_ = 0;    ///< number of this thread's first descriptor
  std::uint32_t current_ = 0;  ///< which of them the attempt has
  std::uint32_t named_ = 0;    ///< a bit for each that a record may name though its attempt is over
  std::uint32_t taken_ = 0;    ///< records that the attempt took
  bool has_descriptor_ = true;
  std::uint32_t incarnation_[descriptor_rooms::per_thread] = {};
  std::uint32_t slots_[descriptor_rooms::per_thread] = {};  ///< of those that are named
};

struct obstruction_free : policy_traits {
  template <class Log, reads Reads, bool Applies>
  using protocol = owned_records<Log, Reads>;

  static constexpr std::uint32_t tag = 11;
  /// Of the lower half of a record, which stands for the word.
  static constexpr std::uint32_t claim_bits = record::owned_bit;
  static constexpr std::uint32_t lock_bit = record::owned_bit;
  static constexpr bool has_versions = true;
  static constexpr bool has_descriptors = true;
  /// Bytes in front of the scratch memory, which are 0 when a launch begins.
  static constexpr std::uint64_t bytes_before_scratch = datum_table::bytes;
  /// Whose descriptors records can name.
  static constexpr std::uint32_t most_threads = record::most_descriptors / descriptor_rooms::per_thread;

  MAGPIE_HOST_DEVICE static constexpr std::uint64_t thread_bytes(std::uint64_t objects, std::uint64_t writes) {
    return descriptor_rooms::thread_bytes(objects, writes);
  }
};

}  // namespace stm

MAGPIE_NAMESPACE_END
