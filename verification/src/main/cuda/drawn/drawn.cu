/// @file
/// The module `drawn`: a load of any size on objects drawn at random.
///
/// Layer: verification; see program/program.cuh for the words of an object. It always records.
/// `-DMAGPIE_DRAWN_READS=unvalidated` builds it with unvalidated reads.
#define MAGPIE_RECORD
#define MAGPIE_ALL_POLICIES  // each is checked
#include "../program/program.cuh"

#if !defined(MAGPIE_DRAWN_READS)
#define MAGPIE_DRAWN_READS validated
#endif

namespace program {

/// A load of any size: each item accesses `accesses` objects drawn at random from all, reads each, and writes those whose
/// draw is below `writes` of 256; in the end `cancels` of 256 cancel, by what they read. Draws are a function of seed, item
/// and position.
struct drawn {
  magpie::stm::objects objects;
  array<u64> left;
  array<u64> right;
  u32 words;
  u32 accesses;  ///< at most max_objects
  u32 writes;
  u32 cancels;
  u64 seed;
  array<u32> torn;  ///< one word: becomes 1 if any attempt saw an object's two words differ

  static constexpr u32 max_objects = 8;
  static constexpr u32 max_writes = 16;
  static constexpr magpie::stm::reads reads = magpie::stm::reads::MAGPIE_DRAWN_READS;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, u32 item) const {
    const store data{objects, left, right, words};
    u64 acc = item;
    bool saw_torn = false;
    for (u32 k = 0; k < accesses; ++k) {
      const u64 draw = mix(seed + item, k);
      const u32 o = static_cast<u32>((draw >> 32) * objects.count >> 32);
      const auto opened = tx.open(objects, o);
      if (!opened || !data.read(tx, opened, o, acc, saw_torn)) return outcome::retry;
      if ((draw & 0xffu) < writes && !data.write(tx, opened, o, acc)) return outcome::retry;
    }
    if (saw_torn) magpie::st_rlx_dev(&torn[0], 1u);
    return (mix(acc, seed) & 0xffu) < cancels ? outcome::cancel : outcome::commit;
  }
};
MAGPIE_REGION(drawn)

}  // namespace program
