/// @file
/// The benchmark `labyrinth`: wires are laid on a grid in layers, each along a shortest way that is free (Lee: An algorithm for
/// path connections and its applications, IRE Transactions on Electronic Computers EC-10(3), 1961). Transactions are long: each
/// looks at much of the grid by hints, and claims the cells of its way.
#define MAGPIE_ALL_POLICIES  // hand_off and priority_rule; others are compiled when they are asked for

#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// What an item connects: two cells.
struct pair_of_cells {
  std::uint32_t from, to;
};

/// Item i lays wire i + 1. A cell that has a wire keeps it.
struct route {
  magpie::stm::guarded<std::uint32_t> grid;  // of each cell: 0, or its wire
  std::uint32_t width;                       // cells of a row
  std::uint32_t height;                      // rows of a layer
  magpie::array<const pair_of_cells> pairs;
  // Of each item and cell, for the search: the cell's distance from the beginning, counted from 1; 0 before and after it.
  magpie::array<std::uint32_t> steps;
  magpie::array<std::uint32_t> cells;  // of each item: a queue with room for every cell; then the way
  magpie::array<std::uint32_t> laid;   // of each item: cells of its wire; 0 if there is no way

  static constexpr std::uint32_t max_objects = 128, max_writes = 1;
  static constexpr bool order_dependent = true;  // each wire takes a way that hints found free
  static constexpr unsigned block_size = 32;
  static constexpr std::uint32_t directions = 6;
  static constexpr std::uint32_t none = ~0u;
  static constexpr std::uint32_t on_way = 1u << 31;

  struct state {
    std::uint32_t length;  // of the way, in cells
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    const pair_of_cells ends = pairs[item];
    const std::uint32_t reached = spread(tx, item, ends);
    s.length = 0;
    if (step(item, ends.to) == 0) {
      const outcome result = enclosed(tx, item, ends, reached);
      for (std::uint32_t i = 0; i < reached; ++i) step(item, cell(item, i)) = 0;
      forget_from(item, 0);
      return result;
    }
    s.length = go_back(item, ends, reached);
    // What was a hint is looked at again under claims: is the way still free?
    for (std::uint32_t i = 0; i < s.length; ++i) {
      if (MAGPIE_TRY(tx.get(grid, cell(item, i))) != 0) return outcome::retry;
    }
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    for (std::uint32_t i = 0; i < s.length; ++i) tx.store(grid, cell(item, i), item + 1);
    magpie::st_plain(&laid[item], s.length);
  }

 private:
  MAGPIE_INLINE std::uint32_t& step(std::uint32_t item, std::uint32_t at) const {
    return steps[std::uint64_t{item} * grid.size() + at];
  }
  MAGPIE_INLINE std::uint32_t& cell(std::uint32_t item, std::uint32_t i) const {
    return cells[std::uint64_t{item} * grid.size() + i];
  }
  /// Clears the queue from a place on: an item leaves the same there whatever it has searched.
  MAGPIE_INLINE void forget_from(std::uint32_t item, std::uint32_t first) const {
    for (std::uint32_t i = first; i < grid.size(); ++i) cell(item, i) = 0;
  }

  /// The cell next to another one; `none` beyond the edge.
  MAGPIE_INLINE std::uint32_t beside(std::uint32_t at, std::uint32_t direction) const {
    const auto size = static_cast<std::uint32_t>(grid.size());
    const std::uint32_t layer = width * height;
    switch (direction) {
      case 0: return at % width + 1 < width ? at + 1 : none;
      case 1: return at % width > 0 ? at - 1 : none;
      case 2: return at % layer + width < layer ? at + width : none;
      case 3: return at % layer >= width ? at - width : none;
      case 4: return size - at > layer ? at + layer : none;
      default: return at >= layer ? at - layer : none;
    }
  }

  /// Numbers the free cells by their distance from the beginning until the end is reached, by hints; leaves them in the queue,
  /// and gives how many.
  template <class Tx>
  MAGPIE_INLINE std::uint32_t spread(Tx& tx, std::uint32_t item, const pair_of_cells& ends) const {
    for (std::uint32_t at = 0; at < grid.size(); ++at) step(item, at) = 0;
    if (tx.glance(grid, ends.from) != 0 || tx.glance(grid, ends.to) != 0) return 0;
    std::uint32_t last = 0;
    step(item, ends.from) = 1;
    cell(item, last++) = ends.from;
    for (std::uint32_t next = 0; next < last && step(item, ends.to) == 0; ++next) {
      const std::uint32_t here = cell(item, next);
      for (std::uint32_t direction = 0; direction < directions; ++direction) {
        const std::uint32_t there = beside(here, direction);
        if (there == none || step(item, there) != 0 || tx.glance(grid, there) != 0) continue;
        step(item, there) = step(item, here) + 1;
        cell(item, last++) = there;
      }
    }
    return last;
  }

  /// Leaves only the way in the queue, from its beginning to its end; gives its length.
  MAGPIE_INLINE std::uint32_t go_back(std::uint32_t item, const pair_of_cells& ends, std::uint32_t reached) const {
    std::uint32_t here = ends.to;
    for (std::uint32_t at = step(item, here); at > 1; --at) {
      step(item, here) = on_way;
      for (std::uint32_t direction = 0; direction < directions; ++direction) {
        const std::uint32_t there = beside(here, direction);
        if (there != none && step(item, there) == at - 1) {
          here = there;
          break;
        }
      }
    }
    step(item, here) = on_way;
    std::uint32_t length = 0;
    for (std::uint32_t i = 0; i < reached; ++i) {
      const std::uint32_t there = cell(item, i);
      const bool kept = step(item, there) == on_way;
      step(item, there) = 0;
      if (kept) cell(item, length++) = there;
    }
    forget_from(item, length);
    return length;
  }

  /// Commits to that there is no way, if the hints that said so hold under claims: one of the ends has a wire, or there are wires
  /// all around the cells that were reached.
  template <class Tx>
  MAGPIE_INLINE outcome enclosed(Tx& tx, std::uint32_t item, const pair_of_cells& ends, std::uint32_t reached) const {
    if (reached == 0) {
      const bool from = MAGPIE_TRY(tx.get(grid, ends.from)) != 0;
      return from || MAGPIE_TRY(tx.get(grid, ends.to)) != 0 ? outcome::commit : outcome::retry;
    }
    for (std::uint32_t i = 0; i < reached; ++i) {
      for (std::uint32_t direction = 0; direction < directions; ++direction) {
        const std::uint32_t there = beside(cell(item, i), direction);
        if (there == none || step(item, there) != 0) continue;
        if (MAGPIE_TRY(tx.get(grid, there)) == 0) return outcome::retry;
      }
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(route)
