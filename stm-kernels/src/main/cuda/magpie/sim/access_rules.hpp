/// @file
/// Checks on `sim` that plain accesses are used as platform.cuh says they may be.
///
/// Layer: sim, used by simulator.hpp.
///
/// On the GPU a plain load may be served by a cache that this launch's stores do not reach, and the compiler moves plain
/// accesses as it likes; so what breaks these rules fails there, sometimes. On processors it goes unnoticed. Here the
/// launch ends at the access that breaks one:
/// - a word that `ld_plain` reads is not written in the launch, by whatever access;
/// - a word that `ld_own` reads is written by no other warp;
/// - a word that `st_plain` writes is read or written by no other warp.
///
/// The last two hold of each phase of the launch: what all threads did before a barrier of the grid is over when they go on
/// (grid_barrier.cuh).
///
/// Data of 1 or 2 bytes are told apart within a word. By warp and not by thread, since `sync_warp` orders what lanes leave for each other: such races are not seen.
///
/// What `ld_plain` reads of traced memory (access_trace.hpp) is left to the host, which tells who made the stores; but not over
/// weak memory and in a search of states, where it does not look. It does not look at a trace either that had no room for all
/// events: so breaches are kept meanwhile, and the first one ends the launch once the trace is full. In traced modules stores
/// as by `a[i] = v` count for this rule, too.
///
/// Not every breach is found: the history of a word is forgotten when another one needs its place. Each one that is
/// reported is real. Cost: a few ns an access; 7 MiB for each host thread that simulates.
#pragma once

#include <cstdint>
#include <vector>

#include "magpie/platform/access_trace.hpp"

MAGPIE_NAMESPACE_BEGIN

namespace simulator {

/// How a word is accessed.
using access = accessor;

/// What one launch did to which words.
class access_rules {
 public:
  /// The rules that an access breaks, or null: that of `ld_plain`, and one of the others.
  struct breach {
    const char* of_fixed = nullptr;
    const char* other = nullptr;
  };

  access_rules() : words_(table()), launch_(++launches()) {}

  /// All threads stand at a barrier of the grid.
  void begin_phase() { ++phase_; }

  /// Notes an access of `bytes` bytes by a warp.
  breach note(access how, const void* address, std::uint32_t bytes, std::uint32_t warp) {
    return each(address, bytes, [&](history& w) { return look(how, w, warp); });
  }

  /// Notes a store that is no accessor's. Gives the rule of `ld_plain` if it breaks that.
  const char* note_store(const void* address, std::uint32_t bytes) {
    return each(address, bytes,
                [](history& w) {
                  w.stored = true;
                  return breach{w.plainly_read ? stored_after_fixed : nullptr, nullptr};
                })
        .of_fixed;
  }

 private:
  static constexpr std::uintptr_t word_bytes = 4;
  static constexpr std::uint32_t place_bits = 16;
  static constexpr std::uint32_t nobody = ~0u;
  static constexpr std::uint32_t several = nobody - 1;

  struct history {
    std::uint32_t reader = nobody;  ///< the only warp, `several` or `nobody`
    std::uint32_t own_reader = nobody;
    std::uint32_t writer = nobody;
    std::uint32_t plain_writer = nobody;
    bool plainly_read = false;
    bool written = false;  ///< in an earlier phase
    bool stored = false;   ///< past all accessors

    void begin_phase() {
      written |= writer != nobody;
      reader = own_reader = writer = plain_writer = nobody;
    }
  };

  struct word {
    std::uintptr_t place = 0;
    std::uint64_t launch = 0;
    std::uint64_t phase = 0;
    bool in_bytes = false;      ///< an access was to a part of it
    history bytes[word_bytes];  ///< of each; else the first is that of all
  };

  static word* table() {
    thread_local std::vector<word> words(std::size_t{1} << place_bits);
    return words.data();
  }
  static std::uint64_t& launches() {
    thread_local std::uint64_t count = 0;
    return count;
  }

  word& of(std::uintptr_t place) {
    word& found = words_[place * 0x9e3779b97f4a7c15ull >> (64 - place_bits)];
    if (found.place != place || found.launch != launch_) {
      found.place = place;
      found.launch = launch_;
      found.in_bytes = false;
      found.bytes[0] = history();
      found.phase = phase_;
    } else if (found.phase != phase_) {
      for (history& each : found.bytes) each.begin_phase();
      found.phase = phase_;
    }
    return found;
  }

  static void add(std::uint32_t& who, std::uint32_t warp) { who = who == nobody || who == warp ? warp : several; }
  static bool another(std::uint32_t who, std::uint32_t warp) { return who != nobody && who != warp; }

  static constexpr const char* fixed_after_store = "ld_plain of a word that was written in this launch";
  static constexpr const char* stored_after_fixed = "store to a word that was read by ld_plain in this launch";

  /// What an access of these bytes breaks first: `look` is given what is known of each word, or of each of its bytes.
  template <class Look>
  breach each(const void* address, std::uint32_t bytes, Look&& look) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address), end = begin + bytes;
    breach found;
    for (std::uintptr_t place = begin / word_bytes; place * word_bytes < end; ++place) {
      const std::uintptr_t from = place * word_bytes;
      std::uintptr_t first = begin > from ? begin - from : 0;
      std::uintptr_t last = end < from + word_bytes ? end - from : word_bytes;
      word& w = of(place);
      if (!w.in_bytes && last - first == word_bytes) {
        last = first + 1;  // the first byte's is that of all
      } else if (!w.in_bytes) {
        for (std::uintptr_t i = 1; i < word_bytes; ++i) w.bytes[i] = w.bytes[0];
        w.in_bytes = true;
      }
      for (; first < last; ++first) {
        const breach one = look(w.bytes[first]);
        if (found.of_fixed == nullptr) found.of_fixed = one.of_fixed;
        if (found.other == nullptr) found.other = one.other;
      }
    }
    return found;
  }

  static breach look(access how, history& w, std::uint32_t warp) {
    switch (how) {
      case access::ld_plain:
        w.plainly_read = true;
        add(w.reader, warp);
        return {w.writer != nobody || w.written || w.stored ? fixed_after_store : nullptr, nullptr};
      case access::ld_own:
        add(w.own_reader, warp);
        add(w.reader, warp);
        return {nullptr, another(w.writer, warp) ? "ld_own of a word that another warp wrote in this launch" : nullptr};
      case access::load:
        add(w.reader, warp);
        return {nullptr, another(w.plain_writer, warp)
                             ? "load of a word that another warp wrote by st_plain in this launch"
                             : nullptr};
      case access::st_plain: {
        const bool raced = another(w.reader, warp) || another(w.writer, warp);
        add(w.plain_writer, warp);
        add(w.writer, warp);
        return {w.plainly_read ? "st_plain to a word that was read by ld_plain in this launch" : nullptr,
                raced ? "st_plain to a word that another warp accessed in this launch" : nullptr};
      }
      case access::store:
      case access::update: {
        add(w.writer, warp);
        const char* const fixed = w.plainly_read ? stored_after_fixed : nullptr;
        if (another(w.own_reader, warp)) {
          return {fixed, "store to a word that another warp read by ld_own in this launch"};
        }
        return {fixed, another(w.plain_writer, warp)
                           ? "store to a word that another warp wrote by st_plain in this launch"
                           : nullptr};
      }
    }
    return {};
  }

  word* const words_;
  const std::uint64_t launch_;
  std::uint64_t phase_ = 0;
};

}  // namespace simulator

MAGPIE_NAMESPACE_END
