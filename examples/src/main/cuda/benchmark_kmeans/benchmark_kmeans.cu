/// @file
/// The benchmark `kmeans`: each point joins the cluster whose center is nearest, and adds its coordinates to the cluster's
/// sums. By transactions, and lock-free. Coordinates are whole numbers, so that sums do not depend on the order.
#define MAGPIE_ALL_POLICIES  // hand_off and priority_rule; others are compiled when they are asked for

#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Points, and the centers that do not move while points join them.
struct plane {
  magpie::array<const std::uint32_t> points;   // row after row; coordinates below 2^16
  magpie::array<const std::uint32_t> centers;  // the same
  std::uint32_t dimensions;
  std::uint32_t clusters;

  MAGPIE_INLINE std::uint32_t coordinate(std::uint32_t point, std::uint32_t d) const {
    return magpie::ld_plain(&points[std::uint64_t{point} * dimensions + d]);
  }

  /// The cluster whose center is nearest; the first of several.
  MAGPIE_INLINE std::uint32_t nearest(std::uint32_t point) const {
    std::uint32_t best = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (std::uint32_t c = 0; c < clusters; ++c) {
      std::uint64_t squares = 0;
      for (std::uint32_t d = 0; d < dimensions; ++d) {
        const std::int64_t apart = std::int64_t{coordinate(point, d)} -
                                   std::int64_t{magpie::ld_plain(&centers[std::uint64_t{c} * dimensions + d])};
        squares += static_cast<std::uint64_t>(apart * apart);
      }
      if (squares < least) {
        least = squares;
        best = c;
      }
    }
    return best;
  }
};

/// Item i is point i.
struct join_cluster {
  magpie::stm::guarded_matrix<std::uint64_t> sums;  // of each cluster: the coordinates of its points, then their number
  plane all;
  magpie::array<std::uint32_t> cluster;  // of each point

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  struct state {
    std::uint32_t joined;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.joined = all.nearest(item);
    MAGPIE_TRY(tx.open(sums.row(s.joined), 0));
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    const auto row = sums.row(s.joined);
    for (std::uint32_t d = 0; d < all.dimensions; ++d) {
      tx.store(row, d, tx.load(row, d) + all.coordinate(item, d));
    }
    tx.store(row, all.dimensions, tx.load(row, all.dimensions) + 1);
    magpie::st_plain(&cluster[item], s.joined);
  }
};
MAGPIE_REGION(join_cluster)

/// The same by an addition for each coordinate: nobody looks at the sums before the end.
struct join_cluster_lock_free {
  magpie::matrix<std::uint64_t> sums;
  plane all;
  magpie::array<std::uint32_t> cluster;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (const std::uint32_t item : self.items(static_cast<std::uint32_t>(cluster.size()))) {
      const std::uint32_t joined = all.nearest(item);
      for (std::uint32_t d = 0; d < all.dimensions; ++d) {
        magpie::red_add_rlx_dev(&sums(joined, d), std::uint64_t{all.coordinate(item, d)});
      }
      magpie::red_add_rlx_dev(&sums(joined, all.dimensions), std::uint64_t{1});
      magpie::st_plain(&cluster[item], joined);
    }
  }
};
MAGPIE_KERNEL(join_cluster_lock_free)
