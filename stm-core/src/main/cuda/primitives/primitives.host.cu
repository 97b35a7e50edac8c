/// @file
/// CUB's device-wide algorithms as C functions: host code that launches CUB's kernels, for the facade on `cuda`.
///
/// Layer: host, called by the facade through JNA, by the thread whose current context is the device's primary one, which the
/// runtime in here then uses. Each function works on `stream` and gives a `cudaError_t`. With `memory` null it does nothing
/// but set `bytes` to the working memory it needs; otherwise it starts the work with that much and returns. Pointers
/// but `bytes` and `second` are the device's. `second` tells, when a sort was started, whether its result will be in the
/// second buffers (1) or in the first (0).
/// Segments of keys without values have no function of their own: its kernels would be a third of the library.
/// Limits: as CUB's; the facade checks lengths. Determinism: schedule_independent, for whole numbers.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <cub/device/device_select.cuh>

#include <cstddef>
#include <cstdint>

#define MAGPIE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

template <class In, class T>
cudaError_t scan(void* memory, std::size_t* bytes, const In* in, T* out, std::int64_t n, std::int32_t inclusive,
                 cudaStream_t stream) {
  return inclusive != 0
             ? cub::DeviceScan::InclusiveScanInit(memory, *bytes, in, out, cuda::std::plus<>{}, T{0}, n, stream)
             : cub::DeviceScan::ExclusiveScan(memory, *bytes, in, out, cuda::std::plus<>{}, T{0}, n, stream);
}

}  // namespace

/// CUB's version, such as 300002; `problem` receives what keeps its kernels from running on the current device, null if
/// nothing does.
MAGPIE_EXPORT std::int32_t magpie_cub_version(const char** problem) {
  int architecture = 0;
  const cudaError_t error = cub::PtxVersion(architecture);
  *problem = error == cudaSuccess ? nullptr : cudaGetErrorString(error);
  return CUB_VERSION;
}

/// out[i] = in[0] + .. + in[i], or without the last term; `out` may be `in`.
MAGPIE_EXPORT std::int32_t magpie_cub_sum_ints(void* memory, std::size_t* bytes, const std::int32_t* in,
                                               std::int32_t* out, std::int64_t n, std::int32_t inclusive,
                                               cudaStream_t stream) {
  return scan(memory, bytes, in, out, n, inclusive, stream);
}
MAGPIE_EXPORT std::int32_t magpie_cub_sum_longs(void* memory, std::size_t* bytes, const std::int64_t* in,
                                                std::int64_t* out, std::int64_t n, std::int32_t inclusive,
                                                cudaStream_t stream) {
  return scan(memory, bytes, in, out, n, inclusive, stream);
}
MAGPIE_EXPORT std::int32_t magpie_cub_sum_ints_to_longs(void* memory, std::size_t* bytes, const std::int32_t* in,
                                                        std::int64_t* out, std::int64_t n, std::int32_t inclusive,
                                                        cudaStream_t stream) {
  return scan(memory, bytes, in, out, n, inclusive, stream);
}

/// Copies the elements whose flag is not 0 to `out`, which has room for all, and their number to `count`.
MAGPIE_EXPORT std::int32_t magpie_cub_pack_ints(void* memory, std::size_t* bytes, const std::int32_t* in,
                                                const std::int32_t* flags, std::int32_t* out, std::int32_t* count,
                                                std::int64_t n, cudaStream_t stream) {
  return cub::DeviceSelect::Flagged(memory, *bytes, in, flags, out, count, n, stream);
}
MAGPIE_EXPORT std::int32_t magpie_cub_pack_longs(void* memory, std::size_t* bytes, const std::int64_t* in,
                                                 const std::int32_t* flags, std::int64_t* out, std::int32_t* count,
                                                 std::int64_t n, cudaStream_t stream) {
  return cub::DeviceSelect::Flagged(memory, *bytes, in, flags, out, count, n, stream);
}

/// Stable sort by the low `bits` bits.
MAGPIE_EXPORT std::int32_t magpie_cub_sort_keys(void* memory, std::size_t* bytes, std::uint32_t* keys,
                                                std::uint32_t* keys_buffer, std::int32_t n, std::int32_t bits,
                                                std::int32_t* second, cudaStream_t stream) {
  cub::DoubleBuffer<std::uint32_t> key(keys, keys_buffer);
  const cudaError_t error = cub::DeviceRadixSort::SortKeys(memory, *bytes, key, n, 0, bits, stream);
  *second = key.selector;
  return error;
}
MAGPIE_EXPORT std::int32_t magpie_cub_sort_pairs(void* memory, std::size_t* bytes, std::uint32_t* keys,
                                                 std::uint32_t* keys_buffer, std::uint32_t* values,
                                                 std::uint32_t* values_buffer, std::int32_t n, std::int32_t bits,
                                                 std::int32_t* second, cudaStream_t stream) {
  cub::DoubleBuffer<std::uint32_t> key(keys, keys_buffer);
  cub::DoubleBuffer<std::uint32_t> value(values, values_buffer);
  const cudaError_t error = cub::DeviceRadixSort::SortPairs(memory, *bytes, key, value, n, 0, bits, stream);
  *second = key.selector;
  return error;
}

/// Stable sort of each segment offsets[s] .. offsets[s + 1] - 1; in the second buffers lies nothing outside of segments.
/// May wait for the stream: CUB asks how many segments are short.
MAGPIE_EXPORT std::int32_t magpie_cub_sort_segments(void* memory, std::size_t* bytes, std::uint32_t* keys,
                                                    std::uint32_t* keys_buffer, std::uint32_t* values,
                                                    std::uint32_t* values_buffer, std::int32_t n, std::int32_t segments,
                                                    const std::int32_t* offsets, std::int32_t* second,
                                                    cudaStream_t stream) {
  cub::DoubleBuffer<std::uint32_t> key(keys, keys_buffer);
  cub::DoubleBuffer<std::uint32_t> value(values, values_buffer);
  const cudaError_t error =
      cub::DeviceSegmentedSort::StableSortPairs(memory, *bytes, key, value, n, segments, offsets, offsets + 1, stream);
  *second = key.selector;
  return error;
}
