/// @file
/// The log of a region's attempts that a recording launch leaves behind: which versions each of them read and wrote,
/// and between which two times.
///
/// Layer: stm, used by transaction and region. A host writes `history` to device memory and names it in
/// `control::history`; layouts are fixed here and checked by static_assert.
///
/// A version is a stamp: a 32-bit word next to the object's data, 0 at first, one more after each commit that wrote the
/// object, modulo 2^32. Object i of array a has the identifier `array[a].first + i`, below 2^31.
///
/// A record, in 64-bit words, one record after the other for each thread:
///
///     item | attempt << 32          attempt counts from 1
///     rank | code << 32 | n << 40   code: 0 commit, 1 cancel, 16 + cause else; n accesses follow, n < 2^24
///     begin                         time before the attempt's first operation
///     end                           time after its last
///     n x: object | write << 31 | stamp << 32
///
/// Access (object, 0, s): the attempt read version s. (object, 1, s): it found version s when it wrote version s + 1.
/// Reads that the region was given are logged, an object's again only when its stamp differs from the one logged last;
/// own writes read back are not; peeks always are. In `apply`, an access without handle counts for every opened object.
/// Accesses of an inner attempt that was undone are cut off again; those of one that canceled stay, as they decided the
/// item's cancel, and what is read after them is not logged: it decides nothing, and may be of a later state than what was
/// given back. The number of an attempt is that within its launch.
///
/// Shared state: the stamps, written under the object's lock between the fence before the first write and the data;
/// read with the datum's own accessor, between the datum and the look at the claims. Nothing here is stronger than the
/// access it belongs to, and there is no fence and no read-modify-write between an attempt's two times, so that a
/// history shows what the protocol does. Log words are one thread's own. But the counter orders memory between attempts:
/// one that looks at it after another did sees all that the other did. What a missing order in the protocol lets happen
/// between attempts that do not overlap shows with the timer only.
///
/// Limits: a record that does not fit whole is not written, nor is any later one of that thread; `history::used` then
/// exceeds the capacity, and what lies in the log is good for its size only. The record of an attempt with 2^24 accesses or
/// more has no room in any log: `used` is then 2^63 or more.
///
/// Cost: two plain words and a look for the array per access, one more relaxed load and store per write; four words per
/// attempt.
#pragma once

#include <type_traits>

#include "magpie/stm/detail/objects.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// One of the launch's object arrays and the stamps of its objects.
struct history_objects {
  std::uint32_t* words;   ///< as in `objects`
  std::uint32_t* stamps;  ///< one for each object
  std::uint32_t count;
  std::uint32_t first;  ///< identifier of object 0
};
static_assert(sizeof(history_objects) == 24);

/// Where a launch logs its attempts. Logs and stamps go on from launch to launch until the host clears them.
struct history {
  static constexpr std::uint32_t max_arrays = 4;

  std::uint64_t* entries;  ///< `capacity` words for each thread, thread t's from entries + t * capacity on
  std::uint64_t* used;     ///< words that thread t needed so far, those that did not fit among them
  std::uint64_t* clock;    ///< a word that counts every look at the time; null = `timestamp()`
  std::uint64_t origin;    ///< added to each `timestamp()`: raised from launch to launch where the timer starts over
  std::uint64_t capacity;  ///< words of one thread; nothing is written beyond
  std::uint32_t threads;   ///< threads there is room for; only those of a lower rank record
  std::uint32_t arrays;    ///< of `array` in use, 1 to 4
  std::uint32_t first_attempts;  ///< unsuccessful attempts logged of each item: the first so many ...
  std::uint32_t sample;  ///< ... and of the others about one in so many, by a hash of rank and attempt; 0 = none
  history_objects array[max_arrays];
};
static_assert(sizeof(history) == 152);

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
    if (c.history == nullptr || self.rank() >= ld_plain(&c.history->threads)) return;
    history_ = c.history;
    capacity_ = ld_plain(&history_->capacity);
    mine_ = ld_plain(&history_->entries) + self.rank() * capacity_;
    used_ = ld_plain(&history_->used) + self.rank();
    at_ = *used_;
  }

  /// Starts an attempt.
  MAGPIE_INLINE void begin() {
    if (history_ == nullptr) return;
    accesses_ = 0;
    begin_ = time_before();
  }

  /// Object `place` of `log` was just opened.
  template <class Log>
  MAGPIE_INLINE void opened(Log& log, std::uint32_t place) {
    if (history_ != nullptr) log.note_on(place) = {};
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
  MAGPIE_INLINE void read(Log& log, std::uint32_t place, const sighting& seen) {
    if (!seen.listed) return;
    note& last = log.note_on(place);
    if (last.entry != 0 && ((last.entry & note::written) != 0 || last.stamp == seen.stamp)) return;
    append(seen.object, seen.stamp);
    last = {seen.stamp, accesses_};
  }

  /// A datum of the object whose tracking word is `word` was just read past the transaction.
  MAGPIE_INLINE void peek(const std::uint32_t* word) {
    const tracked at = find(word);
    if (at.stamp != nullptr) append(at.object, ld_rlx_dev(at.stamp));
  }

  /// The objects of the first `count` logged writes are about to be written: all of them are locked.
  template <class Log>
  MAGPIE_INLINE void write_back(Log& log, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) write(log, log.write(i).place());
  }

  /// Object `place`, which is locked, is about to be written.
  template <class Log>
  MAGPIE_INLINE void write(Log& log, std::uint32_t place) {
    const tracked at = find(log.word(place));
    if (at.stamp == nullptr) return;
    note& last = log.note_on(place);
    if ((last.entry & note::written) != 0) return;
    const std::uint32_t stamp = ld_rlx_dev(at.stamp);
    append(at.object | 0x80000000u, stamp);
    last.entry = accesses_ | note::written;
    st_rlx_dev(at.stamp, stamp + 1);
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
    std::uint32_t code = result == outcome::commit ? code_commit : code_cancel;
    if (result == outcome::retry) {
      if (!is_kept(attempt, rank)) return;
      code = code_cause + static_cast<std::uint32_t>(why);
    }
    const std::uint64_t end = time_after();
    const std::uint64_t next = accesses_ <= most_accesses ? at_ + header + accesses_ : no_room;
    if (next <= capacity_) {
      st_plain(mine_ + at_, item | std::uint64_t{attempt} << 32);
      st_plain(mine_ + at_ + 1, rank | std::uint64_t{code} << 32 | std::uint64_t{accesses_} << 40);
      st_plain(mine_ + at_ + 2, begin_);
      st_plain(mine_ + at_ + 3, end);
    }
    at_ = next;
    st_plain(used_, at_);
  }

 private:
  static constexpr std::uint32_t header = 4;
  static constexpr std::uint32_t most_accesses = (1u << 24) - 1;
  static constexpr std::uint64_t no_room = std::uint64_t{1} << 63;
  static constexpr std::uint32_t code_commit = 0;
  static constexpr std::uint32_t code_cancel = 1;
  static constexpr std::uint32_t code_cause = 16;

  struct tracked {
    std::uint32_t* stamp;  ///< null = in no array of the history
    std::uint32_t object;
  };

  MAGPIE_INLINE tracked find(const std::uint32_t* word) const {
    if (history_ == nullptr) return {};
    const std::uint32_t arrays = ld_plain(&history_->arrays);
    for (std::uint32_t i = 0; i < arrays; ++i) {
      const history_objects* const array = history_->array + i;
      const std::uint64_t place =
          (reinterpret_cast<std::uintptr_t>(word) - reinterpret_cast<std::uintptr_t>(ld_plain(&array->words))) / 4;
      if (place < ld_plain(&array->count)) {
        return {ld_plain(&array->stamps) + place, ld_plain(&array->first) + static_cast<std::uint32_t>(place)};
      }
    }
    return {};
  }

  MAGPIE_INLINE void append(std::uint32_t object, std::uint32_t stamp) {
    const std::uint64_t place = at_ + header + accesses_;
    if (place < capacity_) st_plain(mine_ + place, object | std::uint64_t{stamp} << 32);
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
  std::uint64_t at_ = 0;  ///< where the present record begins, also beyond the capacity
  std::uint64_t begin_ = 0;
  std::uint32_t accesses_ = 0;
};

/// In place of the recorder where nothing is recorded.
struct no_recorder {
  MAGPIE_INLINE no_recorder(const thread&, const control&) {}
  MAGPIE_INLINE void begin() {}
  template <class Log>
  MAGPIE_INLINE void opened(Log&, std::uint32_t) {}
  template <bool Acquire, class Log>
  MAGPIE_INLINE sighting look(const Log&, std::uint32_t) const {
    return {};
  }
  template <class Log>
  MAGPIE_INLINE void read(Log&, std::uint32_t, const sighting&) {}
  MAGPIE_INLINE void peek(const std::uint32_t*) {}
  template <class Log>
  MAGPIE_INLINE void write_back(Log&, std::uint32_t) {}
  template <class Log>
  MAGPIE_INLINE void write(Log&, std::uint32_t) {}
  MAGPIE_INLINE std::uint32_t mark() const { return 0; }
  template <class Log>
  MAGPIE_INLINE void cut(Log&, std::uint32_t, std::uint32_t) {}
  MAGPIE_INLINE void end(std::uint32_t, std::uint32_t, std::uint32_t, outcome, cause) {}
};

using recorder = std::conditional_t<recording, attempt_recorder, no_recorder>;

}  // namespace stm

MAGPIE_NAMESPACE_END
