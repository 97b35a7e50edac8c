/// @file
/// The log of a region's attempts that a recording launch leaves behind: which versions each of them read and wrote,
/// and between which two times.
///
/// Layer: stm, used by transaction and region. A host writes `history` to device memory and names it in
/// `control::history`; layouts are fixed here and checked by static_assert.
///
/// A version is a stamp: a 32-bit word beside the object's data, 0 at first, one more after each commit that wrote the
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
#pragma once

#include "magpie/stm/objects.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// One of the launch's object arrays and the stamps of its objects.
struct history_objects {
  std::uint32_t* words;   ///< as in `objects`
  std::uint32_t* stamps;  ///< one for each object
  std::uint32_t count;
  std::uint32_t first;    ///< identifier of object 0
};
static_assert(sizeof(history_objects) == 24);

/// Where a launch logs its attempts. Logs and stamps go on from launch to launch until the host clears them.
struct history {
  static constexpr std::uint32_t max_arrays = 4;

  std::uint64_t* entries;        ///< `capacity` words for each thread, thread t's from entries + t * capacity on
  std::uint64_t* used;           ///< words that thread t needed so far, those that did not fit among them
  std::uint64_t* clock;          ///< a word that counts every look at the time; null = `timestamp()`
  std::uint64_t capacity;        ///< words of one thread; nothing is written beyond
  std::uint32_t threads;         ///< threads there is room for; only those of a lower rank record
  std::uint32_t arrays;          ///< of `array` in use, 1 to 4
  std::uint32_t first_attempts;  ///< unsuccessful attempts logged of each item: the first so many ...
  std::uint32_t sample;          ///< ... and of the others about one in so many, by a hash of rank and attempt; 0 = none
  history_objects array[max_arrays];
};
static_assert(sizeof(history) == 144);

}  // namespace stm

MAGPIE_NAMESPACE_END
