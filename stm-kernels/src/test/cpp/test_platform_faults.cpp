// What the processor or the host ends: the launch fails with its place, the process and the next launch go on.
// flavours: cpu sim
// build: -DMAGPIE_CHECKED
// build: -DMAGPIE_TEST_PLAIN
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "magpie/kernel.cuh"
#include "magpie/platform/field_table.hpp"
#include "test.hpp"

using namespace magpie;

namespace {

enum class deed : std::uint32_t {
  nothing,
  divide,
  read_null,
  write_wild,
  impossible_address,
  overflow_stack,
  trap,
  throw_it,
  endless,
  endless_access,
  endless_allocation,
  abort,
};

/// Keeps the compiler from knowing the value.
template <class T>
T opaque(T value) {
  __asm__ volatile("" : "+r"(value));
  return value;
}

__attribute__((noinline)) std::uint32_t deeper(std::uint32_t depth) {
  volatile std::uint32_t frame[256];
  frame[depth % 256] = depth;
  const std::uint32_t below = opaque(depth) == ~0u ? 0 : deeper(depth + 1);
  return below + frame[depth % 256];
}

/// Thread `who` does it on item 7; the others count themselves.
struct doing {
  deed what;
  std::uint32_t who;
  array<std::uint32_t> words;

  void operator()(const thread& self) const {
    if (self.rank() != who) {
      add_rlx_dev(&words[0], 1u);
      return;
    }
    working_on(7);
    switch (what) {
      case deed::divide: st_rlx_dev(&words[1], 12345u / opaque(0u)); break;
      case deed::read_null: st_rlx_dev(&words[1], *opaque(reinterpret_cast<const volatile std::uint32_t*>(8))); break;
      case deed::write_wild: *opaque(reinterpret_cast<volatile std::uint32_t*>(0x123456789000)) = 1; break;
      case deed::impossible_address: *opaque(reinterpret_cast<volatile std::uint32_t*>(0xdead'beef'0000'0000)) = 1; break;
      case deed::overflow_stack: st_rlx_dev(&words[1], deeper(0)); break;
      case deed::trap: __builtin_trap();
      case deed::throw_it: throw std::runtime_error("thrown");
      case deed::endless:
        for (std::uint32_t i = 1; opaque(i) != 0;) {
        }
        break;
      case deed::endless_access:
        while (ld_rlx_dev(&words[2]) == 0) {
        }
        break;
      case deed::endless_allocation:
        while (opaque(1) != 0) delete[] opaque(new std::uint32_t[1000]);
        break;
      case deed::abort: std::abort();
      case deed::nothing: break;
    }
  }
};

struct result {
  std::int32_t code;
  std::string message;
};

result launched(const doing& work) {
  char message[512] = "";
  const magpie_launch_args args{4, 0, 4, 0, 0, 2, 0};
  const std::int32_t code = run_grid(
      "tried", [](const void* f, const thread& self) { (*static_cast<const doing*>(f))(self); }, &work, args, message,
      sizeof message);
  return {code, message};
}

/// The text that names the place: items are known to checked builds only.
std::string place(std::uint32_t who) {
  return "kernel tried: thread " + std::to_string(who) + (MAGPIE_CHECKS_BOUNDS ? ", item 7: " : ": ");
}

/// Runs it and interrupts it until it has ended.
result interrupted(const doing& work) {
  std::atomic<bool> ended = false;
  std::thread impatient([&] {
    while (!ended) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      fault_guard::interrupt(&work);
    }
  });
  const result last = launched(work);
  ended = true;
  impatient.join();
  return last;
}

/// As a JVM does: a handler from before the first launch, which takes a fault of its own thread back.
thread_local sigjmp_buf way_back;
void take_back(int) { siglongjmp(way_back, 1); }

/// Divides by zero while no launch runs on this thread; how often the first handler got it.
int faulted_outside() {
  if (sigsetjmp(way_back, 1) != 0) return 1;
  return opaque(12345u / opaque(0u)) == 1 ? 2 : 0;
}

}  // namespace

int main() {
  struct sigaction first {};
  first.sa_handler = &take_back;
  sigaction(SIGFPE, &first, nullptr);

  test::run("faults of the processor", [] {
    for (std::uint32_t again = 0; again < 3; ++again) {
      for (const auto& [what, text] :
           {std::pair{deed::divide, "division of an integer by zero, or of the least one by -1"},
            {deed::read_null, "access through a null pointer, at address 0x8"},
            {deed::write_wild, "access to address 0x123456789000, where it has no memory"},
            {deed::impossible_address, "access to an address that cannot exist"},
            {deed::overflow_stack, "overflow of the thread's stack"},
            {deed::trap, "illegal instruction, as of __builtin_trap()"},
            {deed::abort, "call of abort(), as by a failed assertion or a damaged heap"}}) {
        for (const std::uint32_t who : {0u, 3u}) {
          std::uint32_t words[4] = {};
          const result fault = launched({what, who, {words, 4}});
          CHECK_EQ(fault.message, place(who) + text);
          CHECK_EQ(fault.code, launch_processor_fault);
        }
      }
      std::uint32_t words[4] = {};
      CHECK_EQ(launched({deed::nothing, 1, {words, 4}}).code, launch_ok);
      CHECK_EQ(words[0], 3u);
    }
  });

  test::run("an exception", [] {
    std::uint32_t words[4] = {};
    const result fault = launched({deed::throw_it, 2, {words, 4}});
    CHECK_EQ(fault.code, launch_misuse);
    CHECK_EQ(fault.message, place(2) + "threw an exception: thrown");
  });

  test::run("several host threads", [] {
    std::vector<std::thread> pool;
    for (std::uint32_t i = 0; i < 8; ++i) {
      pool.emplace_back([i] {
        for (std::uint32_t k = 0; k < 100; ++k) {
          std::uint32_t words[4] = {};
          const deed what = k % 3 == 0 ? deed::nothing : i % 2 == 0 ? deed::divide : deed::write_wild;
          CHECK_EQ(launched({what, k % 4, {words, 4}}).code, k % 3 == 0 ? launch_ok : launch_processor_fault);
        }
      });
    }
    for (std::thread& each : pool) each.join();
  });

  test::run("endless loops", [] {
    std::uint32_t words[4] = {};
    const result pure = interrupted({deed::endless, 1, {words, 4}});
    CHECK_EQ(pure.code, launch_interrupted);
    CHECK_EQ(pure.message, place(1) + "still running after its time was up: an endless loop?");
    const result accesses = interrupted({deed::endless_access, 1, {words, 4}});
    CHECK_EQ(accesses.code, launch_interrupted);
#if defined(MAGPIE_MACHINE_SIM)
    CHECK_CONTAINS(accesses.message, "steps, when its time was up: 4 threads, 3 ended");
    CHECK_CONTAINS(accesses.message, "thread 1 at load of item 7");
#else
    CHECK_EQ(accesses.message, place(1) + "still running after its time was up: an endless loop?");
#endif
    for (int again = 0; again < 20; ++again) {  // not while the heap is locked
      const result allocating = interrupted({deed::endless_allocation, 1, {words, 4}});
      CHECK_EQ(allocating.code, launch_interrupted);
      std::vector<std::uint32_t> room(1000);
      CHECK_EQ(room[again], 0u);
    }
    std::uint32_t other = 0;
    fault_guard::interrupt(&other);  // nobody's launch
    CHECK_EQ(launched({deed::nothing, 1, {words, 4}}).code, launch_ok);
  });

  test::run("faults outside of launches go to the handler that was there first", [] {
    for (int again = 0; again < 2; ++again) {
      CHECK_EQ(faulted_outside(), 1);
      std::thread([] { CHECK_EQ(faulted_outside(), 1); }).join();
    }
  });

#if MAGPIE_CHECKS_BOUNDS
  test::run("the field that an index is outside of", [] {
    struct reading {
      array<std::uint32_t> from;
      array<const std::uint32_t> to;
      void operator()(const thread& self) const {
        if (self.rank() != 2) return;
        working_on(40);
        static_cast<void>(ld_rlx_dev(&to[from[0]]));
      }
    };
    char message[512] = "";
    std::uint32_t index = 9;
    const std::uint32_t values[5] = {};
    const std::string fields = reflection::field_lines<reading>();
    const reading work{{&index, 1}, {values, 5}};
    const magpie_launch_args args{4, 0, 4, 0, 0, 2, 0};
    CHECK_EQ(run_grid(
                 "tried", [](const void* f, const thread& self) { (*static_cast<const reading*>(f))(self); }, &work, args,
                 message, sizeof message, fields.c_str()),
             launch_bounds_fault);
    CHECK_EQ(std::string(message), std::string("kernel tried: thread 2, item 40: index 9 is outside 'to' of length 5"));
  });
#endif
  return test::finish();
}
