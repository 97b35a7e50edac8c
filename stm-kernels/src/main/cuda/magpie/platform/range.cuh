/// @file
/// Half-open arithmetic ranges for range-based `for`, as `thread::items` and `thread::warp_items` give them.
///
/// Layer: platform. Included by each machine inside nothing; needs MAGPIE_INLINE and MAGPIE_NAMESPACE_* to be defined.
/// Limits: `last + step` must not overflow `Index`.
#pragma once

MAGPIE_NAMESPACE_BEGIN

template <class Index>
struct strided_range {
  struct iterator {
    Index at;
    Index step;
    MAGPIE_INLINE Index operator*() const { return at; }
    MAGPIE_INLINE iterator& operator++() {
      at += step;
      return *this;
    }
  };
  struct sentinel {
    Index last;
    MAGPIE_INLINE friend bool operator!=(const iterator& i, const sentinel& s) { return i.at < s.last; }
  };

  Index first;
  Index last;
  Index step;

  MAGPIE_INLINE iterator begin() const { return {first, step}; }
  MAGPIE_INLINE sentinel end() const { return {last}; }
};

MAGPIE_NAMESPACE_END
