/// @file
/// `magpie::array<T>`: a kernel argument that is an array with its length.
///
/// Layer: platform. Fields of a kernel or region of this type take a device array of the facade. `a[i]` is the element,
/// `&a[i]` its address for the accessors of platform.cuh. In checked builds (`MAGPIE_CHECKED`, always on `sim`) an
/// index out of range ends the launch with a bounds fault that names kernel, item, field, index and length; otherwise it
/// is undefined. Cost: one pointer and one length in the kernel's parameter.
#pragma once

MAGPIE_NAMESPACE_BEGIN

template <class T>
struct array {
  T* data;
  std::uint64_t length;

  MAGPIE_INLINE T& operator[](std::uint64_t index) const {
#if MAGPIE_CHECKS_BOUNDS
    if (index >= length) bounds_fault(index, length, data);
#endif
    return data[index];
  }
  MAGPIE_INLINE std::uint64_t size() const { return length; }
};

MAGPIE_NAMESPACE_END
