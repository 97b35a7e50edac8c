package io.magpie.stm;

import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.Closing;
import io.magpie.stm.internal.DeviceAccess;
import io.magpie.stm.internal.DeviceSpec;
import io.magpie.stm.internal.ElementType;
import io.magpie.stm.internal.cuda.CudaBackend;
import io.magpie.stm.internal.cuda.CudaDriver;
import io.magpie.stm.internal.host.HostBackend;
import io.magpie.stm.internal.toolchain.Defines;
import io.magpie.stm.internal.toolchain.ModuleArtifacts;
import io.magpie.stm.internal.toolchain.ModuleSource;
import io.magpie.stm.internal.toolchain.UnpackedLibraries;
import io.magpie.stm.simulator.AccessTrace.Tracer;
import io.magpie.stm.simulator.Simulator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A machine that runs kernels, with its memory. Everything asked of a device happens in the order
 * of the calls; calls that return before the work is done say so. Thread-safe: calls of several
 * threads take turns.
 *
 * <pre>{@code
 * try (Device device = Device.open("auto");
 *     KernelModule module = device.compile(Path.of("transfer.cu"));
 *     StmObjects accounts = device.objects(n);
 *     DeviceArray<int[]> balance = device.copyOf(initial);
 *     DeviceArray<int[]> from = device.copyOf(payers);
 *     DeviceArray<int[]> to = device.copyOf(payees)) {
 *   Fields fields =
 *       new Fields()
 *           .set("accounts", accounts)
 *           .set("balance", balance)
 *           .set("from", from)
 *           .set("to", to)
 *           .set("amount", 7);
 *   RegionReport report = module.region("transfer").run(items, fields);
 * }
 * }</pre>
 *
 * <p>Specifications: {@code auto} (the GPU if the driver answers, else {@code cpu}), {@code
 * cuda[:number]}, {@code cpu[:threads]}, {@code cpu-checked[:threads]} (the same with bounds
 * checks: slower, for finding faults), {@code sim[:seed[:width]]} (default seed 0 = round robin,
 * width 32; bounds always checked).
 *
 * <p>Bounds of arrays are tested on {@code cpu-checked} and {@code sim} only: elsewhere a wild
 * index may overwrite other data, or end a GPU for this process. A division by zero, an access
 * where there is no memory and a stack that overflows are {@link KernelFaultException}s on all
 * devices but GPUs, which do not notice the first. The property {@code magpie.sim.steps} bounds the
 * scheduling steps of a launch on {@code sim}, 1,000,000,000 by default and 0 for no bound: a
 * kernel that does not end by then has failed, too.
 *
 * <p>After a CUDA fault a device is dead for the rest of the process: every call but {@link
 * #close()} and the descriptive ones throws a {@link KernelFaultException} or {@link
 * MagpieException} that says so.
 */
public final class Device implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Device.class);

  /** Property: whether allocation sites are kept, and what {@link #close} does about leaks. */
  private static final String TRACK_LEAKS = "magpie.trackLeaks";

  static {
    DeviceAccess.install(new FacadeAccess());
  }

  /**
   * Something of a device that has not been closed.
   *
   * @param what the thing, such as {@code int array of 100 elements}
   * @param allocation where it was made; null unless the property {@code magpie.trackLeaks} asks
   *     for it
   */
  public record Leak(String what, Throwable allocation) {
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(what).append(" is still open");
      if (allocation != null) {
        for (StackTraceElement frame : allocation.getStackTrace()) {
          text.append("\n    at ").append(frame);
        }
      }
      return text.toString();
    }
  }

  /** Devices of this process so far. */
  private static final AtomicLong COUNT = new AtomicLong();

  private final long number = COUNT.getAndIncrement();
  private final Backend backend;
  private final DeviceDescription description;
  private final ReentrantLock queue = new ReentrantLock();
  private final Map<Object, Leak> open = new ConcurrentHashMap<>();
  private final boolean failOnLeaks = "fail".equals(System.getProperty(TRACK_LEAKS));
  private final boolean trackLeaks = failOnLeaks || Boolean.getBoolean(TRACK_LEAKS);
  private final Map<BuiltIn, KernelModule.Code> builtIn = new HashMap<>();
  private final Map<String, Map<String, String>> defined = new ConcurrentHashMap<>();
  private final Map<Class<?>, AutoCloseable> kept = new LinkedHashMap<>();
  private RunRecorder runRecorder;
  private final Cancellation cancellation = new Cancellation();
  private boolean closed;

  /** A built-in module in one of its variants. */
  private record BuiltIn(String name, Defines defines) {}

  /** On a back-end that is this device's alone. */
  Device(Backend backend) {
    this.backend = backend;
    this.description = backend.description();
  }

  /**
   * Opens a device.
   *
   * @param spec a specification, see the class comment
   * @throws IllegalArgumentException if the specification is malformed; the message says what is
   *     allowed
   * @throws DeviceUnavailableException if there is no such device; the message says what there is
   * @throws CodeStorageException if native code can be kept in no folder that is this user's alone
   */
  public static Device open(String spec) {
    UnpackedLibraries.chooseFolder();
    DeviceSpec parsed = DeviceSpec.parse(spec);
    return switch (parsed.kind()) {
      case CPU, SIM -> new Device(new HostBackend(parsed));
      case CUDA -> new Device(openCuda(parsed.index()));
      case AUTO ->
          new Device(
              CudaDriver.deviceCount() > 0
                  ? openCuda(0)
                  : new HostBackend(DeviceSpec.parse("cpu")));
    };
  }

  private static Backend openCuda(int index) {
    int count = CudaDriver.deviceCount();
    if (index >= count) {
      throw new DeviceUnavailableException(
          "device 'cuda:"
              + index
              + "': "
              + whyNoGpu()
                  .orElse(
                      "there "
                          + (count == 1 ? "is 1 GPU" : "are " + count + " GPUs")
                          + ", numbered from 0")
              + "; there are: "
              + String.join(", ", list().stream().map(DeviceDescription::spec).toList()));
    }
    return new CudaBackend(index);
  }

  /**
   * The devices of this machine: each GPU, then {@code cpu} with a thread for each processor, then
   * {@code sim} with its defaults.
   */
  public static List<DeviceDescription> list() {
    UnpackedLibraries.chooseFolder();
    List<DeviceDescription> devices = new ArrayList<>(CudaDriver.describeAll());
    devices.add(HostBackend.describe(DeviceSpec.parse("cpu")));
    devices.add(HostBackend.describe(DeviceSpec.parse("sim")));
    return devices;
  }

  /** Why there is no GPU; empty if there is one. */
  public static Optional<String> whyNoGpu() {
    UnpackedLibraries.chooseFolder();
    return CudaDriver.deviceCount() > 0
        ? Optional.empty()
        : Optional.of("no GPU here (" + CudaDriver.whyUnavailable() + ")");
  }

  /** What this device is. */
  public DeviceDescription description() {
    return description;
  }

  /** The kind of machine. */
  public Machine machine() {
    return description.machine();
  }

  /** Threads of a warp. */
  public int warpWidth() {
    return description.warpWidth();
  }

  /**
   * An array of zeros.
   *
   * @param length number of elements; more than 2^31 are fine
   * @throws DeviceOutOfMemoryException if the device has too little free memory
   */
  public DeviceArray<int[]> ints(long length) {
    return array(ElementType.INT, length);
  }

  /** An array of zeros; see {@link #ints}. */
  public DeviceArray<byte[]> bytes(long length) {
    return array(ElementType.BYTE, length);
  }

  /** An array of zeros; see {@link #ints}. */
  public DeviceArray<short[]> shorts(long length) {
    return array(ElementType.SHORT, length);
  }

  /** An array of zeros; see {@link #ints}. */
  public DeviceArray<long[]> longs(long length) {
    return array(ElementType.LONG, length);
  }

  /** An array of zeros; see {@link #ints}. */
  public DeviceArray<float[]> floats(long length) {
    return array(ElementType.FLOAT, length);
  }

  /** An array of zeros; see {@link #ints}. */
  public DeviceArray<double[]> doubles(long length) {
    return array(ElementType.DOUBLE, length);
  }

  /** A copy of a Java array on the device. */
  public DeviceArray<int[]> copyOf(int... values) {
    return copied(ElementType.INT, values, values.length);
  }

  /** A copy of a Java array on the device. */
  public DeviceArray<byte[]> copyOf(byte[] values) {
    return copied(ElementType.BYTE, values, values.length);
  }

  /** A copy of a Java array on the device. */
  public DeviceArray<short[]> copyOf(short[] values) {
    return copied(ElementType.SHORT, values, values.length);
  }

  /** A copy of a Java array on the device. */
  public DeviceArray<long[]> copyOf(long... values) {
    return copied(ElementType.LONG, values, values.length);
  }

  /** A copy of a Java array on the device. */
  public DeviceArray<float[]> copyOf(float... values) {
    return copied(ElementType.FLOAT, values, values.length);
  }

  /** A copy of a Java array on the device. */
  public DeviceArray<double[]> copyOf(double... values) {
    return copied(ElementType.DOUBLE, values, values.length);
  }

  private <A> DeviceArray<A> array(ElementType<A> type, long length) {
    return DeviceArray.allocate(this, type, length);
  }

  private <A> DeviceArray<A> copied(ElementType<A> type, A values, int length) {
    DeviceArray<A> array = array(type, length);
    try {
      array.copyFrom(values);
    } catch (RuntimeException e) {
      array.close();
      throw e;
    }
    return array;
  }

  /**
   * Transactional objects, all unclaimed: one tracking word for each.
   *
   * @param count number of objects, from 0 to 2^32 - 2
   */
  public StmObjects objects(long count) {
    return new StmObjects(this, count);
  }

  /**
   * Transactional objects, all unclaimed, each with one element next to its tracking word, zero at
   * first.
   *
   * @param type the Java array type of the data, such as {@code int[].class}
   * @param count number of cells, from 0 to 2^32 - 2
   * @throws DeviceOutOfMemoryException if the device has too little free memory: 8 bytes per cell,
   *     for elements of 8 bytes 16
   */
  public <A> GuardedCells<A> cells(Class<A> type, long count) {
    return cells(type, count, 1);
  }

  /**
   * The same with structs for data, which are aligned as their elements are.
   *
   * @param each elements of a struct, of 64 bytes at most
   */
  public <A> GuardedCells<A> cells(Class<A> type, long count, int each) {
    return cells(type, count, each, 0);
  }

  /**
   * The same with structs that are aligned to more bytes than their elements, as by {@code
   * alignas(8)}, or because they have larger members than these.
   *
   * @param each elements of a struct, of 64 bytes at most
   * @param alignment of a struct, at most 8; 0 = that of its elements
   */
  public <A> GuardedCells<A> cells(Class<A> type, long count, int each, int alignment) {
    return GuardedCells.beside(this, ElementType.of(type), count, each, alignment);
  }

  /**
   * Fused cells, all unclaimed: transactional objects, each with one element of 4 bytes in one
   * place with its tracking word, zero at first. For fields {@code magpie::stm::fused_cells<T>}.
   *
   * @param type {@code int[].class} or {@code float[].class}
   * @param count number of cells, from 0 to 2^32 - 2
   * @throws IllegalArgumentException if elements of the type have another size
   * @throws DeviceOutOfMemoryException if the device has too little free memory: 8 bytes per cell
   */
  public <A> GuardedCells<A> fusedCells(Class<A> type, long count) {
    return GuardedCells.fused(this, ElementType.of(type), count);
  }

  /**
   * A pool of slots for regions to take and free.
   *
   * @param capacity number of slots, from 0 to 2^31 - 1
   * @param firstFree slots from here on are free, those before live
   * @throws DeviceOutOfMemoryException if the device has too little free memory: 8 bytes per slot
   */
  public SlotPool newSlotPool(long capacity, long firstFree) {
    return new SlotPool(this, capacity, firstFree);
  }

  /**
   * An empty worklist for {@linkplain Region#runRounds runs in rounds}.
   *
   * @param initialCapacity items that it has room for; it grows by itself
   */
  public Worklist newWorklist(long initialCapacity) {
    return new Worklist(this, initialCapacity);
  }

  /**
   * Loads a module that ships with Magpie or another jar on the class path. The device loads it
   * once and keeps it until it closes: later calls, also after {@link KernelModule#close()}, cost
   * next to nothing.
   *
   * <p>A jar of yours has the module NAME if it has {@code
   * META-INF/magpie/modules/NAME/index.properties}, which may be empty, and the source {@code
   * META-INF/magpie/source/NAME/NAME.cu}, whose folder and file are named like the module. What the
   * source includes lies next to it.
   *
   * @param name such as {@code msf}
   * @throws ModuleNotFoundException if there is none of that name, or neither code nor source of it
   * @throws CompilationException if it was built without this machine's flavor and cannot be
   *     compiled here
   */
  public KernelModule load(String name) {
    return load(name, Map.of());
  }

  /**
   * Loads a module in a variant that macros choose, such as {@code MAGPIE_RECORD}; see {@link
   * #load(String)}.
   *
   * @param name such as {@code msf}
   * @param defines macros and their values; if there are any, the source in the jar is compiled, or
   *     taken from the cache on disk
   * @throws IllegalArgumentException if a name is not an identifier, or a value has other
   *     characters than letters, digits and underscores
   * @throws ModuleNotFoundException if there is no module of that name
   * @throws CompilationException if it cannot be compiled here
   */
  public KernelModule load(String name, Map<String, String> defines) {
    Map<String, String> all = new HashMap<>(defined.getOrDefault(name, Map.of()));
    all.putAll(defines);
    BuiltIn wanted = new BuiltIn(name, Defines.of(all));
    KernelModule.Code code = builtIn(wanted);
    return exclusively(
        () ->
            new KernelModule(
                this, code, more -> builtIn(new BuiltIn(name, with(more, all))).loaded(), false));
  }

  /** Its code, which stays until the device closes. */
  private KernelModule.Code builtIn(BuiltIn wanted) {
    KernelModule.Code known = exclusively(() -> builtIn.get(wanted));
    if (known != null) {
      return known;
    }
    ModuleArtifacts artifacts =
        ModuleSource.builtIn(
            wanted.name, wanted.defines, backend.flavors()); // outside of the queue: it may compile
    return exclusively(() -> builtIn.computeIfAbsent(wanted, absent -> code(artifacts)));
  }

  private static Defines with(Map<String, String> more, Map<String, String> defines) {
    Map<String, String> all = new HashMap<>(defines);
    all.putAll(more);
    return Defines.of(all);
  }

  /**
   * From now on, whoever loads this module gets a variant that macros choose: algorithms load their
   * modules themselves. Macros given to {@link #load(String, Map)} come on top. Modules that are
   * already loaded stay as they are.
   *
   * @param name such as {@code partition}
   * @param defines macros and their values, in place of those of an earlier call; empty, as
   *     initially, is the module as it was built
   * @throws IllegalArgumentException if a name is not an identifier, or a value has other
   *     characters than letters, digits and underscores
   */
  public void define(String name, Map<String, String> defines) {
    Defines.of(defines); // to refuse what is malformed here and not where it is loaded
    defined.put(name, Map.copyOf(defines));
  }

  /**
   * Compiles and loads a module, or takes it from the cache on disk. Its regions are compiled for
   * {@link Policy#HAND_OFF}, or for {@link Policy#PRIORITY_RULE} as well if the source defines
   * {@code MAGPIE_ALL_POLICIES} before its first include. For another policy, and to {@linkplain
   * StmOptions#conflictSampling() sample conflicts}, the source is compiled again when a run first
   * asks for it; variables of the module (stm-kernels, {@code MAGPIE_MODULE_VARIABLE}) are then
   * that code's own.
   *
   * @param source a {@code .cu} file
   * @throws CompilationException if a compiler is missing or reports errors
   */
  public KernelModule compile(Path source) {
    return compile(source, Map.of());
  }

  /**
   * Compiles and loads a module with macros defined, or takes it from the cache on disk. {@code
   * MAGPIE_RECORD} gives regions that can be {@linkplain Region#record recorded}.
   *
   * @param source a {@code .cu} file
   * @param defines macros and their values
   * @throws IllegalArgumentException if a name is not an identifier, or a value has other
   *     characters than letters, digits and underscores
   * @throws CompilationException if a compiler is missing or reports errors
   */
  public KernelModule compile(Path source, Map<String, String> defines) {
    Map<String, String> kept = Map.copyOf(defines);
    KernelModule.Code code = compiled(source, Defines.of(kept));
    return exclusively(
        () ->
            new KernelModule(
                this, code, more -> compiled(source, with(more, kept)).loaded(), true));
  }

  private KernelModule.Code compiled(Path source, Defines defines) {
    ModuleArtifacts artifacts = ModuleSource.compile(source, defines, backend.flavors());
    return exclusively(() -> code(artifacts));
  }

  private KernelModule.Code code(ModuleArtifacts artifacts) {
    Backend.LoadedModule loaded = backend.load(artifacts);
    SharedConstants.check(artifacts.name(), loaded.table());
    return new KernelModule.Code(artifacts, loaded);
  }

  /** Free memory in bytes, as the system reports it. */
  public long freeBytes() {
    return exclusively(backend::freeBytes);
  }

  /** Waits until everything that was asked of the device is done. */
  public void synchronize() {
    exclusively(
        () -> {
          backend.synchronize();
          return null;
        });
  }

  /**
   * Whether all threads of a launch can wait for each other within it: on GPUs that have
   * cooperative launches, and on simulators. Kernels and regions that do so run on one thread of
   * processors, and are refused by other GPUs.
   */
  public boolean hasGridBarrier() {
    return exclusively(() -> backend().hasGridBarrier());
  }

  /** Starts to measure a span of launches, without waiting for anything. */
  public Timer startTimer() {
    return exclusively(() -> new Timer(this));
  }

  /**
   * Ends the run of a region, or in rounds, that is under way on this device, and those that were
   * {@linkplain Region#start started}, as if their time were up: items that have not ended are
   * unfinished, or wait in the worklist. From any thread; returns at once, and does nothing where
   * there is no run. A run that was started on a GPU goes on until a call waits for it or for
   * something behind it. Interrupting the thread that runs a region does not end the run.
   */
  public void cancelRun() {
    cancellation.ask();
  }

  /** Runs a region, in one launch or many, while no other thread uses the back-end. */
  <T> T running(Supplier<T> run) {
    return exclusively(() -> cancellation.during(run));
  }

  /** What ends runs; a run notes its watches there. */
  Cancellation cancellation() {
    return cancellation;
  }

  /** Whether a fault has made the device unusable for the rest of the process. */
  public boolean isDead() {
    return backend.fault() != null;
  }

  /**
   * A recording of histories, empty; see {@link Region#record}. Its memory is allocated by the
   * first recorded run.
   *
   * @param options what is recorded
   */
  public Recording recording(Recording.Options options) {
    Objects.requireNonNull(options, "options");
    return exclusively(() -> new DeviceRecording(this, options));
  }

  /**
   * Records all runs of regions that are not recorded otherwise, such as those inside an algorithm;
   * their modules must be compiled for it, see {@link #define}. A run whose module is not, or whose
   * recording belongs to another device, fails as {@link Region#record} does.
   *
   * <pre>{@code
   * device.define("partition", Map.of("MAGPIE_RECORD", "1"));
   * device.setRunRecorder(recorder);
   * GraphPartitioner.run(device, graph, options);
   * }</pre>
   *
   * @param recorder gives the recordings and is told of the runs; null, as initially, records
   *     nothing
   */
  public void setRunRecorder(RunRecorder recorder) {
    exclusively(
        () -> {
          runRecorder = recorder;
          return null;
        });
  }

  /** What asks for recordings of runs, or null; for use within {@link #exclusively}. */
  RunRecorder runRecorder() {
    return runRecorder;
  }

  /**
   * What this device has as a simulator: schedules, their traces, counts of accesses.
   *
   * @throws UnsupportedOperationException if it is none
   */
  public Simulator simulator() {
    return new DeviceSimulator(this, exclusively(backend::simulator));
  }

  /**
   * What tells of each access that launches make, also past transactions: on {@code cpu} and {@code
   * sim}, of modules compiled with {@code MAGPIE_TRACE}.
   *
   * @throws UnsupportedOperationException on a GPU
   */
  public Tracer tracer() {
    return new DeviceTracer(this, exclusively(backend::tracer));
  }

  /**
   * What is open on this device now: arrays, objects, modules. With the property {@code
   * magpie.trackLeaks}, {@code true} or {@code fail}, each tells where it was made.
   */
  public List<Leak> leaks() {
    return List.copyOf(open.values());
  }

  /**
   * Closes the device and everything on it. Closing twice is harmless.
   *
   * <p>What was still open is a leak. The property {@code magpie.trackLeaks} says what becomes of
   * it: nothing by default; {@code true} logs it with its place of allocation; {@code fail} throws,
   * for tests.
   *
   * @throws IllegalStateException if something was open and the property is {@code fail}; each
   *     leak's place of allocation is attached as suppressed
   */
  @Override
  public void close() {
    queue.lock();
    try {
      if (closed) {
        return;
      }
      RuntimeException failure = failOnLeaks ? leakage() : null;
      if (trackLeaks && !failOnLeaks) {
        for (Leak leak : open.values()) {
          LOG.warn("{} closes, but its {}", description.spec(), leak);
        }
      }
      List<AutoCloseable> parts = new ArrayList<>();
      open.keySet().forEach(each -> parts.add((Owned) each));
      builtIn.values().forEach(each -> parts.add(() -> whileOpen(each.loaded()::close)));
      builtIn.clear();
      parts.addAll(kept.values());
      for (AutoCloseable part : parts) {
        failure = Closing.close(part, failure);
      }
      closed = true;
      failure = Closing.close(backend, failure);
      if (failure != null) {
        throw failure;
      }
    } finally {
      queue.unlock();
    }
  }

  /** What is open, as an exception; null if nothing is. */
  private IllegalStateException leakage() {
    List<Leak> leaks = leaks();
    if (leaks.isEmpty()) {
      return null;
    }
    IllegalStateException failure =
        new IllegalStateException(
            leaks.stream()
                .map(Leak::what)
                .collect(
                    Collectors.joining(
                        ", ", description.spec() + " closes, but still open: ", "")));
    leaks.forEach(leak -> failure.addSuppressed(leak.allocation()));
    return failure;
  }

  @Override
  public String toString() {
    return description.toString();
  }

  /** Something that belongs to a device and is closed with it. */
  interface Owned extends AutoCloseable {
    @Override
    void close();
  }

  /** Notes that something is open; for use within {@link #exclusively}. */
  void opened(Owned owned, String what) {
    assert queue.isHeldByCurrentThread() : "a device that closes meanwhile would not know of it";
    open.put(owned, new Leak(what, trackLeaks ? new Throwable("allocation of " + what) : null));
  }

  /** Notes that it is no longer. */
  void closed(Owned owned) {
    open.remove(owned);
  }

  /** The back-end, for use within {@link #exclusively}. */
  Backend backend() {
    return backend;
  }

  /**
   * What was {@linkplain #keep kept} of this type, or null; for use within {@link #exclusively}.
   */
  <T extends AutoCloseable> T kept(Class<T> type) {
    return type.cast(kept.get(type));
  }

  /** Keeps one thing of its type, to close it with the device; within {@link #exclusively}. */
  <T extends AutoCloseable> T keep(T part) {
    kept.put(part.getClass(), part);
    return part;
  }

  /** Allocates zeroed memory; for use within {@link #exclusively}. */
  long allocate(long bytes, String what) {
    return allocate(bytes, what, "");
  }

  /**
   * Allocates zeroed memory; for use within {@link #exclusively}.
   *
   * @param remedy what to do where there is too little; empty if that is plain
   */
  long allocate(long bytes, String what, String remedy) {
    if (bytes == 0) {
      return 0;
    }
    long address = backend.allocate(bytes);
    RunBuffers ofRuns = kept(RunBuffers.class);
    if (address == 0 && ofRuns != null && ofRuns.freeIdle()) {
      address = backend.allocate(bytes);
    }
    if (address == 0) {
      throw new DeviceOutOfMemoryException(
          what, description.spec(), bytes, backend.freeBytes(), remedy);
    }
    return address;
  }

  /** Frees memory if there is a device left to free it on. */
  void free(long address) {
    if (address != 0) {
      whileOpen(() -> backend.free(address));
    }
  }

  /** Does something while no other thread uses the back-end, if there is a device left for it. */
  void whileOpen(Runnable action) {
    queue.lock();
    try {
      if (!closed && backend.fault() == null) {
        action.run();
      }
    } finally {
      queue.unlock();
    }
  }

  /** Runs something that uses the back-end while no other thread does. */
  <T> T exclusively(Supplier<T> action) {
    queue.lock();
    try {
      if (closed) {
        throw new IllegalStateException("device " + description.spec() + " is closed");
      }
      if (backend.fault() != null) {
        throw new MagpieException(
            description.spec()
                + ": device is dead: a new process is needed ("
                + backend.fault()
                + ")");
      }
      return action.get();
    } finally {
      queue.unlock();
    }
  }

  /**
   * The same of this device and another one. All threads that want two take the one first that was
   * opened first, so that none waits for another for ever.
   *
   * @throws IllegalStateException if this thread has the one that was opened last, and no more
   */
  <T> T exclusively(Device other, Supplier<T> action) {
    Device first = number < other.number ? this : other;
    Device second = first == this ? other : this;
    if (second.queue.isHeldByCurrentThread() && !first.queue.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "a copy between "
              + first.description.spec()
              + " and "
              + second.description.spec()
              + " inside a call of "
              + second.description.spec()
              + ", which was opened last, could wait forever: copy when the call has returned");
    }
    return first.exclusively(() -> second.exclusively(action));
  }
}
