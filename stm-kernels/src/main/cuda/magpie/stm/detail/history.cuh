/// @file
/// The log of a region's attempts that a recording launch leaves behind: which versions each of them read and wrote,
/// and between which two times.
///
/// Layer: stm, used by transaction and region. A host writes `history` to device memory and names it in
/// `control::history`; a host finds its members by their names in the module's table (launch_table.hpp).
///
/// A version is a stamp: a 32-bit word next to the object's data, 0 at first, one more after each commit that wrote the
/// object, modulo 2^32. Object i of array a has the identifier `array[a].first + i`, below 2^31.
///
/// A record, in 64-bit words, one record after the other for each thread:
///
///     item | attempt << 32          attempt counts from 1
///     rank | data << 31 | code << 32 | n << 40   code: 0 commit, 1 cancel, 16 + cause else; n < 2^24 accesses follow
///     begin                         time before the attempt's first operation
///     end                           time after its last
///     n x: object | write << 31 | stamp << 32
///          if data: datum | kind << 40 | again << 44 | line << 45
///
/// Access (object, 0, s): the attempt read version s. (object, 1, s): it found version s when it wrote version s + 1.
/// Reads that the region was given are logged, an object's again only when its stamp differs from the one logged last;
/// own writes read back are not; peeks always are. In `apply`, an access without handle counts for every opened object.
/// Accesses of an inner attempt that was undone are cut off again; those of one that canceled stay, as they decided the
/// item's cancel, and what is read after them is not logged: it decides nothing, and may be of a later state than what was
/// given back. The number of an attempt is that within its launch.
///
/// With data (`history::data` has ranges) each access is logged with the datum that it is to, also where its object's version
/// was logged already: `again` says that the first word is no access then, but only names the object. A datum is known by
/// the number of its first byte; all ones = in no range. Kinds are those of `access_kind`. An object that is opened is
/// logged, too, and its word has its turn in place of the stamp: how many commits had it open before. Turns order all who
/// held an object, where stamps order only those who wrote it. `line` is that of the call in the source, 0 = not known or
/// too large. What a commit took, freed and pushed is there as well, by `again` and without a datum: the first word has the
/// pool's number in place of the object and the slot, or the item, in place of the stamp. After `undone` only the first so
/// many of those taken and pushed before count, as many as the stamp's place says.
///
/// Shared state: the stamps, written under the object's lock between the fence before the first write and the data, in place
/// after the data;
/// read with the datum's own accessor, between the datum and the look at the claims. The turns, written there as well,
/// and read after the claim, which acquires: who keeps its claim up to its end read the number of commits before its
/// own. Nothing here is stronger than the access it belongs to, and there is no fence and no read-modify-write between an
/// attempt's two times, so that a history shows what the protocol does. Log words are one thread's own. But the counter
/// orders memory between attempts: one that looks at it after another did sees all that the other did. What a missing
/// order in the protocol lets happen
/// between attempts that do not overlap shows with the timer only.
///
/// Limits: a record that does not fit whole is not written, nor is any later one of that thread; `history::used` then
/// exceeds the capacity, and what lies in the log is good for its size only. The record of an attempt with 2^24 accesses or
/// more has no room in any log: `used` is then 2^63 or more.
///
/// Disturbance, so that few runs show much: with `data.noise` threads pause at random where others could get in between, and
/// with `forced_retries` first attempts fail, as if an object had been stolen. With `given_ends` items take the
/// slots that they took in another run, so that what the two leave can be compared: a pool's own come after these, and what is
/// free in it is not known after the launch.
///
/// Cost: two plain words and a look for the array per access, one more relaxed load and store per write; four words per
/// attempt. With data two words per access, one access per opened object, a look through the ranges each, and a relaxed
/// load and store per object at commit.
#pragma once

#include <type_traits>

#include "magpie/stm/detail/objects.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// One of the launch's object arrays and the stamps of its objects.
struct history_objects {
  std::uint32_t* words;   ///< as in `objects`
  std::uint32_t* stamps;  ///< one for each object; with data another `count` behind them, their turns
  std::uint32_t count;
  std::uint32_t first;        ///< identifier of object 0
  std::uint32_t log2_stride;  ///< of the bytes from a word to the next
  std::uint32_t reserved;     ///< up to a multiple of 8 bytes
};

/// Where a launch logs its attempts. Logs and stamps go on from launch to launch until the host clears them.
struct history {
  static constexpr std::uint32_t max_arrays = 16;

  std::uint64_t* entries;  ///< `capacity` words for each thread, thread t's from entries + t * capacity on
  std::uint64_t* used;     ///< words that thread t needed so far, those that did not fit among them
  std::uint64_t* clock;    ///< a word that counts every look at the time; null = `timestamp()`
  std::uint64_t origin;    ///< added to each `timestamp()`: raised from launch to launch where the timer starts over
  std::uint64_t capacity;  ///< words of one thread; nothing is written beyond
  std::uint32_t threads;   ///< threads there is room for; only those of a lower rank record
  std::uint32_t arrays;    ///< of `array` in use, 0 to 16; accesses to objects of others are not logged
  std::uint32_t first_attempts;  ///< unsuccessful attempts logged of each item: the first so many ...
  std::uint32_t sample;  ///< ... and of the others about one in so many, by a hash of rank and attempt; 0 = none
  history_objects array[max_arrays];
  access_notes data;             ///< where data lie; without ranges accesses are logged by object only
  std::uint32_t forced_retries;  ///< first attempts of an item, and of each inner transaction one, that fail
  std::uint32_t noise_seed;      ///< of the pauses
  const std::uint64_t* given;    ///< slots to take: slot | pool << 32
  /// Behind the last one of the item at each position, whose rank is as much below the launch's first; null = none are given.
  const std::uint32_t* given_ends;
};

/// Where the parts of a record's words begin, in bits, and how many words come before its accesses.
namespace record_format {
inline constexpr std::uint32_t header = 4;
inline constexpr std::uint32_t data_bit = 31, code_at = 32, accesses_at = 40;  ///< of its second word
inline constexpr std::uint32_t write_bit = 31, stamp_at = 32;                  ///< of an access
inline constexpr std::uint32_t kind_at = 40, again_bit = 44, line_at = 45;     ///< of its datum
}  // namespace record_format

/// How a datum was accessed; or what else was done.
enum class access_kind : std::uint32_t { read, write, peek, opened, taken, freed, pushed, undone };

/// What a region has, in word 0 of `access_notes::marks`.
namespace seen {
inline constexpr std::uint32_t rolled_back_hook = 1;
inline constexpr std::uint32_t hints_in_hook = 2;  ///< `glance` in a hook
}  // namespace seen

/// Whether this build records. If not, none of what follows leaves code, registers or bytes.
#if defined(MAGPIE_RECORD)
inline constexpr bool recording = true;
#else
inline constexpr bool recording = false;
#endif

/// What an attempt logged last of an object it opened.
struct note {
  static constexpr std::uint32_t written = 0x80000000u;

  std::uint32_t stamp;
  std::uint32_t entry;  ///< index of the access in the attempt's record plus 1, 0 = none; | `written`
};

/// The notes on N objects; 0: takes no room.
template <std::uint32_t N>
struct notes {
  note of[N];
};
template <>
struct notes<0> {};

/// The version of an object that a read met.
struct sighting {
  std::uint32_t object;
  std::uint32_t stamp;
  bool listed;  ///< whether the object is in one of the history's arrays; if not, its accesses are not logged
};

/// Logs one thread's attempts. Per thread; `Log` gives the words of the objects opened and keeps the notes on them.
class attempt_recorder {
 public:
  MAGPIE_INLINE attempt_recorder(const thread& self, const control& c) {
    const bool notes = recording && c.history != nullptr && ld_plain(&c.history->data.ranges) != 0;
    begin_notes(notes ? &c.history->data : nullptr);
    if (c.history == nullptr || self.rank() >= ld_plain(&c.history->threads)) return;
    history_ = c.history;
    first_rank_ = c.first_rank;
    words_per_access_ = notes ? 2 : 1;
    forced_retries_ = ld_plain(&history_->forced_retries);
    noise_ = ld_plain(&history_->data.noise);
    random_ = ld_plain(&history_->noise_seed) ^ self.rank() * 0x9e3779b1u;
    capacity_ = ld_plain(&history_->capacity);
    mine_ = ld_plain(&history_->entries) + self.rank() * capacity_;
    used_ = ld_plain(&history_->used) + self.rank();
    at_ = *used_;
  }

  /// Starts an attempt of the item of rank `rank`.
  MAGPIE_INLINE void begin(std::uint32_t rank) {
    if (history_ == nullptr) return;
    attempts_ = rank == rank_ ? attempts_ + 1 : 1;
    rank_ = rank;
    in_hook_ = false;
    accesses_ = 0;
    effects_ = 0;
    disturb();
    begin_ = time_before();
  }

  /// Whether this attempt is to fail; of an inner transaction that may be tried again, its first one.
  MAGPIE_INLINE bool forces_retry() const { return history_ != nullptr && attempts_ <= forced_retries_; }
  MAGPIE_INLINE bool forces_inner_retry() const { return forced_retries_ != 0; }

  /// Where others may get in between: a pause now and then, if there is to be noise.
  MAGPIE_INLINE void disturb() {
    if (noise_ == 0) return;
    random_ = random_ * 1664525u + 1013904223u;
    pause_at_random(noise_, random_);
  }

  /// What the region has, and does: `seen`.
  MAGPIE_INLINE void mark(std::uint32_t what) const {
    if (words_per_access_ == 2) access_notes::set(ld_plain(&history_->data.marks), what);
  }
  /// The attempt is over but for a hook.
  MAGPIE_INLINE void enter_hook() { in_hook_ = true; }
  MAGPIE_INLINE void glance() const {
    if (in_hook_) mark(seen::hints_in_hook);
  }
  template <class T>
  MAGPIE_INLINE void tally(const T* p) const {
    if (words_per_access_ == 2) history_->data.mark(p, sizeof(T), access_notes::tallied);
  }

  /// Object `place` of `log` was just opened. `counts`: what is read from now on decides something.
  template <class Log>
  MAGPIE_INLINE bool opened(Log& log, std::uint32_t place, bool counts) {
    if (history_ == nullptr) return false;
    log.note_on(place) = {};
    if (words_per_access_ == 1 || !counts) return false;
    const tracked at = find(log.word(place));
    if (at.stamp == nullptr) return false;
    append(at.object, ld_rlx_dev(at.turn), nullptr, access_kind::opened, true, 0);
    return true;
  }

  /// The version of object `place` now; after the load of its datum, and before any look at the claims.
  template <bool Acquire, class Log>
  MAGPIE_INLINE sighting look(const Log& log, std::uint32_t place) const {
    const tracked at = find(log.word(place));
    if (at.stamp == nullptr) return {};
    return {at.object, Acquire ? ld_acq_dev(at.stamp) : ld_rlx_dev(at.stamp), true};
  }

  /// What was seen of object `place` is given to the region.
  template <class Log>
  MAGPIE_INLINE void read(Log& log, std::uint32_t place, const sighting& seen, const void* p, std::uint32_t line) {
    if (!seen.listed) return;
    note& last = log.note_on(place);
    const bool again = last.entry != 0 && ((last.entry & note::written) != 0 || last.stamp == seen.stamp);
    if (again && words_per_access_ == 1) return;
    append(seen.object, seen.stamp, p, access_kind::read, again, line);
    if (!again) last = {seen.stamp, accesses_};
  }

  /// What was read of object `place` is as it was, under the version that it has now: that is the one that counts as read,
  /// also where a relaxed look at the version met another one. (Peeks at that object count so, too.)
  template <class Log>
  MAGPIE_INLINE void revise(Log& log, std::uint32_t place) {
    if (history_ == nullptr) return;
    note& last = log.note_on(place);
    if (last.entry == 0 || (last.entry & note::written) != 0) return;
    const tracked at = find(log.word(place));
    if (at.stamp == nullptr) return;
    last.stamp = ld_acq_dev(at.stamp);
    for (std::uint32_t i = 0; i < accesses_; ++i) {
      const std::uint64_t entry = at_ + header + std::uint64_t{i} * words_per_access_;
      if (entry >= capacity_) break;
      const auto object = static_cast<std::uint32_t>(ld_own(mine_ + entry));
      if (object == at.object) st_plain(mine_ + entry, object | std::uint64_t{last.stamp} << record_format::stamp_at);
    }
  }

  /// A datum of the object whose tracking word is `word` was just read past the transaction.
  MAGPIE_INLINE void peek(const std::uint32_t* word, const void* p, std::uint32_t line) {
    const tracked at = find(word);
    if (at.stamp != nullptr) append(at.object, ld_rlx_dev(at.stamp), p, access_kind::peek, false, line);
  }

  /// The attempt commits: all of its `objects` are locked, those of the first `count` logged writes about to be written.
  template <class Log>
  MAGPIE_INLINE void write_back(Log& log, std::uint32_t objects, std::uint32_t count) {
    for (std::uint32_t i = 0; words_per_access_ == 2 && i < objects; ++i) {
      const tracked at = find(log.word(i));
      if (at.stamp != nullptr) st_rlx_dev(at.turn, ld_rlx_dev(at.turn) + 1);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      write(log, log.write(i).place(), log.write(i).address, log.write(i).line());
    }
  }

  /// A datum of object `place`, which is locked, is about to be written.
  template <class Log>
  MAGPIE_INLINE void write(Log& log, std::uint32_t place, const void* p, std::uint32_t line) {
    const tracked at = find(log.word(place));
    if (at.stamp == nullptr) return;
    note& last = log.note_on(place);
    const bool again = (last.entry & note::written) != 0;
    if (again && words_per_access_ == 1) return;
    const std::uint32_t stamp = again ? 0 : ld_rlx_dev(at.stamp);
    append(at.object | 1u << record_format::write_bit, stamp, p, access_kind::write, again, line);
    if (again) return;
    last.entry = accesses_ | note::written;
    st_rlx_dev(at.stamp, stamp + 1);
  }

  /// A datum of object `place`, whose version is `stamp`, is written by a commit that writes the next one itself.
  template <class Log>
  MAGPIE_INLINE void wrote(Log& log, std::uint32_t place, std::uint32_t stamp, const void* p, std::uint32_t line) {
    const tracked at = find(log.word(place));
    if (at.stamp == nullptr) return;
    note& last = log.note_on(place);
    const bool again = (last.entry & note::written) != 0;
    if (again && words_per_access_ == 1) return;
    append(at.object | 0x80000000u, again ? 0 : stamp, p, access_kind::write, again, line);
    if (!again) last.entry = accesses_ | note::written;
  }
  /// Where the version of the object with this tracking word is; null = in no array of the history.
  MAGPIE_INLINE std::uint32_t* stamp_of(const std::uint32_t* word) const { return find(word).stamp; }

  // ---- Slots and items.

  static constexpr std::uint32_t no_slot = ~0u;

  /// The `which`-th slot of a pool that the present item is to take; `no_slot` if none is given.
  MAGPIE_INLINE std::uint32_t given_slot(std::uint32_t pool, std::uint32_t which) const {
    if (history_ == nullptr) return no_slot;
    const std::uint32_t* const ends = ld_plain(&history_->given_ends);
    if (ends == nullptr) return no_slot;
    const std::uint64_t* const slots = ld_plain(&history_->given);
    const std::uint32_t position = first_rank_ - rank_;
    for (std::uint32_t i = position == 0 ? 0 : ld_plain(ends + position - 1); i < ld_plain(ends + position); ++i) {
      const std::uint64_t slot = ld_plain(slots + i);
      if (slot >> 32 == pool && which-- == 0) return static_cast<std::uint32_t>(slot);
    }
    return no_slot;
  }
  /// How many slots of a pool the item is to take beyond the first `taken`, up to `most`.
  MAGPIE_INLINE std::uint32_t given_beyond(std::uint32_t pool, std::uint32_t taken, std::uint32_t most) const {
    std::uint32_t n = 0;
    while (n < most && given_slot(pool, taken + n) != no_slot) ++n;
    return n;
  }

  MAGPIE_INLINE void took(std::uint32_t pool, std::uint32_t slot, std::uint32_t line) {
    effect(access_kind::taken, pool, slot, line);
  }
  MAGPIE_INLINE void pushed(std::uint32_t item, std::uint32_t line) { effect(access_kind::pushed, 0, item, line); }
  /// In `apply` or, when the attempt has been logged, in `committed`.
  MAGPIE_INLINE void freed(std::uint32_t pool, std::uint32_t slot, std::uint32_t line) {
    if (words_per_access_ == 1) return;
    if (in_hook_) at_ = record_;
    append(pool, slot, nullptr, access_kind::freed, true, line);
    if (in_hook_) static_cast<void>(close(ended_by_commit));
  }
  /// Slots taken and items pushed so far in this attempt, for `undo_effects`.
  MAGPIE_INLINE std::uint32_t effects() const { return effects_; }
  /// Only the first so many of them count from now on.
  MAGPIE_INLINE void undo_effects(std::uint32_t kept) {
    if (effects_ == kept) return;
    effects_ = kept;
    append(0, kept, nullptr, access_kind::undone, true, 0);
  }

  /// Accesses logged so far in this attempt, for `cut`.
  MAGPIE_INLINE std::uint32_t mark() const { return accesses_; }
  /// Takes back all accesses since `mark`; the first `objects` of `log` stay open.
  template <class Log>
  MAGPIE_INLINE void cut(Log& log, std::uint32_t objects, std::uint32_t mark) {
    if (history_ == nullptr) return;
    accesses_ = mark;
    for (std::uint32_t i = 0; i < objects; ++i) {
      if (log.note_on(i).entry > mark) log.note_on(i).entry = 0;
    }
  }

  /// The attempt is over: every object is freed or given back.
  MAGPIE_INLINE void end(std::uint32_t item, std::uint32_t attempt, std::uint32_t rank, outcome result, cause why) {
    if (history_ == nullptr) return;
    if (result == outcome::retry && !is_kept(attempt, rank)) return;
    const std::uint64_t end = time_after();
    record_ = at_;
    if (!close(code_of(result, why))) return;
    st_plain(mine_ + record_, item | std::uint64_t{attempt} << 32);
    st_plain(mine_ + record_ + 2, begin_);
    st_plain(mine_ + record_ + 3, end);
  }

 private:
  static constexpr std::uint32_t header = record_format::header;
  static constexpr std::uint32_t most_accesses = (1u << 24) - 1;
  static constexpr std::uint64_t no_room = std::uint64_t{1} << 63;
  static constexpr std::uint32_t most_line = (1u << 19) - 1;

  struct tracked {
    std::uint32_t* stamp;  ///< null = in no array of the history
    std::uint32_t* turn;
    std::uint32_t object;
  };

  MAGPIE_INLINE tracked find(const std::uint32_t* word) const {
    if (history_ == nullptr) return {};
    const std::uint32_t arrays = ld_plain(&history_->arrays);
    for (std::uint32_t i = 0; i < arrays; ++i) {
      const history_objects* const array = history_->array + i;
      const std::uint64_t place =
          (reinterpret_cast<std::uintptr_t>(word) - reinterpret_cast<std::uintptr_t>(ld_plain(&array->words))) >>
          ld_plain(&array->log2_stride);
      if (place < ld_plain(&array->count)) {
        std::uint32_t* const stamps = ld_plain(&array->stamps);
        return {stamps + place, stamps + ld_plain(&array->count) + place,
                ld_plain(&array->first) + static_cast<std::uint32_t>(place)};
      }
    }
    return {};
  }

  MAGPIE_INLINE void effect(access_kind kind, std::uint32_t pool, std::uint32_t which, std::uint32_t line) {
    if (words_per_access_ == 1) return;
    append(pool, which, nullptr, kind, true, line);
    ++effects_;
  }

  /// Ends the record that begins at `at_`; whether it has room.
  MAGPIE_INLINE bool close(std::uint32_t code) {
    const std::uint64_t next =
        accesses_ <= most_accesses ? at_ + header + std::uint64_t{accesses_} * words_per_access_ : no_room;
    const bool fits = next <= capacity_;
    const std::uint32_t with_data = words_per_access_ == 2 ? 1u << record_format::data_bit : 0;
    if (fits) {
      st_plain(mine_ + at_ + 1, rank_ | with_data | std::uint64_t{code} << record_format::code_at |
                                    std::uint64_t{accesses_} << record_format::accesses_at);
    }
    at_ = next;
    st_plain(used_, at_);
    return fits;
  }

  MAGPIE_INLINE void append(std::uint32_t object, std::uint32_t stamp, const void* p, access_kind kind, bool again,
                            std::uint32_t line) {
    const std::uint64_t place = at_ + header + std::uint64_t{accesses_} * words_per_access_;
    if (place < capacity_) st_plain(mine_ + place, object | std::uint64_t{stamp} << record_format::stamp_at);
    if (words_per_access_ == 2 && place + 1 < capacity_) {
      const std::uint64_t datum = history_->data.datum(p) & ((std::uint64_t{1} << record_format::kind_at) - 1);
      st_plain(mine_ + place + 1, datum | static_cast<std::uint64_t>(kind) << record_format::kind_at |
                                      std::uint64_t{again} << record_format::again_bit |
                                      (line <= most_line ? std::uint64_t{line} : 0) << record_format::line_at);
    }
    if (accesses_ <= most_accesses) ++accesses_;  // one too many is enough to know
  }

  /// Whether an unsuccessful attempt is logged. The hash: two rounds of multiplication and shift.
  MAGPIE_INLINE bool is_kept(std::uint32_t attempt, std::uint32_t rank) const {
    if (attempt <= ld_plain(&history_->first_attempts)) return true;
    const std::uint32_t sample = ld_plain(&history_->sample);
    if (sample == 0) return false;
    std::uint32_t hash = (rank * 0x9e3779b1u + attempt) * 0x85ebca6bu;
    hash = (hash ^ hash >> 15) * 0xc2b2ae35u;
    return (hash ^ hash >> 16) % sample == 0;
  }

  /// The counter is outside the protocol: before the attempt's first claim and after its last release. The fences keep
  /// the attempt between its two times on a machine that reorders.
  MAGPIE_INLINE std::uint64_t time_before() const {
    std::uint64_t* const clock = ld_plain(&history_->clock);
    if (clock == nullptr) return ld_plain(&history_->origin) + timestamp();
    const std::uint64_t time = add_rlx_dev(clock, std::uint64_t{1});
    fence_acqrel_dev();
    return time;
  }
  MAGPIE_INLINE std::uint64_t time_after() const {
    std::uint64_t* const clock = ld_plain(&history_->clock);
    if (clock == nullptr) return ld_plain(&history_->origin) + timestamp(true);
    fence_acqrel_dev();
    return add_rlx_dev(clock, std::uint64_t{1});
  }

  stm::history* history_ = nullptr;  ///< null: this thread does not record
  std::uint64_t* mine_ = nullptr;    ///< this thread's words
  std::uint64_t* used_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t at_ = 0;      ///< where the present record begins, also beyond the capacity
  std::uint64_t record_ = 0;  ///< where the last one does
  std::uint64_t begin_ = 0;
  std::uint32_t accesses_ = 0;
  std::uint32_t effects_ = 0;
  std::uint32_t first_rank_ = 0;
  std::uint32_t words_per_access_ = 1;
  std::uint32_t forced_retries_ = 0;
  std::uint32_t noise_ = 0;
  std::uint32_t random_ = 0;
  std::uint32_t rank_ = 0;
  std::uint32_t attempts_ = 0;  ///< of the item of rank `rank_`
  bool in_hook_ = false;
};

/// In place of the recorder where nothing is recorded.
struct no_recorder {
  MAGPIE_INLINE no_recorder(const thread&, const control&) {}
  MAGPIE_INLINE void begin(std::uint32_t) {}
  MAGPIE_INLINE bool forces_retry() const { return false; }
  MAGPIE_INLINE bool forces_inner_retry() const { return false; }
  MAGPIE_INLINE void disturb() {}
  MAGPIE_INLINE void mark(std::uint32_t) const {}
  MAGPIE_INLINE void enter_hook() {}
  MAGPIE_INLINE void glance() const {}
  MAGPIE_INLINE void tally(const void*) const {}
  template <class Log>
  MAGPIE_INLINE bool opened(Log&, std::uint32_t, bool) {
    return false;
  }
  template <bool Acquire, class Log>
  MAGPIE_INLINE sighting look(const Log&, std::uint32_t) const {
    return {};
  }
  template <class Log>
  MAGPIE_INLINE void read(Log&, std::uint32_t, const sighting&, const void*, std::uint32_t) {}
  template <class Log>
  MAGPIE_INLINE void revise(Log&, std::uint32_t) {}
  MAGPIE_INLINE void peek(const std::uint32_t*, const void*, std::uint32_t) {}
  template <class Log>
  MAGPIE_INLINE void write_back(Log&, std::uint32_t, std::uint32_t) {}
  template <class Log>
  MAGPIE_INLINE void write(Log&, std::uint32_t, const void*, std::uint32_t) {}
  template <class Log>
  MAGPIE_INLINE void wrote(Log&, std::uint32_t, std::uint32_t, const void*, std::uint32_t) {}
  MAGPIE_INLINE std::uint32_t* stamp_of(const std::uint32_t*) const { return nullptr; }
  static constexpr std::uint32_t no_slot = ~0u;
  MAGPIE_INLINE std::uint32_t given_slot(std::uint32_t, std::uint32_t) const { return no_slot; }
  MAGPIE_INLINE std::uint32_t given_beyond(std::uint32_t, std::uint32_t, std::uint32_t) const { return 0; }
  MAGPIE_INLINE void took(std::uint32_t, std::uint32_t, std::uint32_t) {}
  MAGPIE_INLINE void pushed(std::uint32_t, std::uint32_t) {}
  MAGPIE_INLINE void freed(std::uint32_t, std::uint32_t, std::uint32_t) {}
  MAGPIE_INLINE std::uint32_t effects() const { return 0; }
  MAGPIE_INLINE void undo_effects(std::uint32_t) {}
  MAGPIE_INLINE std::uint32_t mark() const { return 0; }
  template <class Log>
  MAGPIE_INLINE void cut(Log&, std::uint32_t, std::uint32_t) {}
  MAGPIE_INLINE void end(std::uint32_t, std::uint32_t, std::uint32_t, outcome, cause) {}
};

using recorder = std::conditional_t<recording, attempt_recorder, no_recorder>;

}  // namespace stm

MAGPIE_NAMESPACE_END
