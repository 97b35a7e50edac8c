/// @file
/// A kernel whose arrays could change places, for the facade's tests.
#include "magpie/kernel.cuh"

struct alignas(8) two_words {
  std::uint32_t low, high;
};

struct ends {
  magpie::array<std::uint32_t> first;
  magpie::array<std::uint32_t> last;
};

/// Writes to each array that is not const the number of the field.
struct write_all {
  magpie::array<std::uint32_t> parent;
  magpie::array<std::int32_t> label;
  magpie::array<const std::int32_t> given;
  std::int32_t* flag;
  magpie::matrix<std::int32_t> table;
  magpie::array<float> weight;
  magpie::array<two_words> pairs;
  ends edge;
  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    if (self.rank() != 0) return;
    magpie::st_plain(&parent[0], 1u);
    magpie::st_plain(&label[0], 2);
    magpie::st_plain(flag, 4);
    magpie::st_plain(&table(0, 0), 5);
    magpie::st_plain(&weight[0], 6.f);
    magpie::st_plain(&pairs[0].high, 7u);
    magpie::st_plain(&edge.first[0], 8u);
    magpie::st_plain(&edge.last[0], 9u);
  }
};
MAGPIE_KERNEL(write_all)
