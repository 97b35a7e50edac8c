/// @file
/// `magpie::array<T>` and `magpie::matrix<T>`: kernel arguments that are an array with its length, and one in rows.
///
/// Layer: platform. Fields of a kernel or region of this type take a device array of the facade. `a[i]` is the element,
/// `&a[i]` its address for the accessors of platform.cuh. In checked builds (`MAGPIE_CHECKED`, always on `sim`) an
/// index out of range ends the launch with a bounds fault that names kernel, item, field, index and length; otherwise it
/// is undefined. Cost: one pointer and one length in the kernel's parameter.
///
/// The elements of a `spaced_array` lie `Stride` bytes apart, the first of them `Offset` bytes behind a multiple of `Stride`:
/// what is between them belongs to something else, as the tracking words do in cells (stm/guarded.cuh).
///
/// Those of type `matrix` take two arguments, `<field>.data`, the array, row after row, and `<field>.columns`, at least 1.
/// `m(row, column)` is the element, checked in the same way, with a fault that names row and column. What the array has
/// beyond its last whole row is no part of the matrix.
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
  MAGPIE_HOST_DEVICE MAGPIE_INLINE std::uint64_t size() const { return length; }
};

template <class T, std::uint32_t Stride, std::uint32_t Offset>
struct spaced_array {
  T* data;
  std::uint64_t length;

  MAGPIE_INLINE T& operator[](std::uint64_t index) const {
    using byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
#if MAGPIE_CHECKS_BOUNDS
    if (index >= length) bounds_fault(index, length, data);
#endif
    return *reinterpret_cast<T*>(reinterpret_cast<byte*>(data) + index * Stride);
  }
  MAGPIE_HOST_DEVICE MAGPIE_INLINE std::uint64_t size() const { return length; }
};

template <class T>
struct matrix {
  array<T> data;
  std::uint32_t columns;

  MAGPIE_INLINE T& operator()(std::uint64_t row, std::uint64_t column) const {
#if MAGPIE_CHECKS_BOUNDS
    if (row >= rows() || column >= columns) bounds_fault(row, column, rows(), columns, data.data);
#endif
    return data.data[row * columns + column];
  }
  MAGPIE_HOST_DEVICE MAGPIE_INLINE std::uint64_t rows() const { return columns == 0 ? 0 : data.length / columns; }
};

MAGPIE_NAMESPACE_END
