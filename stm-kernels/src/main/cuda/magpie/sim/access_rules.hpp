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
/// Data of 1 or 2 bytes are told apart within a word. By warp and not by thread, since `sync_warp` orders what lanes leave for each other: such races are not seen.
///
/// What `ld_plain` reads of traced memory (access_trace.hpp) is left to the host, which sees stores as by `a[i] = v` too and
/// tells who made them; but not over weak memory and in a search of states, where it does not look, and not once the trace
/// is full.
///
/// Not every breach is found: the history of a word is forgotten when another one needs its place. Each one that is
/// reported is real. Cost: a few ns an access; 7 MiB for each host thread that simulates.
#pragma once

#include <cstdint>
#include <memory>

MAGPIE_NAMESPACE_BEGIN

namespace simulator {

/// How a word is accessed.
enum class access : std::uint8_t { ld_plain, ld_own, st_plain, load, store, update };

inline bool is_plain(access how) { return how == access::ld_plain || how == access::ld_own || how == access::st_plain; }

/// What one launch did to which words.
class access_rules {
 public:
  access_rules() : words_(table()), launch_(++launches()) {}

  /// Notes an access of `bytes` bytes by a warp. Gives the rule that it breaks, or null.
  const char* note(access how, const void* address, std::uint32_t bytes, std::uint32_t warp) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address), end = begin + bytes;
    const char* broken = nullptr;
    for (std::uintptr_t place = begin / word_bytes; place * word_bytes < end && broken == nullptr; ++place) {
      const std::uintptr_t from = place * word_bytes;
      broken = look(how, of(place), begin > from ? begin - from : 0, end < from + word_bytes ? end - from : word_bytes,
                    warp);
    }
    return broken;
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
  };

  struct word {
    std::uintptr_t place = 0;
    std::uint64_t launch = 0;
    bool in_bytes = false;      ///< an access was to a part of it
    history bytes[word_bytes];  ///< of each; else the first is that of all
  };

  static word* table() {
    thread_local const std::unique_ptr<word[]> words(new word[std::size_t{1} << place_bits]);
    return words.get();
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
    }
    return found;
  }

  static void add(std::uint32_t& who, std::uint32_t warp) { who = who == nobody || who == warp ? warp : several; }
  static bool another(std::uint32_t who, std::uint32_t warp) { return who != nobody && who != warp; }

  /// An access to bytes `first` to `last - 1` of a word.
  static const char* look(access how, word& w, std::uintptr_t first, std::uintptr_t last, std::uint32_t warp) {
    if (!w.in_bytes) {
      if (last - first == word_bytes) return look(how, w.bytes[0], warp);
      for (std::uintptr_t i = 1; i < word_bytes; ++i) w.bytes[i] = w.bytes[0];
      w.in_bytes = true;
    }
    const char* broken = nullptr;
    for (; first < last && broken == nullptr; ++first) broken = look(how, w.bytes[first], warp);
    return broken;
  }

  static const char* look(access how, history& w, std::uint32_t warp) {
    switch (how) {
      case access::ld_plain:
        w.plainly_read = true;
        add(w.reader, warp);
        return w.writer != nobody ? "ld_plain of a word that was written in this launch" : nullptr;
      case access::ld_own:
        add(w.own_reader, warp);
        add(w.reader, warp);
        return another(w.writer, warp) ? "ld_own of a word that another warp wrote in this launch" : nullptr;
      case access::load:
        add(w.reader, warp);
        return another(w.plain_writer, warp) ? "load of a word that another warp wrote by st_plain in this launch"
                                             : nullptr;
      case access::st_plain: {
        const bool raced = another(w.reader, warp) || another(w.writer, warp);
        add(w.plain_writer, warp);
        add(w.writer, warp);
        if (w.plainly_read) return "st_plain to a word that was read by ld_plain in this launch";
        return raced ? "st_plain to a word that another warp accessed in this launch" : nullptr;
      }
      case access::store:
      case access::update: {
        add(w.writer, warp);
        if (w.plainly_read) return "store to a word that was read by ld_plain in this launch";
        if (another(w.own_reader, warp)) return "store to a word that another warp read by ld_own in this launch";
        return another(w.plain_writer, warp) ? "store to a word that another warp wrote by st_plain in this launch"
                                             : nullptr;
      }
    }
    return nullptr;
  }

  word* const words_;
  const std::uint64_t launch_;
};

}  // namespace simulator

MAGPIE_NAMESPACE_END
