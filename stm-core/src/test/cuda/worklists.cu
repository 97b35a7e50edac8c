// Kernels that take items from worklists and push others, and that sort items into priority bins.
#include "magpie/kernel.cuh"
#include "magpie/parallel/priority_bins.cuh"
#include "magpie/parallel/worklist.cuh"

using u32 = std::uint32_t;

// How items are taken and pushed.
enum way : u32 { stride, stride_and_write, pop, pop_warp };
MAGPIE_CONSTANT(stride)
MAGPIE_CONSTANT(stride_and_write)
MAGPIE_CONSTANT(pop)
MAGPIE_CONSTANT(pop_warp)

// Pushes the successors of each item: targets[offsets[item]] to targets[offsets[item + 1] - 1].
struct expand {
  u32 by;
  u32 positions;
  magpie::array<const u32> offsets;
  magpie::array<const u32> targets;
  magpie::worklist in;
  magpie::worklist out;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    u32 item = 0;
    if (by == pop) {
      while (in.pop(self, item)) push_all(item, [&](u32 next) { out.push(self, next); });
    } else if (by == pop_warp) {
      for (u32 lanes; (lanes = in.pop_warp(self, item)) != 0;) {
        if (self.lane() < lanes) push_all(item, [&](u32 next) { out.push(self, next); });
      }
    } else if (by == stride_and_write) {
      magpie::worklist_writer writer(out);
      for (u32 i : self.items(positions)) {
        if (in.item(i, item)) push_all(item, [&](u32 next) { writer.push(self, next); });
      }
      writer.flush();
    } else {
      for (u32 i : self.items(positions)) {
        if (in.item(i, item)) push_all(item, [&](u32 next) { out.push(self, next); });
      }
    }
  }

 private:
  template <class Push>
  MAGPIE_DEVICE void push_all(u32 item, Push&& push) const {
    const u32 last = magpie::ld_plain(&offsets[item + 1]);
    for (u32 a = magpie::ld_plain(&offsets[item]); a < last; ++a) push(magpie::ld_plain(&targets[a]));
  }
};
MAGPIE_KERNEL(expand)

// Marks the positions whose item is a multiple of something, and puts down what is to be pushed in its place.
struct mark_multiples {
  u32 positions;
  u32 of;
  magpie::worklist in;
  magpie::array<u32> marks;
  magpie::array<u32> instead;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (u32 i : self.items(positions)) {
      u32 item = 1;
      const bool marked = in.item(i, item) && item % of == 0;
      magpie::st_plain(&marks[i], marked ? item + 1 : 0u);
      magpie::st_plain(&instead[i], item / of);
    }
  }
};
MAGPIE_KERNEL(mark_multiples)

MAGPIE_PRIORITY_BINS

// An item's class is its key.
struct count_keys {
  magpie::class_counting bins;
  magpie::array<const u32> keys;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    bins.run(self, [&](u32 item) { return magpie::ld_plain(&keys[item]); });
  }
};
MAGPIE_KERNEL(count_keys)

struct sort_keys {
  magpie::bin_sorting bins;
  magpie::array<const u32> keys;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    bins.run(self, [&](u32 item) { return magpie::ld_plain(&keys[item]); });
  }
};
MAGPIE_KERNEL(sort_keys)
