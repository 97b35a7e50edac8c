/// @file
/// Memory and launches from plain C++, without Java: the CUDA runtime under nvcc, host threads under g++.
///
/// Layer: host. For programs that use the device library by themselves, its tests and benchmarks; the Java facade has
/// its own driver. Errors: every failure throws `std::runtime_error` that names the call and its sizes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "magpie/platform/platform.cuh"

namespace magpie::host {

#if defined(__CUDACC__)

inline void check(cudaError_t code, const std::string& what) {
  if (code != cudaSuccess) throw std::runtime_error(what + ": " + cudaGetErrorString(code));
}

inline void* allocate(std::size_t bytes) {
  void* p = nullptr;
  check(cudaMalloc(&p, bytes), "allocating " + std::to_string(bytes) + " bytes of device memory");
  return p;
}
inline void release(void* p) noexcept { cudaFree(p); }
inline void copy_in(void* device, const void* from, std::size_t bytes) {
  check(cudaMemcpy(device, from, bytes, cudaMemcpyHostToDevice), "copying to the device");
}
inline void copy_out(void* to, const void* device, std::size_t bytes) {
  check(cudaMemcpy(to, device, bytes, cudaMemcpyDeviceToHost), "copying from the device");
}

/// An event that is given back on every path.
class event {
 public:
  event() { check(cudaEventCreate(&handle_), "creating an event"); }
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  ~event() { cudaEventDestroy(handle_); }
  operator cudaEvent_t() const { return handle_; }

 private:
  cudaEvent_t handle_;
};

template <class Functor>
__global__ void __launch_bounds__(block_size_of<Functor>(), resident_blocks_of<Functor>())
    run_functor(const __grid_constant__ Functor functor) {
  enter_kernel<Functor>();
  functor(thread{});
}

/// Threads of a full grid for `Functor`: as many as can be resident at once.
template <class Functor>
std::uint32_t default_threads() {
  int device = 0, processors = 0, blocks = 0;
  check(cudaGetDevice(&device), "finding the device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "asking for the device's size");
  constexpr int block = block_size_of<Functor>();
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_functor<Functor>, block, 0), "asking for occupancy");
  return static_cast<std::uint32_t>(processors * blocks * block);
}

/// Bytes of the cache that the multiprocessors of the device share.
inline std::uint64_t l2_cache_bytes() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device), "finding the device");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "asking for the size of the L2 cache");
  return static_cast<std::uint64_t>(bytes);
}

/// Launches so that all blocks run at the same time: of those asked for, no more than there is room for.
template <class Functor>
void launch_together(const Functor& functor, std::uint32_t blocks, std::uint32_t block) {
  int device = 0, processors = 0, fit = 0, able = 0;
  check(cudaGetDevice(&device), "finding the device");
  check(cudaDeviceGetAttribute(&able, cudaDevAttrCooperativeLaunch, device), "asking for cooperative launches");
  if (able == 0) throw std::runtime_error("this device has no cooperative launches, which barriers of the grid need");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "asking for the device's size");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, run_functor<Functor>, static_cast<int>(block), 0),
        "asking for occupancy");
  blocks = std::min(blocks, static_cast<std::uint32_t>(processors * fit));
  Functor parameter = functor;
  void* arguments[] = {&parameter};
  const void* const kernel = reinterpret_cast<const void*>(&run_functor<Functor>);
  check(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(block), arguments, 0, nullptr),
        "launching " + std::to_string(blocks) + " blocks of " + std::to_string(block) + " threads together");
}

/// Runs `functor` on a grid of `threads` (rounded up to whole warps; 0 = a full grid), waits, gives milliseconds.
/// `on_timeout` is called once after `timeout` if the kernel still runs.
template <class Functor>
double run(const Functor& functor, std::uint32_t threads = 0,
           std::chrono::milliseconds timeout = std::chrono::milliseconds::zero(),
           const std::function<void(cudaStream_t)>& on_timeout = {}) {
  if (threads == 0) threads = default_threads<Functor>();
  threads = (threads + 31) / 32 * 32;
  const std::uint32_t block =
      std::gcd(threads, std::uint32_t{block_size_of<Functor>()});  // so that there are no more than were asked for
  const event start;
  const event stop;
  check(cudaEventRecord(start), "recording an event");
  if constexpr (meets_grid_of<Functor>) {
    launch_together(functor, threads / block, block);
  } else {
    run_functor<<<threads / block, block>>>(functor);
  }
  check(cudaGetLastError(), "launching a kernel of " + std::to_string(threads) + " threads");
  check(cudaEventRecord(stop), "recording an event");
  if (timeout.count() > 0) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (cudaEventQuery(stop) == cudaErrorNotReady) {
      if (std::chrono::steady_clock::now() > deadline) {
        cudaStream_t other;
        check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), "creating a stream");
        on_timeout(other);
        check(cudaStreamDestroy(other), "closing a stream");
        break;
      }
    }
  }
  static_cast<void>(cudaGetLastError());  // a query of a running kernel may leave "not ready" behind
  check(cudaEventSynchronize(stop), "running a kernel");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start, stop), "reading an event");
  return milliseconds;
}

#else

inline void* allocate(std::size_t bytes) { return ::operator new (bytes, std::align_val_t{64}); }
inline void release(void* p) noexcept { ::operator delete (p, std::align_val_t{64}); }
inline void copy_in(void* device, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(device, from, bytes);
}
inline void copy_out(void* to, const void* device, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, device, bytes);
}

template <class Functor>
std::uint32_t default_threads() {
#if defined(MAGPIE_MACHINE_SIM)
  return 64;
#else
  const unsigned cores = std::thread::hardware_concurrency();
  return cores == 0 ? 1 : cores;
#endif
}

/// How the simulator runs the next launches of this thread.
struct simulation {
  std::uint64_t seed = 0;
  std::uint64_t max_steps = 0;
  std::uint32_t width = 32;
#if defined(MAGPIE_MACHINE_SIM)
  simulator::schedule* choices = nullptr;  ///< in place of the seed's, if not null
#endif
  magpie_simulation* plan = nullptr;       ///< in place of the seed, if not null; receives what became of the launch
  std::uint64_t l2_cache_bytes = ~0ull;    ///< of the GPU that it stands for: all data fit unless tests say otherwise
};
inline simulation& simulated() {
  thread_local simulation settings;
  return settings;
}

inline std::uint64_t l2_cache_bytes() { return simulated().l2_cache_bytes; }

/// What a kernel that looks at the watchdog's flag has to end in.
inline constexpr std::chrono::seconds grace{5};

/// Runs `functor` on `threads` threads (0 = one per core), waits, gives milliseconds. `on_timeout` is called, at most
/// once, after `timeout` if the kernel still runs (on `sim` the step bound takes its place), or when a thread faults. What
/// still runs `grace` after that is interrupted, as fault_guard.hpp says, and `run` throws.
template <class Functor>
double run(const Functor& functor, std::uint32_t threads = 0,
           [[maybe_unused]] std::chrono::milliseconds timeout = std::chrono::milliseconds::zero(),
           [[maybe_unused]] const std::function<void(int)>& on_timeout = {}) {
  if (threads == 0) threads = default_threads<Functor>();
  const auto body = [](const void* f, const magpie::thread& self) { (*static_cast<const Functor*>(f))(self); };
  const auto begin = std::chrono::steady_clock::now();
  std::once_flag ended_early;
  const auto end_early = [&] {
    if (on_timeout) std::call_once(ended_early, on_timeout, 0);
  };
  const auto part = [&](std::uint64_t first, std::uint64_t last, std::string& fault) {
    char message[256] = "";
    const magpie_launch_args args{
        threads, first, last, simulated().seed, simulated().max_steps, simulated().width, 0, simulated().plan};
    if (run_grid("functor", body, &functor, args, message, sizeof message) != launch_ok) {
      fault = message;
      end_early();  // others may be waiting for what the faulty thread held
    }
  };
#if defined(MAGPIE_MACHINE_SIM)
  std::string fault;
  if (simulated().choices != nullptr) {
    simulator::settings how;
    how.max_steps = simulated().max_steps;
    fault = simulate("functor", body, &functor, threads, simulated().width, how, *simulated().choices).message;
  } else {
    part(0, threads, fault);
  }
  if (!fault.empty()) throw std::runtime_error(fault);
#else
  std::vector<std::string> faults(threads);
  std::vector<std::thread> pool;
  std::atomic<bool> done = false;
  for (std::uint32_t i = 0; i < threads; ++i) pool.emplace_back([&, i] { part(i, i + 1, faults[i]); });
  std::thread watchdog;
  if (timeout.count() > 0) {
    watchdog = std::thread([&] {
      const auto wait_until = [&](std::chrono::steady_clock::time_point end) {
        while (!done && std::chrono::steady_clock::now() < end)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
      };
      wait_until(begin + timeout);
      if (!done) end_early();
      for (auto next = std::chrono::steady_clock::now() + grace; !done; next += std::chrono::milliseconds(20)) {
        wait_until(next);
        if (!done) fault_guard::interrupt(&functor);
      }
    });
  }
  for (std::thread& each : pool) each.join();
  done = true;
  if (watchdog.joinable()) watchdog.join();
  for (const std::string& fault : faults) {
    if (!fault.empty()) throw std::runtime_error(fault);
  }
#endif
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

#endif

/// Threads of a warp in the next launches of this thread.
inline std::uint32_t warp_width() {
#if defined(__CUDACC__)
  return warp_size;
#elif defined(MAGPIE_MACHINE_SIM)
  return simulated().width;
#else
  return 1;
#endif
}

/// An owned array in device memory.
template <class T>
class buffer {
 public:
  explicit buffer(std::size_t n) : length_(n), data_(static_cast<T*>(allocate((n > 0 ? n : 1) * sizeof(T)))) {}
  buffer(std::size_t n, T value) : buffer(n) { fill(value); }
  explicit buffer(const std::vector<T>& from) : buffer(from.size()) {
    copy_in(data_, from.data(), length_ * sizeof(T));
  }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  ~buffer() { release(data_); }

  T* data() const { return data_; }
  std::size_t size() const { return length_; }
  /// As a kernel's argument.
  array<T> view() const { return {data_, length_}; }
  array<const T> const_view() const { return {data_, length_}; }

  void fill(T value) { fill_first(length_, value); }
  void fill_first(std::size_t n, T value) {
    const std::vector<T> from(n, value);
    copy_in(data_, from.data(), n * sizeof(T));
  }
  void set(const std::vector<T>& from) { copy_in(data_, from.data(), length_ * sizeof(T)); }
  std::vector<T> get() const {
    std::vector<T> to(length_);
    copy_out(to.data(), data_, length_ * sizeof(T));
    return to;
  }

 private:
  std::size_t length_;
  T* data_;
};

}  // namespace magpie::host
