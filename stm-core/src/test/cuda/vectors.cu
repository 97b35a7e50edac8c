// Kernels of the facade's own tests: every kind of field, warps, faults.
#include "magpie/kernel.cuh"

// y[i] += factor * x[i], and counts the items done.
struct scaled_sum {
  std::uint32_t n;
  std::int32_t factor;
  magpie::array<const std::int32_t> x;
  magpie::array<std::int32_t> y;
  std::uint64_t* done;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (std::uint32_t i : self.items(n)) {
      magpie::st_plain(&y[i], magpie::ld_own(&y[i]) + factor * magpie::ld_plain(&x[i]));
      magpie::red_add_rlx_dev(done, std::uint64_t{1});
    }
  }
};
MAGPIE_KERNEL(scaled_sum)

// Stores each scalar where the host can see its bits.
struct every_kind {
  std::int32_t a;
  std::uint32_t b;
  std::int64_t c;
  std::uint64_t d;
  float e;
  double f;
  magpie::array<std::uint64_t> words;
  magpie::array<float> floats;
  magpie::array<double> doubles;
  const std::uint32_t* nothing;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    if (self.rank() != 0) return;
    magpie::st_plain(&words[0], static_cast<std::uint64_t>(static_cast<std::int64_t>(a)));
    magpie::st_plain(&words[1], std::uint64_t{b});
    magpie::st_plain(&words[2], static_cast<std::uint64_t>(c));
    magpie::st_plain(&words[3], d);
    magpie::st_plain(&words[4], words.size());
    magpie::st_plain(&words[5], std::uint64_t{nothing == nullptr});
    magpie::st_plain(&floats[0], e);
    magpie::st_plain(&doubles[0], f);
  }
};
MAGPIE_KERNEL(every_kind)

struct alignas(16) pair_of_longs {
  std::int64_t key, value;
};

// Swaps key and value of each struct.
struct swap_pairs {
  magpie::array<pair_of_longs> pairs;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (std::uint64_t i : self.items(pairs.size())) {
      const std::int64_t key = magpie::ld_own(&pairs[i].key);
      magpie::st_plain(&pairs[i].key, magpie::ld_own(&pairs[i].value));
      magpie::st_plain(&pairs[i].value, key);
    }
  }
};
MAGPIE_KERNEL(swap_pairs)

// The warp's width and the sum of its lanes' numbers, by the first thread.
struct warp_facts {
  magpie::array<std::uint32_t> facts;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    const std::uint32_t sum = self.reduce_add(self.lane());
    if (self.rank() == 0) {
      magpie::st_plain(&facts[0], static_cast<std::uint32_t>(self.width()));
      magpie::st_plain(&facts[1], sum);
      magpie::st_plain(&facts[2], self.size());
    }
  }
};
MAGPIE_KERNEL(warp_facts)

// Writes at an index that the host chooses.
struct write_at {
  std::uint64_t index;
  magpie::array<std::uint32_t> target;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    if (self.rank() == 0) magpie::st_plain(&target[index], 1u);
  }
};
MAGPIE_KERNEL(write_at)

// Writes through an address that no device has.
struct write_nowhere {
  std::uint64_t address;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    if (self.rank() == 0) magpie::st_plain(reinterpret_cast<std::uint32_t*>(address), 1u);
  }
};
MAGPIE_KERNEL(write_nowhere)

// What structs within structs hold, between two fields of the functor's own.
struct corner {
  std::uint32_t row;
  std::uint32_t column;
};
struct box {
  corner from;
  corner to;
  std::uint32_t height;
};
constexpr std::uint32_t box_words = sizeof(box) / 4;
MAGPIE_CONSTANT(box_words)
struct unpack_box {
  std::uint32_t first;
  box in;
  magpie::array<std::uint32_t> out;
  std::uint32_t last;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    if (self.rank() != 0) return;
    const std::uint32_t words[] = {first, in.from.row, in.from.column, in.to.row, in.to.column, in.height, last};
    for (std::uint32_t i = 0; i < box_words + 2; ++i) magpie::st_plain(&out[i], words[i]);
  }
};
MAGPIE_KERNEL(unpack_box)
