/// @file
/// The module `mesh_phases`: refinement without transactions as published, with its optimizations as choices.
///
/// Layer: algorithm. A module of its own, so that `mesh` stays small: nobody loads it who does not ask for these variants.
///
/// Three phases, a launch each, after Nasre, Burtscher and Pingali, "Morph Algorithms on GPUs" (2013, section 7.3): `race`,
/// all items of a slice at once store their marks into the triangles of their cavities and those around them; `outrank`
/// (prioritycheck), an item that finds a lower mark puts its own back, and one that finds a higher mark backs off; `settle`
/// (check), cavities that have all their marks are filled. No mark is set atomically. The end of a launch is the barrier
/// between phases. Both directions of priority are published: a mark is `flip ^ index`, the larger one wins.
///
/// Two cavities that are filled share no triangle, not even around them, as a triangle has one mark and the last phase
/// writes none. What is not certain is progress. Where only two cavities overlap the higher one gets back whatever the
/// other one took, and wins. Where three do, all can lose: a, lower than b, reads a mark still lower than both and is
/// overtaken; b stores its mark; a stores its own over it, and loses another triangle to c. That takes stores in flight at
/// the same time on one triangle, and everybody loses only in small rounds: on the simulator one in 25 over meshes of a
/// dozen points. One of the items that lost, `loser`, is then run alone, which always succeeds; without this the same
/// items can take each other's marks forever, as no rule of the three phases keeps them from it.
///
/// Two stages, after Kumar and Vadhiyar: what loses the three phases is tried again at once, with marks set by an atomic
/// maximum, so that of cavities that overlap the highest wins, until none is left. A cavity whose triangles are as they
/// were is used again; else `recheck` looks for it again, or drops the item if its triangle is gone or mended. Their text
/// leaves open how damage is seen where slots are recycled: here a triangle's mark names the item that wrote it last, and
/// if that item filled its cavity, the triangle has changed. Their cavities include the triangles around, so these count
/// as well. Their listing lets a cavity that met a higher mark go on marking; here it backs off, as in the other paper.
///
/// What the papers do in one kernel with a barrier between phases is several launches here: on processors the threads of
/// a launch run one after the other, and no barrier can wait for those that have not begun.
#include "mesh/marks.cuh"
#include "mesh/single.cuh"

namespace magpie::mesh {

/// Consecutive items of a slice that one thread works on, one after the other, with a list of its own for what it pushes.
inline constexpr u32 run = 8;
MAGPIE_CONSTANT(run)
/// Items that are sorted among themselves.
inline constexpr u32 tile = 1024;

/// Further counters, behind those of `tally`.
namespace tally {
inline constexpr u32 items = 13;   ///< items that a slice had
inline constexpr u32 robbed = 14;  ///< of those that lost: a mark was gone, though none was higher
inline constexpr u32 loser = 15;   ///< no counter: one of the items that lost
inline constexpr u32 fresh = 16;   ///< triangles left to be judged
}  // namespace tally
MAGPIE_CONSTANT(tally::items)
MAGPIE_CONSTANT(tally::robbed)
MAGPIE_CONSTANT(tally::loser)
MAGPIE_CONSTANT(tally::fresh)

/// What a slice's kernels need beyond it.
struct phase {
  slice part;
  u32 flip;  ///< 0: of two items the later one wins; 2^bits - 1: the earlier one
  u32 runs;  ///< 1: threads take `run` consecutive items each

  MAGPIE_INLINE u32 mark(u32 i) const { return part.mark(i ^ flip); }
  /// The item that wrote a mark of this epoch.
  MAGPIE_INLINE u32 owner(u32 mark) const { return (mark & ((1u << part.bits) - 1u)) ^ flip; }

  /// Calls work(i, r) for this thread's items: r, the number of their run.
  template <class Work>
  MAGPIE_INLINE void each(const thread& self, Work&& work) const {
    if (runs == 0) {
      for (u32 i : self.items(part.count)) work(i, 0);
      return;
    }
    for (u32 r : self.items((part.count + run - 1) / run)) {
      for (u32 k = 0; k < run && r * run + k < part.count; ++k) work(r * run + k, r);
    }
  }
};

/// What needs work at slot t, an edge first: the item of a thread that is bound to a slot.
struct slots {
  mesh_arguments mesh;
  MAGPIE_INLINE u32 operator()(u32 t) const {
    const still_access still{mesh.arrays()};
    const record r = still.triangle(t);
    if ((r.flags & live) == 0) return none;
    for (u32 k = 0; k < 3; ++k) {
      if ((r.flags & fixed_bit(k)) == 0 || is_kept(r.link[k], mesh.asked)) continue;
      if (encroaches(still.vertex(pick(r.corner, k)), still.vertex(pick(r.corner, after(k))),
                     still.vertex(pick(r.corner, before(k))))) {
        return link_of(t, k);
      }
    }
    return (r.flags & bad) != 0 ? link_of(t, whole) : none;
  }
};

/// An item of a list.
struct listed {
  array<u32> list;
  MAGPIE_INLINE u32 operator()(u32 i) const { return ld_plain(&list[i]); }
};

/// Writes the items of a slice, `none` where there is none, and counts them. `Sorted`: in each tile triangles come first,
/// edges last and holes between, so that the lanes of a warp do the same.
template <class Source, bool Sorted>
struct gather {
  u32 count;
  u32 first;
  array<u32> items;
  array<u32> tallies;
  Source source;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if constexpr (!Sorted) {
      for (u32 i : self.items(count)) {
        const u32 item = source(first + i);
        if (item != none) append(self, &tallies[tally::items]);
        st_plain(&items[i], item);
      }
    } else {
      const u32 below = (1u << self.lane()) - 1u;
      for (u32 t = self.rank() / self.width(); t * tile < count; t += self.size() / self.width()) {
        const u32 end = count - t * tile < tile ? count : (t + 1) * tile;
        u32 front = t * tile;
        u32 back = end;
        for (u32 base = t * tile; base < end; base += self.width()) {
          const u32 i = base + self.lane();
          const u32 item = i < end ? source(first + i) : none;
          const u32 triangles = self.ballot(item != none && edge_of(item) == whole);
          const u32 edges = self.ballot(item != none && edge_of(item) != whole);
          if ((triangles >> self.lane() & 1u) != 0) st_plain(&items[front + popcount(triangles & below)], item);
          if ((edges >> self.lane() & 1u) != 0) st_plain(&items[back - 1 - popcount(edges & below)], item);
          front += popcount(triangles);
          back -= popcount(edges);
        }
        for (u32 i = front + self.lane(); i < back; i += self.width()) st_plain(&items[i], none);
        if (self.lane() == 0) red_add_rlx_dev(&tallies[tally::items], end - t * tile - (back - front));
      }
    }
  }
};
using gather_slots = gather<slots, false>;
using gather_slots_sorted = gather<slots, true>;
using gather_list_sorted = gather<listed, true>;
MAGPIE_KERNEL(gather_slots)
MAGPIE_KERNEL(gather_slots_sorted)
MAGPIE_KERNEL(gather_list_sorted)

/// First phase: finds the cavities of a slice and marks them and what lies around them. `Atomic`: by a maximum.
template <class Search, bool Atomic>
struct race {
  phase at;
  array<u32> large;  ///< at least one place for each item
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const slice& part = at.part;
    at.each(self, [&](u32 i, u32) {
      const u32 item = part.item(i);
      u32 sizes = 0;
      if (item != none) {
        const u32 mine = at.mark(i);
        sizes = part.find<Search>(self, single_lane{}, true, mesh, large, i, item, [&](u32 t, bool) {
          if constexpr (Atomic) {
            red_max_rlx_dev(&part.marks[t], mine);
          } else {
            st_rlx_dev(&part.marks[t], mine);
          }
        });
      }
      if (breaks(mutant::ring_left_out)) sizes -= slice::all(sizes) - slice::inner(sizes);
      part.store_sizes(i, sizes);
    });
  }
};
using race_double = race<plain_search, false>;
using race_single = race<single_search, false>;
using race_atomic_double = race<plain_search, true>;
using race_atomic_single = race<single_search, true>;
MAGPIE_KERNEL(race_double)
MAGPIE_KERNEL(race_single)
MAGPIE_KERNEL(race_atomic_double)
MAGPIE_KERNEL(race_atomic_single)

/// Second phase: restores marks that the race lost to lower ones.
struct outrank {
  phase at;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const slice& part = at.part;
    at.each(self, [&](u32 i, u32) {
      const u32 sizes = part.load_sizes(i);
      const u32 mine = at.mark(i);
      for (u32 k = 0; k < slice::all(sizes); ++k) {
        u32* const mark = &part.marks[part.triangle(k, i)];
        const u32 seen = ld_rlx_dev(mark);
        if (seen > mine) {
          part.store_sizes(i, sizes | slice::behind);
          break;
        }
        if (seen < mine) st_rlx_dev(mark, mine);
      }
    });
  }
};
MAGPIE_KERNEL(outrank)

/// Last phase: fills the cavities that have all their marks. The others' items are pushed again, or with `keep` stay as
/// they are for another stage. `Judged`: new triangles are tested at once; else they are listed in `fresh`.
template <class Search, bool Judged>
struct settle {
  phase at;
  u32 keep;
  u32 recycle;        ///< 1: a fan takes over its cavity's slots; 0: it gets new ones, and those stay empty
  u32 triangle_room;  ///< slots for triangles; an item that finds none has lost
  u32 vertex_room;    ///< the same for vertices
  array<u32> pushed;  ///< at least `most_pushes<usual>` places for each item; or none, where nobody reads them
  array<u32> own;     ///< with runs: their own lists, interleaved; as many places
  array<u32> own_counts;
  array<u32> fresh;  ///< unless judged: at least `most_rim` places for each item
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const slice& part = at.part;
    const view m = mesh.arrays();
    u32 own_count = 0;
    at.each(self, [&](u32 i, u32 r) {
      if (at.runs != 0 && i % run == 0) own_count = 0;
      made_items made;
      item(self, m, i, made);
      if (pushed.size() == 0) return;
      if (at.runs == 0) {
        if (made.count > 0) made.append_to(self, pushed, &part.tallies[tally::pushed]);
      } else {
        const u32 lists = (part.count + run - 1) / run;
        for (u32 k = 0; k < made.count; ++k) st_plain(&own[u64{own_count++} * lists + r], made.items[k]);
        st_plain(&own_counts[r], own_count);
      }
    });
  }

 private:
  MAGPIE_INLINE void item(const thread& self, const view& m, u32 i, made_items& made) const {
    const slice& part = at.part;
    const array<u32>& tallies = part.tallies;
    const u32 sizes = part.load_sizes(i);
    if (slice::all(sizes) == 0 || (sizes & slice::filled) != 0) return;
    const u32 item = part.item(i);
    if (!won(i, sizes)) {
      lose(self, item, (sizes & slice::behind) == 0, made);
      return;
    }
    if ((sizes & slice::stuck) != 0) {
      give_up(self, m, item, sizes, tallies);
      part.store_sizes(i, 0);
      return;
    }
    cavity<usual, Search> c;
    const u32 edge = part.gather(shared_access{m}, i, item, sizes, c);
    // Slots that find no room, and triangles' where there is none for the vertex, stay empty.
    const u32 kept = recycle != 0 ? c.triangles : 0;
    const u32 first_slot = append<usual + 2>(self, &tallies[tally::triangles], c.rim - kept);
    const bool fits = first_slot + (c.rim - kept) <= triangle_room;
    const u32 vertex = fits ? append(self, &tallies[tally::vertices]) : none;
    if (vertex >= vertex_room) {
      lose(self, item, true, made);
      return;
    }
    const auto id = [&](u32 k) { return k < kept ? c.ids[k] : first_slot + (k - kept); };
    fill<Judged>(m, single_lane{}, true, c, edge == none ? none : ld_rlx_dev(m.segment(edge)), vertex, mesh.asked, id,
                 [&](u32 work) { made.add(work); });
    for (u32 k = kept; k < c.triangles; ++k) m.store(c.ids[k], record{});
    if constexpr (!Judged) {
      const u32 place = append<usual + 2>(self, &tallies[tally::fresh], c.rim);
      for (u32 k = 0; k < c.rim; ++k) st_plain(&fresh[place + k], id(k));
    }
    if (edge != none && edge_of(item) == whole) made.add(item);
    part.store_sizes(i, sizes | slice::filled);
  }
  MAGPIE_INLINE bool won(u32 i, u32 sizes) const {
    const u32 mine = at.mark(i);
    bool mine_all = (sizes & slice::behind) == 0;
    if (breaks(mutant::check_left_out)) return mine_all;
    for (u32 k = 0; k < slice::all(sizes) && mine_all; ++k) {
      mine_all = ld_plain(&at.part.marks[at.part.triangle(k, i)]) == mine;
    }
    return mine_all;
  }
  MAGPIE_INLINE void lose(const thread& self, u32 item, bool robbed, made_items& made) const {
    append(self, &at.part.tallies[tally::lost]);
    if (robbed) append(self, &at.part.tallies[tally::robbed]);
    st_rlx_dev(&at.part.tallies[tally::loser], item);
    if (keep == 0) made.add(item);
  }
};
using settle_double = settle<plain_search, true>;
using settle_single = settle<single_search, true>;
using settle_unjudged = settle<plain_search, false>;
MAGPIE_KERNEL(settle_double)
MAGPIE_KERNEL(settle_single)
MAGPIE_KERNEL(settle_unjudged)

/// Between stages: drops items that need nothing any more, and finds damaged cavities again.
template <class Search>
struct recheck {
  phase at;
  array<u32> large;  ///< at least one place for each item
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const slice& part = at.part;
    at.each(self, [&](u32 i, u32) {
      const u32 sizes = part.load_sizes(i) & ~slice::behind;
      if (slice::all(sizes) == 0 || (sizes & slice::filled) != 0) return;
      const u32 item = part.item(i);
      u32 now = sizes;
      if (edge_of(item) == whole && !is_alive(triangle_of(item))) {
        now = 0;
      } else if (is_damaged(i, sizes)) {
        now = part.find<Search>(self, single_lane{}, true, mesh, large, i, item, [](u32, bool) {});
      }
      part.store_sizes(i, now);
    });
  }

 private:
  MAGPIE_INLINE bool is_alive(u32 t) const { return (ld_plain(mesh.arrays().flags(t)) & (live | bad)) == (live | bad); }
  MAGPIE_INLINE bool is_damaged(u32 i, u32 sizes) const {
    bool damaged = false;
    for (u32 k = 0; k < slice::all(sizes) && !damaged; ++k) {
      // Not plain: `find` may write the footprint again.
      const u32 t = ld_rlx_dev(at.part.word(slice::head + k, i));
      damaged = (at.part.load_sizes(at.owner(ld_plain(&at.part.marks[t]))) & slice::filled) != 0;
    }
    return damaged && !breaks(mutant::damage_ignored);
  }
};
using recheck_double = recheck<plain_search>;
using recheck_single = recheck<single_search>;
MAGPIE_KERNEL(recheck_double)
MAGPIE_KERNEL(recheck_single)

/// Marks the cavities that are not filled yet, by a maximum.
struct mark_again {
  phase at;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const slice& part = at.part;
    at.each(self, [&](u32 i, u32) {
      const u32 sizes = part.load_sizes(i);
      if ((sizes & slice::filled) != 0) return;
      for (u32 k = 0; k < slice::all(sizes); ++k) red_max_rlx_dev(&part.marks[part.triangle(k, i)], at.mark(i));
    });
  }
};
MAGPIE_KERNEL(mark_again)

/// Tests new triangles, each thread as many.
template <class Search>
struct judge_fresh {
  u32 count;
  array<u32> fresh;
  array<u32> pushed;  ///< at least 4 places for each; or none
  array<u32> tallies;
  mesh_arguments mesh;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m = mesh.arrays();
    const shared_access shared{m};
    for (u32 i : self.items(count)) {
      const u32 t = ld_plain(&fresh[i]);
      record r = m.load(t);
      const point p[3] = {shared.vertex(r.corner[0]), shared.vertex(r.corner[1]), shared.vertex(r.corner[2])};
      u32 made[4];
      u32 n = 0;
      judge<Search>(shared, t, r, p, mesh.asked, [&](u32 item) { made[n++] = item; });
      if ((r.flags & bad) != 0) {
        st_rlx_dev(m.flags(t), r.flags);
        st_rlx_dev(m.urgency(t), r.urgency);
      }
      if (n == 0 || pushed.size() == 0) continue;
      const u32 place = append<4>(self, &tallies[tally::pushed], n);
      for (u32 k = 0; k < n; ++k) st_plain(&pushed[place + k], made[k]);
    }
  }
};
using judge_fresh_double = judge_fresh<plain_search>;
using judge_fresh_single = judge_fresh<single_search>;
MAGPIE_KERNEL(judge_fresh_double)
MAGPIE_KERNEL(judge_fresh_single)

/// Appends the runs' own lists to the common one.
struct join_lists {
  u32 lists;
  array<u32> own;
  array<u32> own_counts;
  array<u32> pushed;
  array<u32> tallies;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 r : self.items(lists)) {
      const u32 count = ld_plain(&own_counts[r]);
      const u32 place = append<run * most_pushes<usual>>(self, &tallies[tally::pushed], count);
      for (u32 k = 0; k < count; ++k) st_plain(&pushed[place + k], ld_plain(&own[u64{k} * lists + r]));
    }
  }
};
MAGPIE_KERNEL(join_lists)

}  // namespace magpie::mesh
