/// @file
/// Between the host's form of a mesh, arrays of corners, neighbors and segments, and the records that kernels work on.
///
/// Layer: algorithm, lock-free phases: each thread writes words of its own and places that it appended.
#pragma once

#include "look.cuh"

namespace magpie::mesh {

/// Makes the records of triangles 0 to count - 1. A neighbor of 0xffffffff is none; an edge has a segment or 0xffffffff.
struct import_triangles {
  u32 count;
  array<u32> corners;
  array<u32> neighbors;
  array<u32> segments;
  array<u32> regions;  ///< of each triangle, below `most_regions`; or empty: all lie in region 0
  array<u32> triangles;
  array<u32> edge_segment;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m{reinterpret_cast<word_pair*>(triangles.data), nullptr, nullptr, edge_segment.data, nullptr};
    for (u32 t : self.items(count)) {
      const u32 region = regions.size() == 0 ? 0 : ld_plain(&regions[t]);
      record r{{}, region << region_shift | live, {}, 0};
      for (u32 k = 0; k < 3; ++k) {
        const u64 at = 3 * u64{t} + k;
        r.corner[k] = ld_plain(&corners[at]);
        const u32 segment = ld_plain(&segments[at]);
        if (segment != none) r.flags |= fixed_bit(k);
        st_plain(&edge_segment[at], segment);
        const u32 other = ld_plain(&neighbors[at]);
        u32 edge = 0;
        while (other != none && edge < 2 && ld_plain(&neighbors[3 * u64{other} + edge]) != t) ++edge;
        r.link[k] = other == none ? none : link_of(other, edge);
      }
      m.store(t, r);
    }
  }
};
MAGPIE_KERNEL(import_triangles)

/// Says of vertices of the input that segments meet there at an angle that needs care.
struct mark_corners {
  u32 count;
  array<u32> corners;  ///< vertices
  array<u32> vertex_segment;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) st_plain(&vertex_segment[ld_plain(&corners[i])], corner_vertex);
  }
};
MAGPIE_KERNEL(mark_corners)

/// Lists the triangle slots below `count` that hold no triangle.
struct list_triangle_gaps {
  u32 count;
  array<u32> triangles;
  array<u32> gaps;
  array<u32> tallies;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m{reinterpret_cast<word_pair*>(triangles.data), nullptr, nullptr, nullptr, nullptr};
    for (u32 t : self.items(count)) {
      if ((ld_plain(m.flags(t)) & live) != 0) continue;
      const u32 place = append(self, &tallies[tally::listed]);
      if (place < gaps.size()) st_plain(&gaps[place], t);
    }
  }
};
MAGPIE_KERNEL(list_triangle_gaps)

/// Lists the vertex slots below `count` that hold no vertex.
struct list_vertex_gaps {
  u32 count;
  array<u32> vertex_segment;
  array<u32> gaps;
  array<u32> tallies;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(count)) {
      if (ld_plain(&vertex_segment[v]) != absent_vertex) continue;
      const u32 place = append(self, &tallies[tally::listed]);
      if (place < gaps.size()) st_plain(&gaps[place], v);
    }
  }
};
MAGPIE_KERNEL(list_vertex_gaps)

/// The number of slot s among those in use; `gaps` rises.
MAGPIE_INLINE u32 without_gaps(const array<u32>& gaps, u32 count, u32 s) {
  u32 low = 0;
  u32 high = count;
  while (low < high) {
    const u32 middle = low + (high - low) / 2;
    if (ld_plain(&gaps[middle]) < s) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return s - low;
}

/// Writes corners, neighbors, and the segment that each fixed edge lies on, of all triangles, numbered without gaps.
struct export_triangles {
  u32 count;  ///< slots
  u32 triangle_gap_count;
  u32 vertex_gap_count;
  array<u32> triangle_gaps;
  array<u32> vertex_gaps;
  array<u32> triangles;
  array<u32> edge_segment;
  array<u32> corners;
  array<u32> neighbors;
  array<u32> segments;
  array<u32> regions;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const view m{reinterpret_cast<word_pair*>(triangles.data), nullptr, nullptr, edge_segment.data, nullptr};
    for (u32 t : self.items(count)) {
      const record r = m.load_plain(t);
      if ((r.flags & live) == 0) continue;
      const u32 number = without_gaps(triangle_gaps, triangle_gap_count, t);
      st_plain(&regions[number], r.flags >> region_shift);
      for (u32 k = 0; k < 3; ++k) {
        const u64 at = 3 * u64{number} + k;
        st_plain(&corners[at], without_gaps(vertex_gaps, vertex_gap_count, r.corner[k]));
        st_plain(&neighbors[at],
                 r.link[k] == none ? none : without_gaps(triangle_gaps, triangle_gap_count, triangle_of(r.link[k])));
        st_plain(&segments[at], (r.flags & fixed_bit(k)) != 0 ? ld_plain(m.segment(link_of(t, k))) : none);
      }
    }
  }
};
MAGPIE_KERNEL(export_triangles)

/// Lists the edges that lie on segments, each once: as that of its triangle with the lower number. They are the parts of
/// the segments. Of triangles without gaps, as `export_triangles` leaves them.
struct list_parts {
  u32 count;
  array<u32> neighbors;
  array<u32> segments;
  array<u32> parts;  ///< 3 t + k
  array<u32> tallies;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 t : self.items(count)) {
      for (u32 k = 0; k < 3; ++k) {
        const u64 at = 3 * u64{t} + k;
        if (ld_plain(&segments[at]) == none || ld_plain(&neighbors[at]) < t) continue;
        const u32 place = append(self, &tallies[tally::listed]);
        if (place < parts.size()) st_plain(&parts[place], static_cast<u32>(at));
      }
    }
  }
};
MAGPIE_KERNEL(list_parts)

/// Writes what each part is.
struct describe_parts {
  u32 count;
  array<u32> parts;  ///< of `list_parts`, in the order of their numbers
  array<u32> corners;
  array<u32> segments;
  array<u32> ends;     ///< the two vertices of each part in turn
  array<u32> origins;  ///< the segment that each is a part of

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 part : self.items(count)) {
      const u32 at = ld_plain(&parts[part]);
      const u64 first = at - at % 3;
      st_plain(&ends[2 * u64{part}], ld_plain(&corners[first + after(at % 3)]));
      st_plain(&ends[2 * u64{part} + 1], ld_plain(&corners[first + before(at % 3)]));
      st_plain(&origins[part], ld_plain(&segments[at]));
    }
  }
};
MAGPIE_KERNEL(describe_parts)

/// Writes the positions of all vertices, and what they lie on, numbered without gaps; counts those put on segments.
struct export_vertices {
  u32 count;  ///< slots
  u32 gap_count;
  array<u32> gaps;
  array<double> points;
  array<u32> vertex_segment;
  array<double> positions;
  array<u32> segments;
  array<u32> tallies;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(count)) {
      const u32 segment = ld_plain(&vertex_segment[v]);
      if (segment == absent_vertex) continue;
      if (segment < most_segments) append(self, &tallies[tally::listed]);
      const u32 number = without_gaps(gaps, gap_count, v);
      st_plain(&segments[number], segment);
      st_plain(&positions[2 * u64{number}], ld_plain(&points[2 * u64{v}]));
      st_plain(&positions[2 * u64{number} + 1], ld_plain(&points[2 * u64{v} + 1]));
    }
  }
};
MAGPIE_KERNEL(export_vertices)

}  // namespace magpie::mesh
