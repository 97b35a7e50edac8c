/// @file
/// Transactions whose accesses are data: an interpreter of small programs.
///
/// Layer: verification. Random programs are run under every policy and machine; their histories are checked, and their
/// results compared with a serial interpreter on the host, which shares no code with this one.
///
/// An object has one or two words, `left[o]` and, where `words` is 2, `right[o]`; every write makes both equal, so a reader
/// that finds them different has seen a mix of two states.
#pragma once

#include "magpie/stm.cuh"

namespace program {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using magpie::array;
using magpie::stm::outcome;

/// Finalizer of splitmix64 (Steele, Lea, Flood, OOPSLA 2014), over both arguments.
MAGPIE_HOST_DEVICE constexpr u64 mix(u64 a, u64 b) {
  u64 z = a * 0x9e3779b97f4a7c15ull + b + 0x632be59bd9b4e019ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// What an instruction does; see TransactionProgram.java for the same table.
enum class op : u32 {
  open,       ///< claims the object
  read,       ///< acc = mix(acc, object)
  read_at,    ///< as read, of object acc mod the number of objects
  write,      ///< object = mix(acc, argument)
  write_at,   ///< as write, of object acc mod the number of objects
  cancel_if,  ///< cancels the item if acc mod 16 < argument
  open_each,  ///< claims argument / 2 objects at once: `object` and those behind it, or if argument is odd before it
  inner,      ///< the next `object` instructions are an inner transaction of at most `argument` attempts
};

/// The words of the objects, and the accesses to them.
struct store {
  magpie::stm::objects objects;
  array<u64> left;
  array<u64> right;
  u32 words;

  /// False if the attempt failed. `torn` becomes true if the object's words differ.
  template <class Tx>
  MAGPIE_INLINE bool read(Tx& tx, magpie::stm::handle h, u32 o, u64& acc, bool& torn) const {
    u64 a = 0;
    if (!tx.read(h, &left[o], a)) return false;
    if (words == 2) {
      u64 b = 0;
      if (!tx.read(h, &right[o], b)) return false;
      torn = torn || a != b;
    }
    acc = mix(acc, a);
    return true;
  }

  template <class Tx>
  MAGPIE_INLINE bool write(Tx& tx, magpie::stm::handle h, u32 o, u64 value) const {
    return tx.write(h, &left[o], value) && (words != 2 || tx.write(h, &right[o], value));
  }
};

/// Runs a program for each item: instructions starts[item] to starts[item + 1] of `code`, two words each: op | argument << 8,
/// object. The accumulator begins as the item.
///
/// Out: `results[item]` the accumulator of the last attempt, which is that of the commit or cancel; `torn[item]` 1 if any
/// attempt saw an object's two words differ.
template <magpie::stm::reads Reads>
struct interpreted_region {
  magpie::stm::objects objects;
  array<u64> left;
  array<u64> right;
  u32 words;
  array<const u32> starts;
  array<const u32> code;
  array<u64> results;
  array<u32> torn;

  static constexpr u32 max_objects = 4;
  static constexpr u32 max_writes = 4;
  static constexpr magpie::stm::reads reads = Reads;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, u32 item) const {
    u64 acc = item;
    bool saw_torn = false;
    const outcome result =
        run<true>(tx, magpie::ld_plain(&starts[item]), magpie::ld_plain(&starts[item + 1]), acc, saw_torn);
    magpie::st_rlx_dev(&results[item], acc);
    if (saw_torn) magpie::st_rlx_dev(&torn[item], 1u);
    return result;
  }

 private:
  template <bool Outer, class Tx>
  MAGPIE_INLINE outcome run(Tx& tx, u32 pc, u32 end, u64& acc, bool& saw_torn) const {
    const store data{objects, left, right, words};
    for (; pc < end; ++pc) {
      const u32 head = magpie::ld_plain(&code[2 * u64{pc}]);
      const u32 named = magpie::ld_plain(&code[2 * u64{pc} + 1]);
      const u32 argument = head >> 8;
      const auto kind = static_cast<op>(head & 0xffu);
      // What follows is in the code once for each place where it is called, and takes minutes to compile: so there are few.
      magpie::stm::handle opened;
      const bool computed = kind == op::read_at || kind == op::write_at;
      const u32 o = computed ? static_cast<u32>(acc % objects.count) : named;
      if (kind <= op::write_at) {
        opened = tx.open(objects, o);
        if (!opened) return outcome::retry;
      }
      switch (kind) {
        case op::open: break;
        case op::read:
        case op::read_at:
          if (!data.read(tx, opened, o, acc, saw_torn)) return outcome::retry;
          break;
        case op::write:
        case op::write_at:
          if (!data.write(tx, opened, o, mix(acc, argument))) return outcome::retry;
          break;
        case op::cancel_if:
          if (acc % 16 < argument) return outcome::cancel;
          break;
        case op::open_each:
          if (!tx.open_each(objects, argument / 2, [&](u32 i) { return argument % 2 == 0 ? named + i : named - i; })) {
            return outcome::retry;
          }
          break;
        case op::inner:
          if constexpr (Outer) {
            const u64 before = acc;
            const outcome within = tx.inner(argument, [&](Tx& in) {
              acc = before;
              return run<false>(in, pc + 1, pc + 1 + named, acc, saw_torn);
            });
            if (within != outcome::commit) return within;
            pc += named;
          }
          break;
      }
    }
    return outcome::commit;
  }
};
using interpreted = interpreted_region<magpie::stm::reads::validated>;
using interpreted_unvalidated = interpreted_region<magpie::stm::reads::unvalidated>;

}  // namespace program
