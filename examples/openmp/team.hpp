/// @file
/// What threads share: locks, lists, and single words. OpenMP's loops and reductions do the rest.
#pragma once

#include <omp.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace baseline {

/// A lock for each vertex or component: one byte. It lets others run where its holder may be waiting for a processor.
class spin_lock {
 public:
  void lock() {
    for (unsigned polls = 1; held_.exchange(true, std::memory_order_acquire); ++polls) {
      while (held_.load(std::memory_order_relaxed)) {
        if (++polls % 64 == 0) std::this_thread::yield();
      }
    }
  }
  bool try_lock() { return !held_.exchange(true, std::memory_order_acquire); }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

/// A word that others may write meanwhile. Relaxed: what it stands for is ordered by a lock, by the end of a loop, or not at
/// all.
template <class T>
T load(const T& word) {
  return std::atomic_ref(const_cast<T&>(word)).load(std::memory_order_relaxed);
}
template <class T>
void store(T& word, T value) {
  std::atomic_ref(word).store(value, std::memory_order_relaxed);
}

/// A list to which all threads append, each to a part of its own: Cilk's list reducer. Its order is any.
template <class T>
class shared_list {
 public:
  shared_list() : parts_(static_cast<std::size_t>(omp_get_max_threads())) {}

  void push(const T& value) { parts_[static_cast<std::size_t>(omp_get_thread_num())].values.push_back(value); }

  /// All that was appended, after the loop that did so; the list is empty then.
  std::vector<T> take() {
    std::vector<T> all;
    std::size_t size = 0;
    for (const part& each : parts_) size += each.values.size();
    all.reserve(size);
    for (part& each : parts_) {
      all.insert(all.end(), each.values.begin(), each.values.end());
      each.values.clear();
    }
    return all;
  }

 private:
  /// In a cache line of its own.
  struct alignas(64) part {
    std::vector<T> values;
  };
  std::vector<part> parts_;
};

}  // namespace baseline
