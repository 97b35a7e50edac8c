// full flavors: nvcc
/// @file
/// Litmus tests of the memory orders that the protocol rests on (stm-kernels/docs/memory-model.md), through
/// the platform's own accessors, so that what is tested is what ships. Plain C++ over the device library:
///
///     nvcc -std=c++20 -O3 -arch=sm_90 -I stm-kernels/src/main/cuda stm-kernels/src/litmus/cpp/litmus.cu -o litmus
///     g++ -x c++ -std=c++20 -O2 -pthread -I stm-kernels/src/main/cuda stm-kernels/src/litmus/cpp/litmus.cu -o litmus
///     ./litmus [seconds a test, default 1.5] [launches a test, default 1000000] [tests whose name contains this]
///
/// Each test runs until its seconds or its launches are used up, whichever is first, and at least once; up to three hundred
/// times its seconds, and two thousand launches, while the required outcome has not been seen, as a busy machine needs longer
/// for threads to meet.
/// Prints one JSON object a line and outcome: `seen` of `of` instances ended so, and `declared` says what the PTX and C++ memory models
/// make of it: forbidden or allowed; required: the roles met and all was well, without which a test shows nothing. Exit
/// status 1 if a forbidden outcome was seen or a required one was not. An allowed outcome that is never seen says that
/// the machine orders more than its model, not that the fence is idle.
///
/// How: an instance is a few words and two or three roles, each played by another thread. Of each four groups of
/// threads (warps on a GPU) three play and one stresses memory. In a round each player takes every role once, each of
/// another instance, so that the roles of an instance are played at the same time, by groups at a distance drawn again
/// for each launch. The words of all instances are shuffled over one array. Players may wait for each other, a bounded
/// number of polls, and pause for a random while. No loop depends on another thread.
///
/// Under `-DMAGPIE_MACHINE_SIM` the simulator's weak memory is tested in the same way, on random schedules.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "magpie/host/runtime.hpp"

namespace {

using namespace magpie;
using word = std::uint32_t;

// ---- The words of one instance and the values in them.

/// Two data words, two tracking words, and two fused cells.
struct places {
  word* x;
  word* y;
  word* v;
  word* w;
  std::uint64_t* c;
  std::uint64_t* d;
};
constexpr std::uint32_t words_each = 4;
constexpr std::uint32_t cells_each = 2;
constexpr std::uint32_t results_each = 2;  // of one role
constexpr std::uint32_t most_roles = 3;

/// Tracking words as in stm/detail/hand_off.cuh; a higher rank outranks a lower one.
MAGPIE_HOST_DEVICE constexpr word claimed(word rank) { return rank << 1; }
/// A claim that stands behind a lock, or is being made.
MAGPIE_HOST_DEVICE constexpr word waiting(word rank) { return rank << 1 | 1u; }
/// Locked, and nobody waits.
constexpr word locked = 1;

/// Fused cells as in stm/detail/fused_cells.cuh: the word above the datum.
MAGPIE_HOST_DEVICE constexpr std::uint64_t in_cell(word w, word datum = 0) { return std::uint64_t{w} << 32 | datum; }
MAGPIE_HOST_DEVICE constexpr word word_in(std::uint64_t cell) { return static_cast<word>(cell >> 32); }
MAGPIE_HOST_DEVICE constexpr word datum_in(std::uint64_t cell) { return static_cast<word>(cell); }

enum class end : std::uint32_t {
  apart,    ///< the roles did not meet: one came too early or too late
  ordered,  ///< they met, and what the protocol counts on held
  bad,      ///< they met, and it did not
};

// ---- Accesses by order.

enum class ordering : std::uint32_t { weak, relaxed, acquire, fenced };

/// A load; `fenced`: relaxed, and a fence after it.
template <ordering As>
MAGPIE_INLINE word load(const word* p) {
  if constexpr (As == ordering::weak) return *p;
  if constexpr (As == ordering::acquire) return ld_acq_dev(p);
  const word seen = ld_rlx_dev(p);
  if constexpr (As == ordering::fenced) fence_acqrel_dev();
  return seen;
}
template <ordering As>
MAGPIE_INLINE void store(word* p, word value) {
  if constexpr (As == ordering::weak) {
    *p = value;
  } else {
    st_rlx_dev(p, value);
  }
}
template <ordering As>
MAGPIE_INLINE word exchange_if(word* p, word expected, word desired) {
  if constexpr (As == ordering::acquire) return cas_acq_dev(p, expected, desired);
  const word seen = cas_rlx_dev(p, expected, desired);
  if constexpr (As == ordering::fenced) fence_acqrel_dev();
  return seen;
}
template <ordering As, class T>
MAGPIE_INLINE T maximum(T* p, std::type_identity_t<T> value) {
  if constexpr (As == ordering::acquire) return max_acq_dev(p, value);
  return max_rlx_dev(p, value);
}
template <bool Present>
MAGPIE_INLINE void fence_if() {
  if constexpr (Present) fence_acqrel_dev();
}

/// hand_off::unlock.
MAGPIE_INLINE void release(word* w) { red_and_rlx_dev(w, ~1u); }
/// Steals an unlocked claim: maximum, then the bit is cleared. Gives what the word was.
template <ordering As>
MAGPIE_INLINE word steal(word* w, word rank) {
  const word seen = maximum<As>(w, waiting(rank));
  if ((seen & 1u) == 0 && seen < claimed(rank)) and_rlx_dev(w, ~1u);
  return seen;
}

/// Gives a claim back, if it stands.
template <bool ByStore>
MAGPIE_INLINE bool give_back(word* w, word rank) {
  if constexpr (!ByStore) return cas_rlx_dev(w, claimed(rank), 0u) == claimed(rank);
  st_rlx_dev(w, 0u);
  return true;
}

// ---- The tests. `play<Role>` runs one role on one instance and leaves what it saw in `seen`; `judge` gets what all
// roles saw, and x at the end.

/// How a claimant takes an object over from its holder.
enum class by { exchange, maximum, failed_exchange, poll };

/// Role 0 holds the lock, writes, releases; role 1 takes the object over and reads.
template <by By, ordering Claim, ordering Read, bool Fence, ordering Data = ordering::relaxed>
struct publish {
  static constexpr std::uint32_t roles = 2;
  static constexpr bool waits = By == by::failed_exchange || By == by::poll;  // role 1 is registered from the start
  static constexpr word v = 0, w = waits ? waiting(2) : locked;

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      store<Data>(at.x, 1);
      fence_if<Fence>();
      release(at.w);
    } else {
      word old = 0;
      if constexpr (By == by::exchange || By == by::failed_exchange) old = exchange_if<Claim>(at.w, 0, claimed(2));
      if constexpr (By == by::maximum) old = maximum<Claim>(at.w, waiting(2));
      if constexpr (By == by::poll) {
        for (std::uint32_t poll = 0; poll < 8; ++poll) {
          old = load<Claim>(at.w);
          if (old == claimed(2)) break;
        }
      }
      seen[0] = old == (waits ? claimed(2) : 0u);
      seen[1] = load<Read>(at.x);
    }
  }
  MAGPIE_INLINE static end judge(const word (*seen)[results_each], word) {
    return seen[1][0] == 0 ? end::apart : seen[1][1] == 1 ? end::ordered : end::bad;
  }
};

/// The same with a release store and a claim on the word, no fences.
struct publish_by_store {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = 0, w = locked;

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      st_rlx_dev(at.x, 1u);
      st_rel_dev(at.w, 0u);
    } else {
      seen[0] = cas_acq_dev(at.w, 0u, claimed(2)) == 0;
      seen[1] = ld_rlx_dev(at.x);
    }
  }
  MAGPIE_INLINE static end judge(const word (*seen)[results_each], word) {
    return seen[1][0] == 0 ? end::apart : seen[1][1] == 1 ? end::ordered : end::bad;
  }
};

/// The object goes from role 0 by way of role 2 to role 1: apart unless each had it, and bad if role 1 misses what role 0 wrote.
struct handed_on {
  static constexpr std::uint32_t roles = 3;

  MAGPIE_INLINE static end judge(const word (*seen)[results_each], word) {
    if (seen[2][0] == 0 || seen[1][0] == 0) return end::apart;
    return seen[1][1] == 1 ? end::ordered : end::bad;
  }
};

/// Role 0 writes and releases; role 2 claims the freed word, by compare-exchange or by a relaxed maximum, and rolls back,
/// without a fence of its own; role 1 claims it then and reads.
template <bool ByMaximum, bool ByStore>
struct publish_through_rollback : handed_on {
  static constexpr word v = 0, w = locked;

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      st_rlx_dev(at.x, 1u);
      fence_acqrel_dev();
      release(at.w);
    } else if constexpr (Role == 2) {
      const word old = ByMaximum ? steal<ordering::relaxed>(at.w, 3) : cas_acq_dev(at.w, 0u, claimed(3));
      if (old == 0) seen[0] = give_back<ByStore>(at.w, 3);
    } else {
      for (std::uint32_t poll = 0; poll < 8 && seen[0] == 0; ++poll) {
        seen[0] = exchange_if<ordering::acquire>(at.w, 0, claimed(2)) == 0;
      }
      seen[1] = ld_acq_dev(at.x);
    }
  }
};

/// Role 0 writes and releases; role 2, registered from the start, withdraws, and gives back what it was granted, all relaxed;
/// role 1 claims it then and reads.
template <bool ByStore>
struct publish_through_withdrawal : handed_on {
  static constexpr word v = 0, w = waiting(2);

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      st_rlx_dev(at.x, 1u);
      fence_acqrel_dev();
      release(at.w);
    } else if constexpr (Role == 2) {
      if (cas_rlx_dev(at.w, waiting(2), locked) == claimed(2)) seen[0] = give_back<ByStore>(at.w, 2);
    } else {
      for (std::uint32_t poll = 0; poll < 8 && seen[0] == 0; ++poll) {
        seen[0] = exchange_if<ordering::acquire>(at.w, 0, claimed(3)) == 0;
      }
      seen[1] = ld_acq_dev(at.x);
    }
  }
};

/// Role 0 writes 1 and releases; role 1 takes the object over, locks it and writes 2: the later write must stay.
template <ordering Claim, bool Release, bool BeforeWrite>
struct overwrite {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = 0, w = locked;

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      st_rlx_dev(at.x, 1u);
      fence_if<Release>();
      release(at.w);
    } else {
      seen[0] = exchange_if<Claim>(at.w, 0, claimed(2)) == 0;
      if (seen[0] != 0) {
        cas_rlx_dev(at.w, claimed(2), locked);
        fence_if<BeforeWrite>();
        st_rlx_dev(at.x, 2u);
      }
    }
  }
  MAGPIE_INLINE static end judge(const word (*seen)[results_each], word x) {
    return seen[1][0] == 0 ? end::apart : x == 2 ? end::ordered : end::bad;
  }
};

/// Where the thief has a fence.
enum class fence_at { nowhere, claim, write };

/// Role 0 says what it read, and whether its claims stand: new data while they do is bad.
struct sees_new_data {
  MAGPIE_INLINE static end judge(const word (*seen)[results_each], word) {
    if (seen[0][0] == 0) return end::apart;
    return seen[0][1] == 0 ? end::ordered : end::bad;
  }
};

/// How a reader looks at its claims again: as regions of few objects do under `hand_off`, or without the fence.
enum class look { exchange, unfenced_exchange };

/// Whether a claim of rank 1 stands.
template <look Look>
MAGPIE_INLINE bool stands(word* w) {
  fence_if<Look == look::exchange>();
  return cas_rlx_dev(w, claimed(1), claimed(1)) == claimed(1);
}

/// Role 0 reads under its claim and looks at the word by an exchange; role 1 steals, locks, and writes without a fence. New
/// data under an intact claim is bad.
template <look Look>
struct steal_from_exchanger : sees_new_data {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = 0, w = claimed(1);

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      seen[0] = ld_rlx_dev(at.x);
      seen[1] = stands<Look>(at.w);
    } else {
      steal<ordering::acquire>(at.w, 2);
      cas_rlx_dev(at.w, claimed(2), locked);
      st_rlx_dev(at.x, 1u);
    }
  }
};

/// Role 0 reads under its claim and looks at the word again; role 1 steals, locks, writes. New data under an intact
/// claim is bad.
template <ordering Read, ordering Again, fence_at Fence, ordering Lock = ordering::relaxed,
          ordering Data = ordering::relaxed>
struct steal_from_reader {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = 0, w = claimed(1);

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      seen[0] = load<Read>(at.x);
      seen[1] = load<Again>(at.w);
    } else {
      steal<ordering::acquire>(at.w, 2);
      fence_if<Fence == fence_at::claim>();
      exchange_if<Lock>(at.w, claimed(2), locked);
      fence_if<Fence == fence_at::write>();
      store<Data>(at.x, 1);
    }
  }
  MAGPIE_INLINE static end judge(const word (*seen)[results_each], word) {
    if (seen[0][0] == 0) return end::apart;
    return seen[0][1] != claimed(1) ? end::ordered : end::bad;
  }
};

/// Role 0 reads under its claim and looks at the word again; role 1 steals, and gives back; role 2 locks what is free, as
/// eager attempts do, and writes. New data under an intact claim is bad.
template <bool Fence>
struct lock_after_theft {
  static constexpr std::uint32_t roles = 3;
  static constexpr word v = 0, w = claimed(1);

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      seen[0] = ld_acq_dev(at.x);
      seen[1] = ld_rlx_dev(at.w);
    } else if constexpr (Role == 1) {
      steal<ordering::acquire>(at.w, 2);
      cas_rlx_dev(at.w, claimed(2), 0u);
    } else {
      for (std::uint32_t poll = 0; poll < 8 && seen[0] == 0; ++poll) seen[0] = cas_acq_dev(at.w, 0u, locked) == 0;
      if (seen[0] == 0) return;
      fence_if<Fence>();
      st_rlx_dev(at.x, 1u);
    }
  }
  MAGPIE_INLINE static end judge(const word (*seen)[results_each], word) {
    if (seen[0][0] == 0) return end::apart;
    return seen[0][1] != claimed(1) ? end::ordered : end::bad;
  }
};

/// The same with a reader that looks by an exchange, and no fence before the write.
template <look Look>
struct lock_after_theft_from_exchanger : sees_new_data {
  static constexpr std::uint32_t roles = 3;
  static constexpr word v = 0, w = claimed(1);

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      seen[0] = ld_rlx_dev(at.x);
      seen[1] = stands<Look>(at.w);
    } else if constexpr (Role == 1) {
      steal<ordering::acquire>(at.w, 2);
      cas_rlx_dev(at.w, claimed(2), 0u);
    } else {
      for (std::uint32_t poll = 0; poll < 8 && seen[0] == 0; ++poll) seen[0] = cas_acq_dev(at.w, 0u, locked) == 0;
      if (seen[0] == 0) return;
      st_rlx_dev(at.x, 1u);
    }
  }
};

/// Role 0 reads two objects that role 1 steals and writes together, without a fence, and looks at both words by exchanges:
/// new data while both claims stand is bad.
template <look Look>
struct two_objects_of_exchanger : sees_new_data {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = claimed(1), w = claimed(1);

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      const word x = ld_rlx_dev(at.x);
      const bool first = stands<Look>(at.w);
      const word y = ld_rlx_dev(at.y);
      const bool both = stands<Look>(at.w) & stands<Look>(at.v);
      seen[0] = x + y;
      seen[1] = first && both;
    } else {
      steal<ordering::acquire>(at.w, 2);
      steal<ordering::acquire>(at.v, 2);
      cas_rlx_dev(at.w, claimed(2), locked);
      cas_rlx_dev(at.v, claimed(2), locked);
      st_rlx_dev(at.x, 1u);
      st_rlx_dev(at.y, 1u);
    }
  }
};

/// Role 0 reads two objects that role 1 steals and writes together, and re-checks their words: new data while both
/// claims stand is bad.
template <ordering Read, bool Fence>
struct two_objects : sees_new_data {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = claimed(1), w = claimed(1);

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      const word x = load<Read>(at.x);
      const word first = ld_rlx_dev(at.w);
      const word y = load<Read>(at.y);
      const bool stands = ld_rlx_dev(at.w) == claimed(1) && ld_rlx_dev(at.v) == claimed(1) && first == claimed(1);
      seen[0] = x + y;
      seen[1] = stands;
    } else {
      steal<ordering::acquire>(at.w, 2);
      steal<ordering::acquire>(at.v, 2);
      cas_rlx_dev(at.w, claimed(2), locked);
      cas_rlx_dev(at.v, claimed(2), locked);
      fence_if<Fence>();
      st_rlx_dev(at.x, 1u);
      st_rlx_dev(at.y, 1u);
    }
  }
};

/// Role 0 reads under its lock and releases; role 1 takes the object over and writes: the read must not see that.
template <bool Fence>
struct read_then_release {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = 0, w = locked;

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      seen[0] = ld_rlx_dev(at.x);
      fence_if<Fence>();
      release(at.w);
    } else {
      seen[0] = cas_acq_dev(at.w, 0u, claimed(2)) == 0;
      if (seen[0] != 0) {
        cas_rlx_dev(at.w, claimed(2), locked);  // no fence before the write: as in an unvalidated region
        st_rlx_dev(at.x, 1u);
      }
    }
  }
  MAGPIE_INLINE static end judge(const word (*seen)[results_each], word) {
    return seen[1][0] == 0 ? end::apart : seen[0][0] == 0 ? end::ordered : end::bad;
  }
};

// Fused cells: a step of 64 bits takes the datum with the word, and one gives both back.

/// fused_hand_off::unlock.
MAGPIE_INLINE void release_cell(std::uint64_t* c, word datum) {
  red_add_rlx_dev(c, in_cell(0, datum) - in_cell(locked));
}
/// Claims what nobody has locked: maximum, then bit and datum are given back. Whether the claim stood, and the datum.
template <ordering As>
MAGPIE_INLINE bool claim_cell(std::uint64_t* c, word rank, word& datum) {
  const std::uint64_t seen = maximum<As>(c, in_cell(waiting(rank)));
  if ((word_in(seen) & 1u) != 0 || word_in(seen) > claimed(rank)) return false;
  datum = datum_in(seen);
  return word_in(add_rlx_dev(c, in_cell(0, datum) - in_cell(locked))) >> 1 == rank;
}
/// Gives a claim on a cell with this datum back, if it stands.
template <bool ByStore>
MAGPIE_INLINE bool give_cell_back(std::uint64_t* c, word rank, word datum) {
  const std::uint64_t own = in_cell(claimed(rank), datum);
  if constexpr (!ByStore) return cas_rlx_dev(c, own, in_cell(0, datum)) == own;
  st_rlx_dev(c, in_cell(0, datum));
  return true;
}

/// Locks a cell once it is free, and reads x. Leaves whether it was, and whether x and the datum were new.
MAGPIE_INLINE void lock_cell_and_read(const places& at, word* seen) {
  word datum = 0;
  for (std::uint32_t poll = 0; poll < 8 && seen[0] == 0; ++poll) {
    const std::uint64_t old = maximum<ordering::acquire>(at.c, in_cell(locked));
    seen[0] = word_in(old) == 0;
    datum = datum_in(old);
  }
  seen[1] = ld_rlx_dev(at.x) == 1 && datum == 7;
}

/// How a claimant takes a cell over: locked by an eager attempt, claimed, or as a grant that a poll finds.
enum class cell_by { lock, claim, poll };

/// Role 0 holds the lock, writes x, releases with a datum; role 1 takes the cell over and reads x: both must be new.
/// `Whole`: the release is one addition; else it frees the word, and then adds the datum.
template <cell_by By, ordering Take, bool Fence = true, bool Whole = true>
struct publish_cell {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = 0, w = 0;
  static constexpr std::uint64_t c = in_cell(By == cell_by::poll ? waiting(2) : locked), d = 0;

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      st_rlx_dev(at.x, 1u);
      fence_if<Fence>();
      release_cell(at.c, Whole ? 7 : 0);
      if constexpr (!Whole) red_add_rlx_dev(at.c, in_cell(0, 7));
    } else {
      word datum = 0;
      if constexpr (By == cell_by::lock) {
        const std::uint64_t old = maximum<Take>(at.c, in_cell(locked));
        seen[0] = word_in(old) == 0;
        datum = datum_in(old);
      } else if constexpr (By == cell_by::claim) {
        seen[0] = claim_cell<Take>(at.c, 2, datum);
      } else {
        for (std::uint32_t poll = 0; poll < 8 && seen[0] == 0; ++poll) {
          const std::uint64_t old = Take == ordering::acquire ? ld_acq_dev(at.c) : ld_rlx_dev(at.c);
          seen[0] = word_in(old) == claimed(2);
          datum = datum_in(old);
        }
      }
      seen[1] = ld_rlx_dev(at.x) == 1 && datum == 7;
    }
  }
  MAGPIE_INLINE static end judge(const word (*seen)[results_each], word) {
    return seen[1][0] == 0 ? end::apart : seen[1][1] == 1 ? end::ordered : end::bad;
  }
};

/// Role 0 writes x and releases with a datum; role 2 claims the freed cell and gives it back, without a fence of its own;
/// role 1 locks it then and reads x: both must be new.
template <bool ByStore>
struct publish_cell_through_rollback : handed_on {
  static constexpr word v = 0, w = 0;
  static constexpr std::uint64_t c = in_cell(locked), d = 0;

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      st_rlx_dev(at.x, 1u);
      fence_acqrel_dev();
      release_cell(at.c, 7);
    } else if constexpr (Role == 2) {
      word datum = 0;
      if (claim_cell<ordering::relaxed>(at.c, 3, datum)) seen[0] = give_cell_back<ByStore>(at.c, 3, datum);
    } else {
      lock_cell_and_read(at, seen);
    }
  }
};

/// Role 0 writes x and releases with a datum; role 2, registered from the start, withdraws, and gives back what it was granted,
/// all relaxed; role 1 locks the cell then and reads x: both must be new.
template <bool ByStore>
struct publish_cell_through_withdrawal : handed_on {
  static constexpr word v = 0, w = 0;
  static constexpr std::uint64_t c = in_cell(waiting(2)), d = 0;

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      st_rlx_dev(at.x, 1u);
      fence_acqrel_dev();
      release_cell(at.c, 7);
    } else if constexpr (Role == 2) {
      const std::uint64_t old = cas_rlx_dev(at.c, in_cell(waiting(2)), in_cell(locked));
      if (word_in(old) == claimed(2)) seen[0] = give_cell_back<ByStore>(at.c, 2, datum_in(old));
    } else {
      lock_cell_and_read(at, seen);
    }
  }
};

/// Role 0 reads x under its claim on a cell and looks at that again, by a load or by an exchange behind a fence; role 1
/// steals the cell, locks it, and writes x. New data under an intact claim is bad.
template <bool ByExchange, bool Fence>
struct steal_cell : sees_new_data {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = 0, w = 0;
  static constexpr std::uint64_t c = in_cell(claimed(1), 5), d = 0;

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      if constexpr (ByExchange) {
        seen[0] = ld_rlx_dev(at.x);
        fence_if<Fence>();
        seen[1] = cas_rlx_dev(at.c, c, c) == c;
      } else {
        seen[0] = ld_acq_dev(at.x);
        seen[1] = word_in(ld_rlx_dev(at.c)) == claimed(1);
      }
    } else {
      word datum = 0;
      if (!claim_cell<ordering::acquire>(at.c, 2, datum)) return;
      cas_rlx_dev(at.c, in_cell(claimed(2), datum), in_cell(locked));
      fence_if<Fence && !ByExchange>();
      st_rlx_dev(at.x, 1u);
    }
  }
};

/// Role 0 has a claim on one cell, claims another, whose datum comes with it, and looks at the first one again; role 1 takes
/// both, changes both and releases them. A new datum while the first claim stands is bad.
template <ordering Take, bool Fence>
struct two_cells : sees_new_data {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = 0, w = 0;
  static constexpr std::uint64_t c = in_cell(claimed(1), 5), d = in_cell(0, 5);

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    word first = 0, second = 0;
    if constexpr (Role == 0) {
      seen[0] = claim_cell<Take>(at.d, 1, second) && second == 6;
      seen[1] = word_in(ld_rlx_dev(at.c)) == claimed(1);
    } else {
      if (!claim_cell<ordering::acquire>(at.c, 2, first) || !claim_cell<ordering::acquire>(at.d, 2, second)) return;
      cas_rlx_dev(at.c, in_cell(claimed(2), first), in_cell(locked));
      cas_rlx_dev(at.d, in_cell(claimed(2), second), in_cell(locked));
      fence_if<Fence>();
      release_cell(at.d, second + 1);
      release_cell(at.c, first + 1);
    }
  }
};

// Controls: what the machine does with plain patterns.

/// Two stores, and two loads in the other order.
template <bool Fence, ordering Read>
struct message_passing {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = 0, w = 0;

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      st_rlx_dev(at.x, 1u);
      fence_if<Fence>();
      st_rlx_dev(at.y, 1u);
    } else {
      seen[0] = load<Read>(at.y);
      seen[1] = ld_rlx_dev(at.x);
    }
  }
  MAGPIE_INLINE static end judge(const word (*seen)[results_each], word) {
    return seen[1][0] == 0 ? end::apart : seen[1][1] == 1 ? end::ordered : end::bad;
  }
};

enum class fence_kind { none, acq_rel, seq_cst };

/// Each role stores one word and loads the other's; both loads see the old value.
template <fence_kind Fence>
struct store_buffering {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = 0, w = 0;

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    st_rlx_dev(Role == 0 ? at.x : at.y, 1u);
    if constexpr (Fence == fence_kind::acq_rel) fence_acqrel_dev();
    if constexpr (Fence == fence_kind::seq_cst) fence_sc_dev();
    seen[0] = ld_rlx_dev(Role == 0 ? at.y : at.x);
  }
  MAGPIE_INLINE static end judge(const word (*seen)[results_each], word) {
    return seen[0][0] + seen[1][0] == 0 ? end::bad : end::ordered;
  }
};

/// Two loads of one word: the later one must not see less.
struct coherence {
  static constexpr std::uint32_t roles = 2;
  static constexpr word v = 0, w = 0;

  template <std::uint32_t Role>
  MAGPIE_INLINE static void play(const places& at, word* seen) {
    if constexpr (Role == 0) {
      st_rlx_dev(at.x, 1u);
    } else {
      seen[0] = ld_rlx_dev(at.x);
      seen[1] = ld_rlx_dev(at.x);
    }
  }
  MAGPIE_INLINE static end judge(const word (*seen)[results_each], word) {
    return seen[1][0] == 0 ? end::apart : seen[1][1] == 1 ? end::ordered : end::bad;
  }
};

// ---- Running many instances at once.

/// What a launch needs to know to find its words. Arrays of 2^bits words and half as many cells, shuffled by an odd factor.
struct layout {
  word* words;
  std::uint64_t* cells;
  word* results;
  std::uint32_t bits;
  std::uint32_t factor;

  MAGPIE_INLINE word* place(std::uint32_t instance, std::uint32_t which) const {
    return words + (((instance * words_each + which) * factor) & ((1u << bits) - 1u));
  }
  MAGPIE_INLINE std::uint64_t* cell(std::uint32_t instance, std::uint32_t which) const {
    return cells + (((instance * cells_each + which) * factor) & ((1u << (bits - 1)) - 1u));
  }
  MAGPIE_INLINE places of(std::uint32_t instance) const {
    return {place(instance, 0), place(instance, 1), place(instance, 2),
            place(instance, 3), cell(instance, 0),  cell(instance, 1)};
  }
  MAGPIE_INLINE word* result(std::uint32_t instance, std::uint32_t role) const {
    return results + (instance * most_roles + role) * results_each;
  }
};

MAGPIE_INLINE std::uint32_t mix(std::uint32_t v) {
  v = (v ^ (v >> 16)) * 0x7feb352du;
  v = (v ^ (v >> 15)) * 0x846ca68bu;
  return v ^ (v >> 16);
}

template <class Test>
struct prepare {
  layout at;
  std::uint32_t instances;
  word* met;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (const std::uint32_t i : self.items(instances)) {
      const places each = at.of(i);
      st_rlx_dev(each.x, 0u);
      st_rlx_dev(each.y, 0u);
      st_rlx_dev(each.v, Test::v);
      st_rlx_dev(each.w, Test::w);
      if constexpr (requires { Test::c; }) {
        st_rlx_dev(each.c, Test::c);
        st_rlx_dev(each.d, Test::d);
      }
      st_rlx_dev(met + i, 0u);
      for (std::uint32_t role = 0; role < most_roles; ++role) {
        for (std::uint32_t k = 0; k < results_each; ++k) st_rlx_dev(at.result(i, role) + k, 0u);
      }
    }
  }
};

/// Plays `rounds` rounds. Players are counted in groups of the warp's width; player t takes, as the k-th of a round,
/// role (k - t / width) mod roles of instance t + distance[role]. A role's distance in groups is that role modulo the
/// number of roles: so all roles of an instance are played as the same k-th.
template <class Test>
struct play {
  layout at;
  word* met;      // how many of an instance's roles have come
  word* scratch;  // of the stress, 2^scratch_bits words
  std::uint32_t scratch_bits;
  std::uint32_t players;
  std::uint32_t rounds;
  std::uint32_t patience;  // polls for the others
  std::uint32_t delay;     // largest pause before a role, in loads; a power of two
  std::uint32_t seed;
  std::uint32_t distance[most_roles];

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const std::uint32_t width = self.width();
    const std::uint32_t group = self.rank() / width;
    const std::uint32_t turn = (group + seed) % 4;
    const std::uint32_t player = (group / 4 * 3 + turn) * width + self.lane();
    if (turn == 3 || player >= players) {
      stress(self.rank());
      return;
    }
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (std::uint32_t k = 0; k < Test::roles; ++k) {
        const std::uint32_t own = player / width % Test::roles;
        const std::uint32_t role = (k + Test::roles - own) % Test::roles;
        const std::uint32_t instance = round * players + (player + distance[role]) % players;
        const places here = at.of(instance);
        const std::uint32_t draw = mix(seed ^ mix(self.rank() * most_roles + k) ^ round);
        if (patience > 0) {
          add_rlx_dev(met + instance, 1u);
          for (std::uint32_t poll = 0; poll < patience && ld_rlx_dev(met + instance) < Test::roles; ++poll) {
          }
        }
        for (std::uint32_t i = 0; i < (draw & (delay - 1u)); ++i) touch(draw + i);
        word seen[results_each] = {};
        if (role == 0) {
          Test::template play<0>(here, seen);
        } else if (role == 1) {
          Test::template play<1>(here, seen);
        } else if constexpr (Test::roles > 2) {
          Test::template play<2>(here, seen);
        }
        for (std::uint32_t i = 0; i < results_each; ++i) st_rlx_dev(at.result(instance, role) + i, seen[i]);
      }
    }
  }

 private:
  /// A load that nobody uses.
  MAGPIE_INLINE void touch(std::uint32_t v) const {
    static_cast<void>(ld_rlx_dev(scratch + (mix(v) & ((1u << scratch_bits) - 1u))));
  }

  /// Loads, stores and read-modify-writes all over the scratch words, about as long as the players play.
  MAGPIE_INLINE void stress(std::uint32_t rank) const {
    for (std::uint32_t i = 0; i < rounds * 32u; ++i) {
      const std::uint32_t draw = mix(seed + rank * 977u + i);
      word* const p = scratch + (draw >> 8 & ((1u << scratch_bits) - 1u));
      if ((draw + seed) % 4 < 2) {
        st_rlx_dev(p, draw);
      } else if ((draw + seed) % 4 == 2) {
        touch(draw);
      } else {
        add_rlx_dev(p, 1u);
      }
    }
  }
};

template <class Test>
struct count {
  layout at;
  std::uint32_t instances;
  std::uint64_t* ends;  // of each kind

  MAGPIE_DEVICE void operator()(const thread& self) const {
    std::uint32_t n[3] = {};
    for (const std::uint32_t i : self.items(instances)) {
      word seen[most_roles][results_each];
      for (std::uint32_t role = 0; role < most_roles; ++role) {
        for (std::uint32_t k = 0; k < results_each; ++k) seen[role][k] = ld_rlx_dev(at.result(i, role) + k);
      }
      const end each = Test::judge(seen, ld_rlx_dev(at.place(i, 0)));
      n[0] += each == end::apart ? 1 : 0;
      n[1] += each == end::ordered ? 1 : 0;
      n[2] += each == end::bad ? 1 : 0;
    }
    for (std::uint32_t k = 0; k < 3; ++k) red_add_rlx_dev(ends + k, static_cast<std::uint64_t>(n[k]));
  }
};

// ---- The host's part.

enum class declared { forbidden, allowed };

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

class bench {
 public:
  bench(double seconds, std::uint64_t launches, std::string filter)
      : seconds_(seconds), launches_(launches), filter_(std::move(filter)), device_(device_name()) {
#if defined(MAGPIE_MACHINE_SIM)
    plan_.schedule = schedule_random_walk;
    plan_.memory = memory_weak;
    plan_.stopped = ~std::uint64_t{0};
    host::simulated().width = 1;
    host::simulated().plan = &plan_;
#endif
  }

  template <class Test>
  void run(const char* test, const char* variant, declared expected) {
    if (std::strstr(test, filter_.c_str()) == nullptr) return;
    const auto begin = std::chrono::steady_clock::now();
    const std::uint32_t width = host::warp_width();
    const std::uint32_t threads = machine_threads<play<Test>>();
    // A multiple of 6 groups, so that two and three roles come out even.
    const std::uint32_t players = threads / width / 4 * 3 / 6 * 6 * width;
    const std::uint32_t groups = players / width;
    std::uint32_t bits = 4;
    while ((1ull << bits) < std::uint64_t{players} * rounds * words_each) ++bits;
    host::buffer<std::uint64_t> cells(std::size_t{1} << (bits - 1), 0);
    host::buffer<word> words(std::size_t{1} << bits, 0), scratch(std::size_t{1} << scratch_bits, 0);
    host::buffer<word> results(std::size_t{players} * rounds * most_roles * results_each, 0), met(players * rounds, 0);
    host::buffer<std::uint64_t> ends(3, 0);
    std::uint64_t launch = 0;
    std::chrono::duration<double> passed{};
    const auto unused = [&] {
      const bool goes_on = passed.count() < 300 * seconds_ || launch < least_launches;
      return launch < launches_ && (passed.count() < seconds_ || (goes_on && ends.get()[1] == 0));
    };
    do {
      const std::uint32_t factor = static_cast<std::uint32_t>(draw()) | 1u;
      const layout at{words.data(), cells.data(), results.data(), bits, factor};
      play<Test> game{
          at, met.data(), scratch.data(), scratch_bits, players, rounds, 0, 1, static_cast<std::uint32_t>(draw()), {}};
      game.patience = draw() % 4 == 0 ? 0 : 4u << draw() % 6;
      game.delay = 1u << draw() % 6;
      for (std::uint32_t role = 1; role < Test::roles; ++role) {
        // Near or far, all sizes alike.
        const std::uint64_t reach = groups / Test::roles;
        const std::uint64_t scale = std::uint64_t{1} << draw() % 24;
        const std::uint64_t far = draw() % scale % reach;
        game.distance[role] = static_cast<std::uint32_t>(far * Test::roles + role) * width;
      }
#if defined(MAGPIE_MACHINE_SIM)
      plan_.seed = launch;
#endif
      host::run(prepare<Test>{at, players * rounds, met.data()}, threads);
      host::run(game, threads);
      host::run(count<Test>{at, players * rounds, ends.data()}, threads);
      ++launch;
      passed = std::chrono::steady_clock::now() - begin;
    } while (unused());
    const auto n = ends.get();
    const std::uint64_t of = launch * players * rounds;
    line(test, variant, "apart", "allowed", n[0], of);
    line(test, variant, "ordered", "required", n[1], of);
    line(test, variant, "bad", expected == declared::forbidden ? "forbidden" : "allowed", n[2], of);
    if (n[1] == 0 || (expected == declared::forbidden && n[2] != 0)) well_ = false;
  }

  bool well() const { return well_; }

 private:
#if defined(__CUDACC__)
  static constexpr std::uint32_t rounds = 8;
#else
  static constexpr std::uint32_t rounds = 64;  // starting a thread costs more than playing a round
#endif
  static constexpr std::uint32_t scratch_bits = 16;
  static constexpr std::uint64_t least_launches = 2000;  // until a required order is seen

  /// As many threads as are resident at once; host threads and fibers: a few.
  template <class Functor>
  static std::uint32_t machine_threads() {
#if defined(__CUDACC__)
    return host::default_threads<Functor>();
#else
    return 8 * host::warp_width();
#endif
  }

  void line(const char* test, const char* variant, const char* outcome, const char* expectation, std::uint64_t seen,
            std::uint64_t of) const {
    std::printf(
        "{\"test\":\"%s\",\"variant\":\"%s\",\"outcome\":\"%s\",\"declared\":\"%s\",\"seen\":%llu,\"of\":%llu,"
        "\"gpu\":\"%s\"}\n",
        test, variant, outcome, expectation, static_cast<unsigned long long>(seen), static_cast<unsigned long long>(of),
        device_.c_str());
    std::fflush(stdout);
  }

  /// splitmix64.
  std::uint64_t draw() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (z ^ (z >> 31)) >> 8;
  }

  double seconds_;
  std::uint64_t launches_;
  std::string filter_;
  std::string device_;
  std::uint64_t state_ = 1;
  bool well_ = true;
#if defined(MAGPIE_MACHINE_SIM)
  magpie_simulation plan_ = {};
#endif
};

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1.5;
  const std::uint64_t launches = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000;
  bench all(seconds, launches, argc > 3 ? argv[3] : "");
  using enum ordering;
  constexpr auto forbidden = declared::forbidden, allowed = declared::allowed;

  all.run<publish<by::exchange, acquire, acquire, true>>("publish", "shipped: claim by compare-exchange", forbidden);
  all.run<publish<by::exchange, acquire, relaxed, true>>("publish", "shipped, unvalidated: relaxed read", forbidden);
  all.run<publish<by::maximum, acquire, acquire, true>>("publish", "shipped: claim by maximum", forbidden);
  all.run<publish<by::failed_exchange, acquire, relaxed, true>>("publish", "shipped: grant seen by a failed claim",
                                                                forbidden);
  all.run<publish<by::poll, acquire, relaxed, true>>("publish", "shipped: grant seen by a poll", forbidden);
  all.run<publish<by::exchange, fenced, relaxed, true>>("publish", "relaxed claim, fence", forbidden);
  all.run<publish_by_store>("publish", "release store, no fence", forbidden);
  all.run<publish<by::exchange, acquire, acquire, false>>("publish", "no fence before the release", allowed);
  all.run<publish<by::exchange, relaxed, relaxed, true>>("publish", "relaxed claim", allowed);
  all.run<publish<by::maximum, relaxed, relaxed, true>>("publish", "relaxed claim by maximum", allowed);
  all.run<publish<by::failed_exchange, relaxed, relaxed, true>>("publish", "grant seen by a relaxed failed claim",
                                                                allowed);
  all.run<publish<by::poll, relaxed, relaxed, true>>("publish", "grant seen by a relaxed poll", allowed);
  all.run<publish_through_rollback<false, false>>("publish through a rollback", "shipped: by compare-exchange",
                                                  forbidden);
  all.run<publish_through_rollback<true, false>>("publish through a rollback", "by compare-exchange, claim by maximum",
                                                 forbidden);
  all.run<publish_through_rollback<false, true>>("publish through a rollback", "by store", allowed);
  all.run<publish_through_withdrawal<false>>("publish through a withdrawal", "shipped: by compare-exchange", forbidden);
  all.run<publish_through_withdrawal<true>>("publish through a withdrawal", "by store", allowed);

  all.run<overwrite<acquire, true, true>>("overwrite", "shipped", forbidden);
  all.run<overwrite<acquire, true, false>>("overwrite", "shipped, unvalidated: no fence before the write", forbidden);
  all.run<overwrite<relaxed, false, false>>("overwrite", "relaxed claim, no fences", allowed);

  all.run<read_then_release<true>>("read, then release", "shipped", forbidden);
  all.run<read_then_release<false>>("read, then release", "no fence before the release", allowed);

  all.run<steal_from_reader<acquire, relaxed, fence_at::write>>("steal from a reader", "shipped", forbidden);
  all.run<steal_from_reader<fenced, relaxed, fence_at::write>>("steal from a reader", "relaxed read, fence", forbidden);
  all.run<steal_from_reader<acquire, relaxed, fence_at::claim>>("steal from a reader", "fence after the claim",
                                                                forbidden);
  all.run<steal_from_reader<acquire, relaxed, fence_at::nowhere>>("steal from a reader", "no fence", allowed);
  all.run<steal_from_reader<fenced, relaxed, fence_at::nowhere, acquire>>("steal from a reader",
                                                                          "acquire lock, no fence", allowed);
  all.run<steal_from_reader<relaxed, relaxed, fence_at::write>>("steal from a reader", "relaxed read", allowed);
  all.run<steal_from_reader<relaxed, acquire, fence_at::write>>("steal from a reader", "relaxed read, acquire re-check",
                                                                allowed);
#if defined(__CUDACC__)
  all.run<steal_from_reader<weak, relaxed, fence_at::write, relaxed, weak>>("steal from a reader", "weak data",
                                                                            allowed);
#endif
  all.run<steal_from_exchanger<look::exchange>>("steal from a reader", "shipped, few objects: fence, exchange",
                                                forbidden);
  all.run<steal_from_exchanger<look::unfenced_exchange>>("steal from a reader", "exchange, no fence", allowed);
  all.run<lock_after_theft_from_exchanger<look::exchange>>("lock after a theft",
                                                           "shipped, few objects: fence, exchange", forbidden);
  all.run<lock_after_theft_from_exchanger<look::unfenced_exchange>>("lock after a theft", "exchange, no fence",
                                                                    allowed);
  all.run<two_objects_of_exchanger<look::exchange>>("two objects", "shipped, few objects: fence, exchange", forbidden);
  all.run<two_objects_of_exchanger<look::unfenced_exchange>>("two objects", "exchange, no fence", allowed);
  all.run<lock_after_theft<true>>("lock after a theft", "shipped: an eager attempt", forbidden);
  all.run<lock_after_theft<false>>("lock after a theft", "no fence", allowed);
  all.run<two_objects<acquire, true>>("two objects", "shipped", forbidden);
  all.run<two_objects<relaxed, false>>("two objects", "relaxed reads, no fence", allowed);

  all.run<publish_cell<cell_by::lock, acquire>>("publish a cell", "shipped: eager lock by maximum", forbidden);
  all.run<publish_cell<cell_by::claim, acquire>>("publish a cell", "shipped: claim by maximum", forbidden);
  all.run<publish_cell<cell_by::poll, acquire>>("publish a cell", "shipped: grant seen by a poll", forbidden);
  all.run<publish_cell<cell_by::lock, relaxed>>("publish a cell", "relaxed eager lock", allowed);
  all.run<publish_cell<cell_by::claim, relaxed>>("publish a cell", "relaxed claim", allowed);
  all.run<publish_cell<cell_by::poll, relaxed>>("publish a cell", "grant seen by a relaxed poll", allowed);
  all.run<publish_cell<cell_by::claim, acquire, false>>("publish a cell", "no fence before the release", allowed);
  all.run<publish_cell<cell_by::lock, acquire, true, false>>("publish a cell", "word released before datum", allowed);
  all.run<publish_cell_through_rollback<false>>("publish a cell through a rollback", "shipped: by compare-exchange",
                                                forbidden);
  all.run<publish_cell_through_rollback<true>>("publish a cell through a rollback", "by store", allowed);
  all.run<publish_cell_through_withdrawal<false>>("publish a cell through a withdrawal", "shipped: by compare-exchange",
                                                  forbidden);
  all.run<publish_cell_through_withdrawal<true>>("publish a cell through a withdrawal", "by store", allowed);
  all.run<steal_cell<false, true>>("steal a cell from a reader", "shipped: look by load", forbidden);
  all.run<steal_cell<false, false>>("steal a cell from a reader", "look by load, no fence", allowed);
  all.run<steal_cell<true, true>>("steal a cell from a reader", "shipped, few objects: fence, exchange", forbidden);
  all.run<steal_cell<true, false>>("steal a cell from a reader", "exchange, no fence", allowed);
  all.run<two_cells<acquire, true>>("two cells", "shipped", forbidden);
  all.run<two_cells<relaxed, true>>("two cells", "relaxed claim", allowed);
  all.run<two_cells<acquire, false>>("two cells", "no fence before the release", allowed);

  all.run<message_passing<true, acquire>>("message passing", "fence, acquire", forbidden);
  all.run<message_passing<false, relaxed>>("message passing", "relaxed", allowed);
  all.run<store_buffering<fence_kind::seq_cst>>("store buffering", "fence.sc", forbidden);
  all.run<store_buffering<fence_kind::acq_rel>>("store buffering", "fence.acq_rel", allowed);
  all.run<store_buffering<fence_kind::none>>("store buffering", "relaxed", allowed);
  all.run<coherence>("coherence", "relaxed", forbidden);
  return all.well() ? 0 : 1;
}
