// What the processor or the host ends: the launch fails with its place, the process and the next launch go on.
// flavors: cpu sim
// build(cpu): -DMAGPIE_CHECKED
// full build(sim): -DMAGPIE_CHECKED
// build: -DMAGPIE_TEST_PLAIN
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "magpie/kernel.cuh"
#include "magpie/detail/field_table.hpp"
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
  large_frame,
  read_beyond,
  raise_it,
  trap,
  throw_it,
  endless,
  endless_access,
  endless_allocation,
  long_computation,
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

/// Reaches far beyond the end of any stack by a single frame, which is first written within it.
__attribute__((noinline)) std::uint32_t large_frame() {
  volatile char frame[16 << 20];
  for (std::size_t i = sizeof frame; i > 0; i -= 1024) frame[i - 1] = 1;
  return static_cast<std::uint32_t>(frame[opaque(1023)]);
}

/// What this thread has had of a processor.
double own_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// For `read_beyond`.
const volatile std::uint32_t* beyond = nullptr;

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
      case deed::impossible_address:
        *opaque(reinterpret_cast<volatile std::uint32_t*>(0xdead'beef'0000'0000)) = 1;
        break;
      case deed::overflow_stack: st_rlx_dev(&words[1], deeper(0)); break;
      case deed::large_frame: st_rlx_dev(&words[1], large_frame()); break;
      case deed::read_beyond: st_rlx_dev(&words[1], *beyond); break;
      case deed::raise_it: raise(SIGFPE); break;
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
      case deed::long_computation:
        for (const double end = own_seconds() + 1; own_seconds() < end;) {
          for (std::uint32_t i = 0; opaque(i) < 100'000; ++i) {
          }
        }
        st_rlx_dev(&words[3], 1u);
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

/// Runs `body` in a process of its own; gives its exit status, or the signal that ended it, negative.
template <class Body>
int ended(Body&& body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    alarm(20);
    _exit(body());
  }
  int status = 0;
  CHECK_EQ(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

void set_handler(int signal, void (*handler)(int), int flags = 0) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaddset(&action.sa_mask, SIGUSR1);
  sigaction(signal, &action, nullptr);
}

/// The first launch, after which the guard's handlers are there.
void launch_once() {
  std::uint32_t words[4] = {};
  launched({deed::nothing, 1, {words, 4}});
}

volatile sig_atomic_t calls = 0;
volatile sig_atomic_t masked = 0;  // of SIGUSR1, SIGUSR2 and SIGFPE, as bits
void count_call(int) {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, nullptr, &mask);
  masked = sigismember(&mask, SIGUSR1) | sigismember(&mask, SIGUSR2) << 1 | sigismember(&mask, SIGFPE) << 2;
  calls = calls + 1;
}
void count_and_take_back(int) {
  calls = calls + 1;
  siglongjmp(way_back, 1);
}

/// What a handler for SIGFPE from before the first launch sees of a signal that is sent: `masked`.
int mask_under(int flags) {
  return ended([flags] {
    set_handler(SIGFPE, &count_call, flags);
    launch_once();
    raise(SIGFPE);
    return calls == 1 ? masked : 100;
  });
}

void* launch_on_own_stack(void* last) {
  std::uint32_t words[4] = {};
  *static_cast<result*>(last) = launched({deed::read_beyond, 1, {words, 4}});
  return nullptr;
}

}  // namespace

int main() {
  test::run("signals that are not a launch's", [] {
    // No handler was there: the process ends, whether by an instruction or because somebody sent the signal.
    CHECK_EQ(ended([] {
               launch_once();
               return opaque(12345u / opaque(0u)) == 1 ? 1 : 2;
             }),
             -SIGFPE);
    for (const int signal : {SIGFPE, SIGSEGV, SIGABRT}) {
      CHECK_EQ(ended([signal] {
                 launch_once();
                 kill(getpid(), signal);
                 return 0;
               }),
               -signal);
    }
    // Ignored: what is sent is, but no fault is.
    CHECK_EQ(ended([] {
               set_handler(SIGFPE, SIG_IGN);
               launch_once();
               kill(getpid(), SIGFPE);
               raise(SIGFPE);
               return 3;
             }),
             3);
    CHECK_EQ(ended([] {
               set_handler(SIGFPE, SIG_IGN);
               launch_once();
               return opaque(12345u / opaque(0u)) == 1 ? 1 : 2;
             }),
             -SIGFPE);
    // Sent to a thread that runs a kernel: no fault of that.
    CHECK_EQ(ended([] {
               set_handler(SIGFPE, &count_call);
               std::uint32_t words[4] = {};
               return launched({deed::raise_it, 1, {words, 4}}).code == launch_ok && calls == 1 ? 4 : 5;
             }),
             4);
    CHECK_EQ(ended([] {
               std::uint32_t words[4] = {};
               return launched({deed::raise_it, 1, {words, 4}}).code == launch_ok ? 6 : 7;
             }),
             -SIGFPE);
  });

  test::run("a handler that was there first is called as it asked to be", [] {
    CHECK_EQ(mask_under(0), 1 | 4);
    CHECK_EQ(mask_under(SA_NODEFER), 1);
    for (const bool once : {false, true}) {
      CHECK_EQ(ended([once] {
                 set_handler(SIGFPE, &count_and_take_back, once ? SA_RESETHAND : 0);
                 launch_once();
                 for (int again = 0; again < 2; ++again) {
                   if (sigsetjmp(way_back, 1) == 0 && opaque(12345u / opaque(0u)) == 1) return 1;
                 }
                 return 8 + calls;
               }),
               once ? -SIGFPE : 10);
    }
    CHECK_EQ(ended([] {
               struct sigaction action {};
               action.sa_flags = SA_SIGINFO;
               action.sa_sigaction = [](int, siginfo_t* info, void* context) {
                 _exit(info->si_code == FPE_INTDIV && context != nullptr ? 11 : 12);
               };
               sigaction(SIGFPE, &action, nullptr);
               launch_once();
               return opaque(12345u / opaque(0u)) == 1 ? 1 : 2;
             }),
             11);
  });

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
            {deed::large_frame, "overflow of the thread's stack"},
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

  test::run("a wild pointer just above the stack is not an overflow", [] {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t bytes = std::size_t{1} << 20;
    void* const room = mmap(nullptr, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(room != MAP_FAILED);
    char* const stack = static_cast<char*>(room) + page;
    CHECK_EQ(mprotect(stack, bytes, PROT_READ | PROT_WRITE), 0);
    beyond = reinterpret_cast<const volatile std::uint32_t*>(stack + bytes);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    CHECK_EQ(pthread_attr_setstack(&attributes, stack, bytes), 0);
    pthread_t thread;
    result last{};
    CHECK_EQ(pthread_create(&thread, &attributes, &launch_on_own_stack, &last), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    CHECK_EQ(last.code, launch_processor_fault);
    char address[32];
    std::snprintf(address, sizeof address, "0x%llx",
                  static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(beyond)));
    CHECK_EQ(last.message, place(1) + "access to address " + address + ", where it has no memory");
    munmap(room, bytes + 2 * page);
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
#if defined(MAGPIE_MACHINE_SIM)
    const launch_code without_steps = launch_stuck;
    const std::uint32_t times = test::scaled(1, 0);  // takes seconds
#else
    const launch_code without_steps = launch_interrupted;
    const std::uint32_t times = 20;
#endif
    const result pure = interrupted({deed::endless, 1, {words, 4}});
    CHECK_EQ(pure.code, without_steps);
    CHECK_EQ(pure.message, place(1) + "still running after its time was up: an endless loop?");
    const result accesses = interrupted({deed::endless_access, 1, {words, 4}});
    CHECK_EQ(accesses.code, launch_interrupted);
#if defined(MAGPIE_MACHINE_SIM)
    CHECK_CONTAINS(accesses.message, "steps, when its time was up: 4 threads, 3 ended");
    CHECK_CONTAINS(accesses.message, "thread 1 at load of item 7");
#else
    CHECK_EQ(accesses.message, place(1) + "still running after its time was up: an endless loop?");
#endif
    for (std::uint32_t again = 0; again < times; ++again) {  // not while the heap is locked
      const result allocating = interrupted({deed::endless_allocation, 1, {words, 4}});
      CHECK_EQ(allocating.code, without_steps);
      std::vector<std::uint32_t> room(1000);
      CHECK_EQ(room[again], 0u);
    }
#if defined(MAGPIE_MACHINE_SIM)
    const result computing = interrupted({deed::long_computation, 1, {words, 4}});
    CHECK_EQ(computing.code, launch_interrupted);
    CHECK_CONTAINS(computing.message, "steps, when its time was up: ");
#endif
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
                 "tried", [](const void* f, const thread& self) { (*static_cast<const reading*>(f))(self); }, &work,
                 args, message, sizeof message, fields.c_str()),
             launch_bounds_fault);
    CHECK_EQ(std::string(message), std::string("kernel tried: thread 2, item 40: index 9 is outside 'to' of length 5"));
  });
#endif
  return test::finish();
}
