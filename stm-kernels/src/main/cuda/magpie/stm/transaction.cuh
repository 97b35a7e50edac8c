/// @file
/// One transaction as a region sees it: open objects, read, write, nest; and what the retry loop does with it.
///
/// Layer: stm, above the policies and logs, below region.cuh, which alone creates transactions. Participation: per
/// thread; no warp collective between `begin` and the end of an attempt, except by the `lanes` of `seek` and `apply`.
///
/// Shared state: tracking words through the policy; data through `ld_acq_dev`/`ld_rlx_dev` and `st_rlx_dev`, device
/// scope. The serialization point of a commit is the last successful `Policy::lock` in `lock_all`; of an eager one any time
/// between its last `open` and its first release.
///
/// Opacity. After each read every claim taken so far still stands, or the attempt ends, so a region never sees a mix of
/// two states; with long logs, nothing read so far has been overwritten by a commit whose writes the attempt may have seen
/// ("Publications"). The reader looks at its claims in one of two ways, the same in all transactions of a launch:
/// - By loads. That rests on two orders (litmus-tested, PTX 6.0 and 7.5): the reader's data loads are acquire, before the
///   look; the writer has an acq_rel fence between its last lock and its first write.
/// - By exchanges that change nothing, after a fence, where a region opens few objects under a policy with eager attempts
///   (litmus-tested as well). Writers then need no fence before they write. For let a read have seen a write under a stolen
///   claim. The thief's exchange is acquire, and it, or who came after it by any chain of claims and releases, wrote. If the
///   look's exchange came before the thief's on that word, then the thief, reading from it through read-modify-writes only,
///   acquired the fence before it: the read happened before the write that it saw, which cannot be. So it came after, and
///   found the claim gone. A fence and an exchange for each open object cost more than loads, but only attempts that claim
///   look; a fence before the first write, each commit would pay.
/// A region that declares `reads::unvalidated` has none of these: its reads may mix states until the commit rejects them, so
/// it must survive any value the data ever held, must bound its loops and indices itself, and must not run at the same time
/// as a validated region on the same objects. Its committed result is serializable nonetheless: every opened object is locked
/// at commit, under the claim it was read under.
/// Commits and cancels also keep real time. A failed attempt keeps what happens before, and no more: it may have seen one
/// commit and not another that ended before it, where nothing orders the two for it.
///
/// Publications. Where the log has an index of objects (log.cuh), looking at every claim after every read would take a time
/// quadratic in the objects, so the commits of the launch are counted (`counter::publications`): a commit that has all its
/// locks adds 1 before it writes, and a read looks at the claims only if the number differs from the one before its last look.
/// All transactions of a launch have logs of one kind, and no two launches use the same objects at once, as ranks are unique
/// within a launch only; so every commit that may write one of them counts. It is right by the same two orders and a third:
/// - Let W be a commit that wrote, or will write, what T read before, and let T now read what W wrote, or what was written by
///   a commit that came after W by any chain of conflicts. W adds before its fence before the first write, and T's data
///   loads are acquire, so that T's load of the number sees that addition, or a later one.
/// - If T then looks, because the number is not that of its last look, it finds the claim gone: W locked before a fence
///   before it added, all changes of the number are read-modify-writes, and T's load of it is acquire.
/// - If T does not look, its last look was under the same number. It had loaded that before it looked at the claims, by an
///   acquire load that saw W's addition too, the number only rising. A claim taken before that load was looked at after it, and
///   found gone. One taken after it comes after W's lock on that object, which T would then have claimed from W,
///   and read after it.
/// The number has 64 bits, and does not wrap. Claims that were lost to somebody who has not committed are noticed later
/// than in short transactions: at the next publication, or at the commit.
///
/// Eager attempts (policies that have them). The attempt locks at `open` what nobody has, fails at what anybody has, claimed
/// or locked, and waits for nothing: of those that meet, one or all fail, and none of them holds up another for longer than
/// it runs. What it opened nobody can take or write until it ends, so that reads are relaxed and not looked at again, the
/// commit has nothing to lock and cannot fail, and a cancel stands. Two orders are left in regions with validated reads:
/// - The fence before the first write, where readers look by loads. The lock acquires, but acquiring orders nothing for
///   others: an older attempt whose claim was stolen before could see a write, and its claim still standing.
/// - A fence before what was opened is given back uncommitted, if anything was read. The reads are relaxed, and could
///   otherwise be of what the next holder writes: two of them a mix. An attempt that opens all it needs before it reads
///   fails without one.
/// An inner transaction that meets others ends the attempt, instead of being tried again under the outer one's locks.
/// Registrations there are none: the item makes its eager attempts before all others. `lock_bit` is all that a word shows
/// of such an attempt, so that one whose thread stops keeps its objects from everybody, where claims could be stolen.
///
/// Failure. `open`, `read`, `write`, `push`, `reserve` and `inner` say when they failed; from then on every operation of
/// the attempt fails, and the region returns, with any outcome: the attempt is retried. Not where that cannot help: a
/// handle that was never opened and too many pushes end the item unfinished. Every 1,024th operation of an attempt looks
/// whether time is up, and then fails: a region that loops over them ends with its launch.
///
/// What checked builds refuse, by a fault that says so: a handle that was never opened (`read`, `write`) or was undone; `open`, `read`,
/// `write`, `peek` and `reserve` after the body or `plan`; `store` and `load` outside of `apply`; `free` outside of `apply`
/// and `committed`; `take` without `reserve`; objects whose words were filled for another policy.
///
/// Cost: see the policy; each validated read under claims looks at one word per open object, each open compares with the objects
/// opened before, each read and write with the writes. With long logs (log.cuh) each takes a search in a hash table, a read
/// one load more, and one per open object only if others committed since the last such look; a commit takes a fence and an
/// addition more.
#pragma once

#include "magpie/stm/detail/log.cuh"
#include "magpie/stm/detail/mutants.cuh"
#include "magpie/stm/detail/pool.cuh"
#include "magpie/stm/detail/statistics.cuh"
#include "magpie/stm/guarded.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// Whether these are arguments of `transaction::read`.
template <class Handle, class Place, class Value>
inline constexpr bool is_read_of = false;
template <class Handle, class T, class Value>
inline constexpr bool is_read_of<Handle, T*, Value> =
    std::is_convertible_v<Handle, handle>&& std::is_same_v<std::remove_const_t<T>, Value>;

/// `Pushes` and `Pools` are those of the region: see worklist.cuh, pool.cuh. `Narrow`: whether it writes data of 1 or 2 bytes.
template <class Policy, class Log, reads Reads, class Pushes = push_log<0>, class Pools = no_pools, bool Narrow = false>
class transaction {
 public:
  MAGPIE_INLINE transaction(const thread& self, const control& c)
      : control_(c), log_(self, c), statistics_(self, c.statistics), recorder_(self, c), pools_(self, c) {}

  // ---- For regions.

  /// Claims object `id` of `array` for this transaction; a second time gives the same handle. Fails when a higher rank
  /// has it, when a wait ran out, or when the log is full. id < array.count, or it is undefined (checked builds: fault).
  [[nodiscard]] MAGPIE_INLINE handle open(const objects& array, std::uint32_t id) {
    only_in(in_body, "opens an object in apply, committed or rolled_back");
    if (!goes_on()) return {};
    check_object(array, id);
    recorder_.disturb();
    std::uint32_t* const word = array.words + id;
    if (const handle opened = find(word)) return opened;
    if (objects_ == log_.object_capacity()) return fail(cause::overflow), handle{};
    const cause why = is_eager() ? try_lock(word) : Policy::claim(*this, word);
    if (why != cause::none) return fail(why), handle{};
    log_.set_word(objects_, word);
    if (recorder_.opened(log_, objects_, !inner_canceled_)) has_read_ = true;
    trace(trace_event::opened, 0, word);
    return {objects_++};
  }

  /// Claims objects `id(0)` .. `id(n - 1)` of `array`, as `open` does for each; false if one could not be. Several
  /// exchanges are under way at once, so that many claims take the time of a few: for regions that know beforehand what
  /// they need. In validated regions it is `open` one by one: there a claim that was lost and is taken again must be
  /// noticed when it is opened, elsewhere commit and cancel do.
  template <class Id>
  [[nodiscard]] MAGPIE_INLINE bool open_each(const objects& array, std::uint32_t n, Id&& id) {
    only_in(in_body, "opens objects in apply, committed or rolled_back");
    if constexpr (Reads == reads::validated || !has_atomic_max) {
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
            words[k] = array.words + which;
            if (k < room && try_take(words[k])) {
              taken |= 1u << k;
            } else {
              others |= 1u << (first - base + k);
            }
          }
          // All that were taken go into the log before anything can fail.
          MAGPIE_UNROLL
          for (std::uint32_t k = 0; k < together; ++k) {
            if ((taken >> k & 1u) == 0 || (breaks(mutant::object_of_many_unlogged) && k == 1)) continue;
            if constexpr (requires { remembered_.forget(words[k]); }) remembered_.forget(words[k]);
            log_.set_word(objects_, words[k]);
            if (recorder_.opened(log_, objects_, !inner_canceled_)) has_read_ = true;
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
    bool written = false;
    if constexpr (Log::indexes_writes) {
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
    if (Reads == reads::validated && !is_eager()) {
      // Before the words below: acquire, where these are looked at by loads; else by the fence there.
      const bool acquire = !looks_by_exchange() && !breaks(mutant::relaxed_reads);
      trace_next(trace_event::read, word_of(object));
      const T seen = acquire ? ld_acq_dev(p) : ld_rlx_dev(p);
      const sighting version = acquire ? recorder_.template look<true>(log_, object.place)
                                       : recorder_.template look<false>(log_, object.place);
      if (!breaks(mutant::no_validation) && !still_intact()) return fail(cause::stolen), false;
      if (!inner_canceled_) recorder_.read(log_, object.place, version, p, line);
      value = seen;
    } else {
      trace_next(trace_event::read, word_of(object));
      value = ld_rlx_dev(p);
      has_read_ = true;
      const sighting version = recorder_.template look<false>(log_, object.place);
      if (!inner_canceled_) recorder_.read(log_, object.place, version, p, line);
    }
    return true;
  }

  /// Reads a datum of object `id` of `array`, open or not, past the transaction: the object is not claimed for it, and
  /// nobody looks again whether the value still holds, neither after other reads nor at commit. Gives what is in memory,
  /// perhaps from before this attempt, never a write of its own; cannot fail. The region must be right with any value the
  /// datum ever held, and whether the commit is serializable is up to its author: recordings include the read, and show it.
  /// (Datum and version are read one after the other, relaxed: during a commit they may be from different sides of it.) Not
  /// in `apply`. id < array.count, or it is undefined (checked builds: fault).
  template <class T>
  [[nodiscard]] MAGPIE_INLINE T peek(const objects& array, std::uint32_t id, const T* p,
                                     std::uint32_t line = __builtin_LINE()) {
    only_in(in_body, "peeks in apply, committed or rolled_back");
    check_object(array, id);
    static_cast<void>(goes_on());
    trace_next(trace_event::peek, array.words + id);
    const T value = ld_rlx_dev(p);
    if (!inner_canceled_) recorder_.peek(array.words + id, p, line);
    return value;
  }

  /// Looks at a datum past the transaction, for a hint only: nothing is claimed, nobody looks again whether the value still
  /// holds, and recordings leave it out. What follows from it must be looked at again under claims. That includes a cancel
  /// because of a value that never changes again. With any value that the datum ever holds, the transaction must do the same,
  /// or retry. `verify` on `sim` compares it with runs in which nothing is stale. Relaxed, device scope. Anywhere in the
  /// region; cannot fail.
  template <class T>
  [[nodiscard]] MAGPIE_INLINE T glance(const T* p) {
    trace_next(trace_event::glance, nullptr);
    recorder_.glance();
    return ld_rlx_dev(p);
  }

  /// Adds to a counter that is no part of the data, such as one of visits: at once, whether or not the attempt commits, and
  /// never undone. No transaction may read it. Relaxed, device scope. Anywhere in the region; cannot fail.
  template <class T>
  MAGPIE_INLINE void tally(T* p, std::type_identity_t<T> n) {
    recorder_.tally(p);
    trace_next(trace_event::tally, nullptr);
    red_add_rlx_dev(p, n);
  }

  /// What `read` does not take, and why.
  template <class Handle, class Place, class Value>
    requires(!is_read_of<Handle, std::decay_t<Place>, Value>)
  MAGPIE_INLINE bool read(const Handle&, const Place&, const Value&) {
    static_assert(std::is_convertible_v<Handle, handle>,
                  "tx.read takes the handle of an opened object first: const auto h = tx.open(objects, i)");
    static_assert(!std::is_convertible_v<Handle, handle> || std::is_pointer_v<std::decay_t<Place>>,
                  "tx.read takes the datum's address: &values[i]");
    static_assert(!std::is_convertible_v<Handle, handle> || !std::is_pointer_v<std::decay_t<Place>>,
                  "tx.read takes a variable of the datum's own type: std::uint32_t x for magpie::array<std::uint32_t>");
    return false;
  }

  /// Logs a write of `value` to a datum of the opened object `object`; it reaches memory at commit. Fails when the log is
  /// full. One address is always written with the same size.
  template <class T>
  [[nodiscard]] MAGPIE_INLINE bool write(handle object, T* p, std::type_identity_t<T> value,
                                         std::uint32_t line = __builtin_LINE()) {
    static_assert(!std::is_const_v<T>, "tx.write to const data: leave const out of the region's field");
    static_assert(Narrow || sizeof(T) >= 4,
                  "a region that writes data of 1 or 2 bytes declares: static constexpr bool narrow_writes = true");
    only_in(in_body, "writes in apply, committed or rolled_back: apply stores");
    if (!may_access(object, p, "writes through a handle that was never opened")) return false;
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
    log_.set_write(place, {p, to_bits(value), logged_write::size_of(sizeof(T), object.place, line)});
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
    only_in(in_apply, "stores outside of apply");
    check_open(object, p);
    if constexpr (recording) {
      for_each_place(object, [&](std::uint32_t place) { recorder_.write(log_, place, p, line); });
    }
    trace_next(trace_event::store, word_of(object));
    st_rlx_dev(p, value);
  }

  /// In `apply` only: reads a datum of the locked object `object`; without a handle, of one of those opened.
  template <class T>
  MAGPIE_INLINE T load(handle object, const T* p, [[maybe_unused]] std::uint32_t line = __builtin_LINE()) {
    only_in(in_apply, "loads outside of apply");
    check_open(object, p);
    trace_next(trace_event::load, word_of(object));
    const T value = ld_rlx_dev(p);
    if constexpr (recording) {
      for_each_place(object, [&](std::uint32_t place) {
        recorder_.read(log_, place, recorder_.template look<false>(log_, place), p, line);
      });
    }
    return value;
  }

  // ---- The same for guarded arrays, which know the objects: see guarded.cuh. i < array.size(), or it is undefined
  // (checked builds: fault).

  /// Claims what guards datum i. Fails as `open` does.
  template <class T, class Guard>
  MAGPIE_INLINE datum<T> open(const guarded<T, Guard>& array, std::uint64_t i) {
    T* const place = &array.unguarded(i);
    return {open(array.guards, array.guard(i)), place};
  }

  /// Reads datum i, as `read` does, and claims first what guards it.
  template <class T, class Guard>
  MAGPIE_INLINE result<std::remove_const_t<T>> get(const guarded<T, Guard>& array, std::uint64_t i,
                                                   std::uint32_t line = __builtin_LINE()) {
    return get(open(array, i), line);
  }
  /// Reads a datum that was opened.
  template <class T>
  MAGPIE_INLINE result<std::remove_const_t<T>> get(const datum<T>& of, std::uint32_t line = __builtin_LINE()) {
    return read_value(of.object, of.place, line);
  }
  /// Reads one member of datum i, a struct.
  template <class T, class Guard, class Member>
  MAGPIE_INLINE result<Member> get(const guarded<T, Guard>& array, std::uint64_t i,
                                   Member std::remove_const_t<T>::*member, std::uint32_t line = __builtin_LINE()) {
    return get(open(array, i), member, line);
  }
  template <class T, class Member>
  MAGPIE_INLINE result<Member> get(const datum<T>& of, Member std::remove_const_t<T>::*member,
                                   std::uint32_t line = __builtin_LINE()) {
    part_of<T, Member> part(of.place, member);
    if (!read_words(of.object, part.begin, part.words, part.count, line)) return outcome::retry;
    return part.value();
  }

  /// Logs a write of `value` to datum i, as `write` does, and claims first what guards it.
  template <class T, class Guard>
  [[nodiscard]] MAGPIE_INLINE bool set(const guarded<T, Guard>& array, std::uint64_t i, std::type_identity_t<T> value,
                                       std::uint32_t line = __builtin_LINE()) {
    return set(open(array, i), value, line);
  }
  /// Logs a write to a datum that was opened.
  template <class T>
  [[nodiscard]] MAGPIE_INLINE bool set(const datum<T>& of, std::type_identity_t<T> value,
                                       std::uint32_t line = __builtin_LINE()) {
    static_assert(!std::is_const_v<T>, "writes data of a guarded array of const elements");
    return write_value(of.object, of.place, value, line);
  }
  /// Logs a write to one member of datum i, a struct.
  template <class T, class Guard, class Member>
  [[nodiscard]] MAGPIE_INLINE bool set(const guarded<T, Guard>& array, std::uint64_t i, Member T::*member,
                                       std::type_identity_t<Member> value, std::uint32_t line = __builtin_LINE()) {
    return set(open(array, i), member, value, line);
  }
  template <class T, class Member>
  [[nodiscard]] MAGPIE_INLINE bool set(const datum<T>& of, Member T::*member, std::type_identity_t<Member> value,
                                       std::uint32_t line = __builtin_LINE()) {
    part_of<T, Member> part(of.place, member);
    if (!part.is_whole() && !read_words(of.object, part.begin, part.words, part.count, line)) return false;
    part.put(value);
    return write_words(of.object, part.begin, part.words, part.count, line);
  }

  /// In `apply` only: reads datum i, whose object this transaction opened, in place.
  template <class T, class Guard>
  [[nodiscard]] MAGPIE_INLINE std::remove_const_t<T> load(const guarded<T, Guard>& array, std::uint64_t i,
                                                          std::uint32_t line = __builtin_LINE()) {
    using value_type = std::remove_const_t<T>;
    using word = word_of_datum<value_type>;
    const auto* const place = reinterpret_cast<const word*>(&array.unguarded(i));
    const handle object = opened_guard(array, i, "loads in apply what no open object guards");
    datum_words<value_type> words;
    MAGPIE_UNROLL
    for (std::uint32_t k = 0; k < words.count; ++k) words.of[k] = load(object, place + k, line);
    return __builtin_bit_cast(value_type, words);
  }
  /// In `apply` only: writes datum i, whose object this transaction opened, in place.
  template <class T, class Guard>
  MAGPIE_INLINE void store(const guarded<T, Guard>& array, std::uint64_t i, std::type_identity_t<T> value,
                           std::uint32_t line = __builtin_LINE()) {
    auto* const place = reinterpret_cast<word_of_datum<T>*>(&array.unguarded(i));
    const handle object = opened_guard(array, i, "stores in apply what no open object guards");
    const auto words = __builtin_bit_cast(datum_words<T>, value);
    MAGPIE_UNROLL
    for (std::uint32_t k = 0; k < words.count; ++k) store(object, place + k, words.of[k], line);
  }

  /// Hints of a datum of one word: see `peek` and `glance` above.
  template <class T, class Guard>
  [[nodiscard]] MAGPIE_INLINE std::remove_const_t<T> peek(const guarded<T, Guard>& array, std::uint64_t i,
                                                          std::uint32_t line = __builtin_LINE()) {
    return peek(array.guards, array.guard(i), const_cast<const std::remove_const_t<T>*>(&array.unguarded(i)), line);
  }
  template <class T, class Guard>
  [[nodiscard]] MAGPIE_INLINE std::remove_const_t<T> glance(const guarded<T, Guard>& array, std::uint64_t i) {
    return glance(const_cast<const std::remove_const_t<T>*>(&array.unguarded(i)));
  }

  // ---- Items and slots.

  /// Makes `item` an item of the next launch of this run in rounds, if this attempt commits. Anywhere in the region,
  /// also in `apply`. False, and the item ends unfinished, if it pushes more than the region's `max_pushes`; in `apply`
  /// more are undefined (checked builds: fault).
  MAGPIE_INLINE bool push(std::uint32_t item) {
    static_assert(Pushes::most > 0, "a region that pushes declares max_pushes of at least 1");
    only_in(in_body | in_apply, "pushes in committed or rolled_back");
    if (failed()) return false;
    trace(trace_event::pushed, item);
    if (pushes_.push(item)) return true;
    only_in(in_body, "pushes more than its max_pushes in apply, where nothing can fail");
    return fail(cause::too_many_pushes), false;
  }

  /// Makes sure that this attempt can `take` n more slots of the pool. Fails when the pool is exhausted. Not in `apply`.
  /// One attempt reserves at most `max_slots` of a pool, or it is undefined (checked builds: fault).
  template <std::uint32_t Index>
  [[nodiscard]] MAGPIE_INLINE bool reserve(const pool<Index>& from, std::uint32_t n) {
    only_in(in_body, "reserves slots in apply, committed or rolled_back");
    if (!goes_on()) return false;
    return pools_.reserve(control_, from, n) || (fail(cause::no_slot), false);
  }

  /// One of the slots reserved; it belongs to what this attempt commits. Also in `apply`. Without one left: ~0u (checked
  /// builds: fault).
  template <std::uint32_t Index>
  MAGPIE_INLINE std::uint32_t take(const pool<Index>& from) {
    only_in(in_body | in_apply, "takes a slot in committed or rolled_back");
    const std::uint32_t slot = pools_.take(from);
    trace(trace_event::taken, slot, nullptr, from.slots);
    return slot;
  }

  /// Gives up a slot that is the transaction's to give up: what it names is no longer referred to by what is committed.
  /// It can be taken again from the next launch on. In `apply` and `committed` only, and once: elsewhere a failed attempt
  /// would free it as well (checked builds: fault; the host refuses what was freed twice, see pool.cuh).
  template <std::uint32_t Index>
  MAGPIE_INLINE void free(const pool<Index>& to, std::uint32_t slot) {
    only_in(in_apply | in_committed, "frees a slot outside of apply and committed");
    trace(trace_event::freed, slot, nullptr, to.slots);
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
    const std::uint32_t outer_pushes = pushes_.count();
    const auto outer_slots = pools_.mark();
    inner_writes_ = writes_;
    if constexpr (has_mutants) {
      if (breaks(mutant::inner_over_locked) && !is_eager()) lock_outer();
    }
    outcome result = outcome::retry;
    for (std::uint32_t attempt = 0; attempt < attempts && !failed(); ++attempt) {
      if (attempt > 0) statistics_.add<counter::inner_retries>();
      trace(trace_event::inner_begin);
      result = body(*this);
      const bool in_vain = forces_retry(true) || recorder_.forces_inner_retry();
      if (attempt == 0 && attempts > 1 && !failed() && in_vain) fail(cause::stolen);
      if (!failed() && result == outcome::commit) {
        if (!inner_canceled_ || canceled_before) {
          trace(trace_event::inner_kept);
          break;
        }
        result = outcome::cancel;  // one further in gave up
      }
      order_reads_before_give_back(!failed() && result == outcome::cancel);
      bool stood = true;
      for (std::uint32_t i = outer_objects; i < objects_; ++i) stood = give_back(i) && stood;
      if (!failed() && result == outcome::cancel && !stood) fail(cause::stolen);
      const cause why = failed() ? cause_ : cause_of(result);
      trace(trace_event::inner_undone);
      if (failed()) result = outcome::retry;
      inner_canceled_ = canceled_before;  // what is undone did not give up
      objects_ = outer_objects;
      if constexpr (has_mutants) {
        if (locked_early_ > objects_) locked_early_ = objects_;
      }
      if (!breaks(mutant::inner_undo_keeps_writes)) writes_ = outer_writes;
      pushes_.cut(outer_pushes);
      pools_.cut(outer_slots);
      if (result == outcome::cancel) {
        inner_canceled_ = true;  // by what it read, which stays logged
        break;
      }
      recorder_.cut(log_, outer_objects, outer_accesses);
      // Not under locks: who has what the body met may be after these.
      const bool met_others = is_eager() && why == cause::locked;
      const bool again = is_worth_another(why) && attempt + 1 < attempts && !met_others;
      cause_ = again ? cause::none : why;
      if (again && !intact()) cause_ = cause::stolen;
    }
    inner_writes_ = outer_inner_writes;
    return failed() ? outcome::retry : result;
  }

  /// Whether an operation of this attempt failed.
  MAGPIE_INLINE bool failed() const { return cause_ != cause::none; }

  /// This item's rank: unique in the launch, older items higher.
  MAGPIE_INLINE std::uint32_t rank() const { return rank_; }

  // ---- For policies.

  /// Whether every claim held still stands.
  MAGPIE_INLINE bool intact() const {
    if (is_eager()) return true;
    bool all = true;
    each_object([&](std::uint32_t i) { all = all && (is_locked_early(i) || Policy::intact(log_.word(i), rank_)); });
    return all;
  }
  MAGPIE_INLINE typename Policy::registrations& remembered() { return remembered_; }
  MAGPIE_INLINE bool gives_way() const { return control_.give_way != 0; }
  /// Counts a poll of this attempt; false when it has used up its bound.
  MAGPIE_INLINE bool may_poll() {
    if (polls_ >= control_.polls) return false;
    ++polls_;
    return true;
  }
  /// The watchdog's flag; relaxed, it carries no data.
  MAGPIE_INLINE bool stopping() const { return control_.stop != nullptr && ld_rlx_dev(control_.stop) != 0; }
  MAGPIE_INLINE void pause_in_wait(std::uint32_t poll) const { pause_while_polling(poll); }
  MAGPIE_INLINE void count_steal() { statistics_.add<counter::steals>(); }
  MAGPIE_INLINE void count_poll() { statistics_.add<counter::polls>(); }
  MAGPIE_INLINE void count_registration() { statistics_.add<counter::registrations>(); }
  MAGPIE_INLINE void count_withdrawal() { statistics_.add<counter::withdrawals>(); }

  // ---- For the retry loop.

  /// Starts an attempt of the item of rank `rank`, an eager one or not.
  MAGPIE_INLINE void begin(std::uint32_t rank, bool eager) {
    rank_ = rank;
    eager_ = eager;
    objects_ = 0;
    writes_ = 0;
    inner_writes_ = 0;
    polls_ = 0;
    operations_ = 0;
    inner_canceled_ = false;
    cause_ = cause::none;
    has_read_ = false;
    locked_early_ = {};
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
    if (!failed() && verdict == outcome::commit && inner_canceled_) verdict = outcome::cancel;
    if (!failed() && (forces_retry(false) || recorder_.forces_retry())) fail(cause::stolen);
    recorder_.disturb();
    const bool locked = !failed() && verdict == outcome::commit && lock_all();
    converge(locked);
    enter(in_rolled_back);
    if (failed()) {
      verdict = outcome::retry;
    } else if (verdict == outcome::commit) {
      if (locked) {
        trace(trace_event::locked);
        if constexpr (counts_publications) publish();
        // From here on nothing fails. Acq_rel: no reader whose claims stand sees the writes below.
        if (Reads == reads::validated && !looks_by_exchange() && !breaks(mutant::no_fence_before_write)) {
          fence_acqrel_dev();
        }
        if constexpr (counts_publications) {
          if (breaks(mutant::publication_after_fence)) red_add_rlx_dev(publications(), std::uint64_t{1});
        }
        if (breaks(mutant::release_before_write_back)) unlock_all(~0u);
        recorder_.disturb();
        recorder_.write_back(log_, objects_, writes_);
        MAGPIE_UNROLL
        for (std::uint32_t i = 0; i < log_.write_capacity(); ++i) {
          if (i >= writes_) break;
          trace_next(trace_event::write_back, log_.word(log_.write(i).place()));
          put(log_.write(i));
        }
        enter(in_apply);
        apply();
        recorder_.disturb();
        // Release: the writes, and the reads under these claims, before the words that free them.
        if (!breaks(mutant::no_release_fence)) fence_acqrel_dev();
        if (!breaks(mutant::release_before_write_back)) unlock_all(~0u);
        statistics_.objects_at_commit(objects_);
        pools_.settle();
        enter(in_committed);
        return outcome::commit;
      } else {
        cause_ = cause::stolen;
        return outcome::retry;
      }
    } else if (verdict == outcome::cancel) {
      trace(trace_event::canceled);
    } else {
      cause_ = cause_of(verdict);
      verdict = outcome::retry;
    }
    order_reads_before_give_back(verdict == outcome::cancel);
    bool stood = true;
    each_object([&](std::uint32_t i) { stood = give_back(i) && stood; });
    if (verdict == outcome::cancel && !stood) {
      cause_ = cause::stolen;
      verdict = outcome::retry;
    }
    return verdict;
  }

  /// Logs the attempt that just ended, the `attempt`-th of `item`, where this build records.
  MAGPIE_INLINE void record(std::uint32_t item, std::uint32_t attempt, outcome result) {
    recorder_.end(item, attempt, rank_, result, cause_);
    recorder_.enter_hook();
    recorder_.disturb();
    trace(trace_event::end, result == outcome::commit   ? 0
                            : result == outcome::cancel ? 1
                                                        : 16 + static_cast<std::uint32_t>(cause_));
  }

  /// Says of the region what a recording tells: `seen`.
  MAGPIE_INLINE void has(std::uint32_t what) const { recorder_.mark(what); }

  /// Whether the present attempt, or the last one, is eager.
  MAGPIE_INLINE bool is_eager() const { return Policy::has_eager_attempts && eager_; }

  /// Ends the item: whatever it kept between attempts is withdrawn.
  MAGPIE_INLINE void end_item() { remembered_.withdraw_all(rank_); }

  /// What the attempt that committed pushes.
  MAGPIE_INLINE Pushes& pushes() { return pushes_; }

  /// Ends the thread's part in the launch: nothing of a pool stays at hand.
  MAGPIE_INLINE void end_thread() { pools_.give_back_all(control_); }

  /// Whether an attempt that failed so may do better within this launch.
  MAGPIE_INLINE static bool is_worth_another(cause why) {
    return why != cause::stopped && why != cause::no_slot && why != cause::deferred && !is_left_to_host(why);
  }
  /// Whether an item that ended so would end so in the next launch too: the host gives it larger logs, or reports it.
  MAGPIE_INLINE static bool is_left_to_host(cause why) {
    return why == cause::overflow || why == cause::unopened || why == cause::too_many_pushes;
  }

  /// Why the attempt failed.
  MAGPIE_INLINE cause why() const { return cause_; }
  MAGPIE_INLINE run_statistics& statistics() { return statistics_; }

 private:
  /// Exchanges that are under way at once where the objects do not fit a mask.
  static constexpr std::uint32_t together = 4;

  /// The words of a struct that one of its members lies in.
  template <class T, class Member>
  struct part_of {
    using word = word_of_datum<T>;
    static_assert(datum_type<Member>, "a member of a datum is trivially copyable");
    static constexpr std::uint32_t most = (sizeof(Member) + sizeof(word) - 1) / sizeof(word) + 1;

    MAGPIE_INLINE part_of(T* of, Member std::remove_const_t<T>::*member) {
      const auto from = static_cast<std::uint32_t>(reinterpret_cast<const std::byte*>(&(of->*member)) -
                                                   reinterpret_cast<const std::byte*>(of));
      const std::uint32_t first = from / sizeof(word);
      const std::uint32_t last = (from + sizeof(Member) - 1) / sizeof(word);
      begin = reinterpret_cast<decltype(begin)>(of) + first;
      count = last - first + 1;
      skipped = from % sizeof(word);
    }
    MAGPIE_INLINE bool is_whole() const { return count * sizeof(word) == sizeof(Member); }
    MAGPIE_INLINE Member value() const {
      Member member;
      __builtin_memcpy(&member, reinterpret_cast<const std::byte*>(words) + skipped, sizeof(Member));
      return member;
    }
    MAGPIE_INLINE void put(const Member& member) {
      __builtin_memcpy(reinterpret_cast<std::byte*>(words) + skipped, &member, sizeof(Member));
    }

    std::conditional_t<std::is_const_v<T>, const word, word>* begin;
    word words[most] = {};
    std::uint32_t count;
    std::uint32_t skipped;  ///< bytes of the first word before the member
  };

  template <class Word>
  MAGPIE_INLINE bool read_words(handle object, const Word* from, Word* into, std::uint32_t n, std::uint32_t line) {
    MAGPIE_UNROLL
    for (std::uint32_t k = 0; k < n; ++k) {
      if (!read(object, from + k, into[k], line)) return false;
    }
    return true;
  }
  template <class Word>
  MAGPIE_INLINE bool write_words(handle object, Word* to, const Word* from, std::uint32_t n, std::uint32_t line) {
    MAGPIE_UNROLL
    for (std::uint32_t k = 0; k < n; ++k) {
      if (!write(object, to + k, from[k], line)) return false;
    }
    return true;
  }
  template <class T>
  MAGPIE_INLINE result<std::remove_const_t<T>> read_value(handle object, T* from, std::uint32_t line) {
    using value_type = std::remove_const_t<T>;
    using word = word_of_datum<value_type>;
    const auto* const place = reinterpret_cast<const word*>(from);
    if constexpr (sizeof(T) == sizeof(word)) {  // not by an array, which may end up in memory
      word value = 0;
      if (!read(object, place, value, line)) return outcome::retry;
      return __builtin_bit_cast(value_type, value);
    } else {
      datum_words<value_type> words{};
      if (!read_words(object, place, words.of, words.count, line)) return outcome::retry;
      return __builtin_bit_cast(value_type, words);
    }
  }
  template <class T>
  MAGPIE_INLINE bool write_value(handle object, T* to, const T& value, std::uint32_t line) {
    using word = word_of_datum<T>;
    auto* const place = reinterpret_cast<word*>(to);
    if constexpr (sizeof(T) == sizeof(word)) {
      return write(object, place, __builtin_bit_cast(word, value), line);
    } else {
      const auto words = __builtin_bit_cast(datum_words<T>, value);
      return write_words(object, place, words.of, words.count, line);
    }
  }

  /// The opened object that guards datum i, where the build wants to know it.
  template <class T, class Guard>
  MAGPIE_INLINE handle opened_guard([[maybe_unused]] const guarded<T, Guard>& array, [[maybe_unused]] std::uint64_t i,
                                    [[maybe_unused]] const char* without) const {
    if constexpr (recording || MAGPIE_CHECKS_BOUNDS) {
      check_object(array.guards, array.guard(i));
      const handle object = find(array.guards.words + array.guard(i));
#if MAGPIE_CHECKS_BOUNDS
      if (!object) misuse_fault(without);
#endif
      return object;
    } else {
      return {};
    }
  }

  template <class T>
  MAGPIE_INLINE static std::uint64_t to_bits(T value) {
    static_assert(
        (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8) && std::is_trivially_copyable_v<T>,
        "a word that a transaction reads or writes has 1, 2, 4 or 8 bytes and is trivially copyable");
    return __builtin_bit_cast(unsigned_of<sizeof(T)>, value);
  }
  template <class T>
  MAGPIE_INLINE static T from_bits(std::uint64_t bits) {
    return __builtin_bit_cast(T, static_cast<unsigned_of<sizeof(T)>>(bits));
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
      st_rlx_dev(static_cast<std::uint32_t*>(write.address), static_cast<std::uint32_t>(write.bits));
    } else {
      st_rlx_dev(static_cast<std::uint64_t*>(write.address), write.bits);
    }
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
  /// The opened object of tracking word `word`.
  MAGPIE_INLINE handle find(const std::uint32_t* word) const {
    handle found;
    if constexpr (Log::indexes_objects) {
      found.place = log_.find(word, objects_);
    } else {
      each_object([&](std::uint32_t i) {
        if (log_.word(i) == word) found.place = i;
      });
    }
    return found;
  }

  MAGPIE_INLINE void fail(cause why) { cause_ = why; }

  /// Operations of an attempt between two looks at the watchdog's flag. In a region without loops over operations their
  /// number is a constant, and no look is left.
  static constexpr std::uint32_t operations_per_look = 1024;

  /// One more operation; whether the attempt goes on.
  MAGPIE_INLINE bool goes_on() {
    if (++operations_ % operations_per_look == 0 && !failed() && stopping()) fail(cause::stopped);
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
    if (object && object.place >= objects_) {
      bad_handle(p, "uses a handle of an attempt or inner transaction that was undone");
    }
#endif
  }
#if MAGPIE_CHECKS_BOUNDS
  [[noreturn]] MAGPIE_INLINE static void bad_handle(const void* p, const char* what) {
    trace(trace_event::bad_handle, 0, nullptr, p);
    misuse_fault(what);
  }
#endif
  MAGPIE_INLINE static void check_object([[maybe_unused]] const objects& array, [[maybe_unused]] std::uint32_t id) {
#if MAGPIE_CHECKS_BOUNDS
    if (id >= array.count) bounds_fault(id, array.count, array.words);
    if (array.policy != Policy::tag) misuse_fault("uses objects whose words were filled for another policy");
#endif
  }

  /// Where the region is: checked builds know.
  enum phase : std::uint8_t { in_body = 1, in_apply = 2, in_committed = 4, in_rolled_back = 8 };

  MAGPIE_INLINE void enter([[maybe_unused]] phase next) {
#if MAGPIE_CHECKS_BOUNDS
    phase_ = next;
#endif
    trace(trace_event::phase, next);
  }
  /// The tracking word of an opened object; null without a handle.
  MAGPIE_INLINE const std::uint32_t* word_of([[maybe_unused]] handle object) const {
    if constexpr (tracing) {
      return object ? log_.word(object.place) : nullptr;
    } else {
      return nullptr;
    }
  }
  /// Checked builds: what the region does elsewhere than in one of `phases` ends the launch.
  MAGPIE_INLINE void only_in([[maybe_unused]] std::uint32_t phases, [[maybe_unused]] const char* what) const {
#if MAGPIE_CHECKS_BOUNDS
    if ((phases & phase_) == 0) misuse_fault(what);
#endif
  }

  /// Why an attempt ends whose region gave it up.
  MAGPIE_INLINE cause cause_of(outcome verdict) const {
    return verdict == outcome::defer && control_.work.pushed != nullptr ? cause::deferred : cause::requested;
  }

  /// Before objects are given back uncommitted. A cancel rests on what was read, and no commit looks at
  /// it again: it stands if every claim could be given back, because all of them stood when the first one was. That look
  /// is by read-modify-writes: a load could still see a claim whose thief has ended, and reads of the thief's writes.
  /// Validated reads under claims are before the exchanges, by acquire loads or the fence of a look; others need the fence, which the next claimant
  /// acquires: those under locks whatever the verdict, because a region may rely on them while it runs; unvalidated ones
  /// for a cancel.
  MAGPIE_INLINE void order_reads_before_give_back(bool cancels) const {
    const bool rests_on_order =
        Reads == reads::validated ? is_eager() && has_read_ : cancels && !breaks(mutant::cancel_unchecked);
    if (rests_on_order) fence_acqrel_dev();
  }

  /// The place of `object`; without a handle, those of all opened objects.
  template <class Visit>
  MAGPIE_INLINE void for_each_place(handle object, Visit&& visit) {
    const std::uint32_t first = object ? object.place : 0;
    const std::uint32_t last = object ? object.place + 1 : objects_;
    for (std::uint32_t place = first; place < last; ++place) visit(place);
  }

  // ---- One object each, so that a mutant can leave it out.

  /// Whether the commit locks object i.
  MAGPIE_INLINE bool is_to_lock([[maybe_unused]] std::uint32_t i) const {
    if (breaks(mutant::last_object_not_locked)) return i + 1 != objects_;
    if (breaks(mutant::reads_not_locked)) {
      bool found = writes_ == 0;
      for (std::uint32_t w = 0; w < writes_; ++w) found = found || log_.write(w).place() == i;
      return found;
    }
    return true;
  }
  /// Whether object i was locked before an inner transaction.
  MAGPIE_INLINE bool is_locked_early([[maybe_unused]] std::uint32_t i) const {
    if constexpr (has_mutants) {
      return i < locked_early_;
    } else {
      return false;
    }
  }
  MAGPIE_INLINE void lock_outer() {
    for (; locked_early_ < objects_ && !failed(); ++locked_early_) {
      if (!Policy::lock(log_.word(locked_early_), rank_)) return fail(cause::stolen);
    }
  }
  /// In one step, if nobody has it: locked by an eager attempt, else claimed.
  MAGPIE_INLINE bool try_take(std::uint32_t* word) {
    if constexpr (Policy::has_eager_attempts) {
      if (eager_) return Policy::try_lock(word);
    }
    return Policy::try_claim(word, rank_);
  }
  /// What an eager attempt's `open` does; `cause::none` on success.
  MAGPIE_INLINE cause try_lock(std::uint32_t* word) {
    while (!try_take(word)) {
      if (!breaks(mutant::eager_waits)) return cause::locked;
      if (stopping()) return cause::stopped;
    }
    return cause::none;
  }
  MAGPIE_INLINE bool lock(std::uint32_t i) {
    return !is_to_lock(i) || is_locked_early(i) || Policy::lock(log_.word(i), rank_);
  }
  MAGPIE_INLINE void unlock(std::uint32_t i) {
    if (is_eager() || is_to_lock(i)) return Policy::unlock(log_.word(i));
    Policy::give_back(log_.word(i), rank_);
  }
  /// Whether the claim still stood.
  MAGPIE_INLINE bool give_back(std::uint32_t i) {
    if (!is_eager() && !is_locked_early(i)) {
      return Policy::give_back(log_.word(i), rank_) || breaks(mutant::cancel_unchecked);
    }
    if (!is_eager() || !breaks(mutant::eager_lock_kept)) Policy::unlock(log_.word(i));
    return true;
  }

  /// Whether claims are looked at again only after others have committed: see "Publications".
  static constexpr bool counts_publications = Log::indexes_objects && Reads == reads::validated;

  MAGPIE_INLINE std::uint64_t* publications() const { return control_.statistics + counter::publications; }

  /// Says that a commit has all its locks and is about to write. Release: the locks before the addition.
  MAGPIE_INLINE void publish() {
    if (breaks(mutant::publication_uncounted) || breaks(mutant::publication_after_fence)) return;
    if (!breaks(mutant::publication_before_locks)) fence_acqrel_dev();
    red_add_rlx_dev(publications(), std::uint64_t{1});
  }

  /// Whether reads look at the claims by exchanges: see "Opacity". In regions of few objects, whose attempts are eager at
  /// first, so that few of them look at all.
  static constexpr bool has_exchanges = [] {
    if constexpr (Policy::has_eager_attempts && Log::fits_mask && !Log::indexes_objects) {
      return Reads == reads::validated && Log::most_objects <= Policy::most_eager_objects;
    } else {
      return false;
    }
  }();
  /// The same; a mutant that breaks an order of looks by loads has these.
  MAGPIE_INLINE static bool looks_by_exchange() {
    return has_exchanges && !breaks(mutant::no_fence_before_write) && !breaks(mutant::relaxed_reads);
  }

  /// Whether nothing that was read so far has been written since.
  MAGPIE_INLINE bool still_intact() {
    if constexpr (has_exchanges) {
      if (!looks_by_exchange()) return intact();
      fence_acqrel_dev();  // release: what was read, before the words
      bool all = true;
      each_object([&](std::uint32_t i) {  // all of them, so that the exchanges are under way at once
        const bool stands = is_locked_early(i) || Policy::stands(log_.word(i), rank_);
        all = all && stands;
      });
      return all;
    } else if constexpr (counts_publications) {
      const std::uint64_t now = ld_acq_dev(publications());  // before the words
      if (now == looked_at_) return true;
      if (!intact()) return false;
      looked_at_ = now;
      return true;
    } else {
      return intact();
    }
  }

  /// Locks every opened object; if one was stolen, leaves nothing claimed and gives false.
  MAGPIE_INLINE bool lock_all() {
    if (is_eager()) return true;
    if constexpr (Log::fits_mask) {
      // All exchanges under way at once, also past one that fails: holders never wait, so a lock taken for nothing delays
      // others for a step and no more.
      std::uint32_t locked = 0;
      MAGPIE_UNROLL
      for (std::uint32_t i = 0; i < log_.object_capacity(); ++i) {
        if (i < objects_ && lock(i)) locked |= 1u << i;
      }
      if (popcount(locked) == objects_) return true;
      unlock_all(locked);  // the others were stolen
    } else {
      for (std::uint32_t first = 0; first < objects_; first += together) {
        std::uint32_t locked = 0;
        MAGPIE_UNROLL
        for (std::uint32_t k = 0; k < together; ++k) {
          if (first + k < objects_ && lock(first + k)) locked |= 1u << k;
        }
        const std::uint32_t wanted = objects_ - first < together ? objects_ - first : together;
        if (popcount(locked) == wanted) continue;
        for (std::uint32_t i = 0; i < first; ++i) unlock(i);
        for (std::uint32_t k = 0; k < wanted; ++k) {  // the others of these were stolen
          if ((locked >> k & 1u) != 0) unlock(first + k);
        }
        for (std::uint32_t i = first + wanted; i < objects_; ++i) give_back(i);
        return false;
      }
      return true;
    }
    return false;
  }

  /// Frees the locked objects; where the log fits a mask, those of `which`.
  MAGPIE_INLINE void unlock_all(std::uint32_t which) {
    each_object([&](std::uint32_t i) {
      if (!Log::fits_mask || (which >> i & 1u) != 0) unlock(i);
    });
  }

  struct no_look {};
  using last_look = std::conditional_t<counts_publications, std::uint64_t, no_look>;

  struct no_early_locks {};
  using early_locks = std::conditional_t<has_mutants, std::uint32_t, no_early_locks>;

  const control& control_;
  Log log_;
  run_statistics statistics_;
  typename Policy::registrations remembered_;
  [[no_unique_address]] last_look looked_at_{};  ///< publications before the last look at all claims
  std::uint32_t rank_ = 0;
  std::uint32_t objects_ = 0;
  std::uint32_t writes_ = 0;
  std::uint32_t inner_writes_ = 0;
  std::uint32_t polls_ = 0;
  std::uint32_t operations_ = 0;
  cause cause_ = cause::none;
  bool inner_canceled_ = false;
  bool eager_ = false;
  bool has_read_ = false;  ///< by relaxed loads, which claims are not looked at after
  [[no_unique_address]] recorder recorder_;
  [[no_unique_address]] early_locks locked_early_{};  ///< how many of the first objects
  [[no_unique_address]] Pushes pushes_;
  [[no_unique_address]] Pools pools_;
#if MAGPIE_CHECKS_BOUNDS
  phase phase_ = in_body;
#endif
};

}  // namespace stm

MAGPIE_NAMESPACE_END
