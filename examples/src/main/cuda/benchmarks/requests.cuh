/// @file
/// What the items of benchmarks of sets do: each looks up a key, inserts it, or removes it.
///
/// An item says in `found` whether its key was in the set when it ran. With that, what was in the set before, and the requests,
/// it follows what is in it after: each insertion that did not find its key adds it, each removal that did takes it out. An item
/// for whose key there was no room says `no_room` and cancels.
#pragma once

#include "magpie/stm.cuh"

/// What is done with a key.
enum class action : std::uint32_t { look_up, insert, remove };
MAGPIE_CONSTANT_AS("action::look_up", static_cast<std::int64_t>(action::look_up))
MAGPIE_CONSTANT_AS("action::insert", static_cast<std::int64_t>(action::insert))
MAGPIE_CONSTANT_AS("action::remove", static_cast<std::int64_t>(action::remove))

/// One item's.
struct request {
  std::uint32_t key;  ///< from 1 to 2^31 - 1
  action what;
};

/// In place of 0 or 1 in `found`.
inline constexpr std::uint32_t no_room = 2;

/// Spreads keys (the finalizer of MurmurHash3, which is one to one).
MAGPIE_INLINE std::uint32_t scattered(std::uint32_t key) {
  key = (key ^ key >> 16) * 0x85ebca6bu;
  key = (key ^ key >> 13) * 0xc2b2ae35u;
  return key ^ key >> 16;
}
