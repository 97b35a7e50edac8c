package io.magpie.stm.internal.host;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.magpie.stm.DeviceDescription;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.DeviceSpec;
import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.internal.WorkerPool;
import io.magpie.stm.internal.host.LaunchStructs.Arguments;
import io.magpie.stm.internal.host.LaunchStructs.SharedGrid;
import io.magpie.stm.internal.toolchain.Flavor;
import io.magpie.stm.internal.toolchain.ModuleArtifacts;
import io.magpie.stm.simulator.AccessTrace.Tracer;
import io.magpie.stm.simulator.Simulator;
import io.magpie.stm.simulator.Simulator.Trace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The {@code cpu} and {@code sim} devices: kernels are functions of shared libraries, called
 * through JNA. A launch has finished when it returns.
 *
 * <p>On {@code cpu} a fixed pool of daemon threads and the caller take the grid's logical threads
 * one by one, within one call each. On {@code sim} the caller runs the whole grid.
 */
public final class HostBackend implements Backend {
  /** Logical threads for each host thread: enough to even out slices of unequal work. */
  private static final int SLICES_PER_THREAD = 4;

  /** Items that are worth a slice of their own. */
  private static final int ITEMS_PER_SLICE = 256;

  private static final int TRANSACTIONS_PER_SLICE = 16;

  /** Threads of the simulator's grid: 4 warps of 32. Every step costs, whoever takes it. */
  private static final int SIMULATED_THREADS = 128;

  /** Threads that the simulator can hold. */
  private static final int MOST_SIMULATED_THREADS = 32_768;

  /** Property: scheduling steps after which a launch on {@code sim} is a fault; 0 = no bound. */
  private static final String STEPS_PROPERTY = "magpie.sim.steps";

  /** Half a minute or more: nobody waits for more than that on purpose. */
  private static final long DEFAULT_STEPS = 1_000_000_000;

  private static final int MESSAGE_BYTES = 1024;
  private static final long MOST_THREADS = (1L << 32) - 1;

  private final DeviceSpec spec;
  private final int hostThreads;
  private final long mostSteps = Long.getLong(STEPS_PROPERTY, DEFAULT_STEPS);
  private final WorkerPool pool;
  private final List<NativeStructs<Arguments>> arguments = new ArrayList<>(); // of each host thread
  private NativeStructs<SharedGrid> sharedGrid;
  private LaunchStructs structs; // as which these are laid out; null: there was no launch
  private final Memory[] messages;
  private final Simulation simulation; // null on processors
  private final ThreadTracer tracer; // null on the simulator

  /**
   * @param spec a specification of kind {@code CPU} or {@code SIM}
   */
  public HostBackend(DeviceSpec spec) {
    this.spec = spec;
    boolean cpu = spec.kind() == DeviceSpec.Kind.CPU;
    hostThreads = cpu ? threadsOf(spec) : 1;
    simulation = cpu ? null : new Simulation();
    tracer = cpu ? new ThreadTracer() : null;
    pool = new WorkerPool(hostThreads, "magpie-" + specText(spec));
    messages = new Memory[hostThreads];
    for (int i = 0; i < hostThreads; i++) {
      messages[i] = new Memory(MESSAGE_BYTES);
    }
  }

  private static int threadsOf(DeviceSpec spec) {
    return spec.threads() > 0 ? spec.threads() : Runtime.getRuntime().availableProcessors();
  }

  private static String specText(DeviceSpec spec) {
    return spec.kind() == DeviceSpec.Kind.CPU
        ? (spec.checked() ? "cpu-checked:" : "cpu:") + threadsOf(spec)
        : "sim:" + spec.seed() + ":" + spec.width();
  }

  /** What such a device is, without opening it. */
  public static DeviceDescription describe(DeviceSpec spec) {
    if (spec.kind() == DeviceSpec.Kind.CPU) {
      int threads = threadsOf(spec);
      return new DeviceDescription(
          specText(spec),
          Machine.CPU,
          "processor",
          1,
          threads,
          HostMemory.totalBytes(),
          threads
              + (threads == 1 ? " thread, " : " threads, ")
              + (spec.checked() ? "bounds checked" : "bounds not checked"));
    }
    return new DeviceDescription(
        specText(spec),
        Machine.SIM,
        "simulated GPU",
        spec.width(),
        1,
        HostMemory.totalBytes(),
        "warps of "
            + spec.width()
            + ", "
            + (spec.seed() == 0 ? "round robin" : "random schedule of seed " + spec.seed()));
  }

  @Override
  public DeviceDescription description() {
    return describe(spec);
  }

  @Override
  public Set<Flavor> flavors() {
    return Set.of(flavor());
  }

  private Flavor flavor() {
    return spec.kind() == DeviceSpec.Kind.SIM
        ? Flavor.SIM
        : spec.checked() ? Flavor.CPU_CHECKED : Flavor.CPU;
  }

  @Override
  public long allocate(long bytes) {
    return HostMemory.allocate(bytes);
  }

  @Override
  public void free(long address) {
    HostMemory.free(address);
  }

  @Override
  public long freeBytes() {
    return HostMemory.freeBytes();
  }

  @Override
  public void write(Object array, int index, int count, long address) {
    HostMemory.write(array, index, count, address);
  }

  @Override
  public void read(long address, Object array, int index, int count) {
    HostMemory.read(address, array, index, count);
  }

  @Override
  public void write(ByteBuffer source, long address) {
    HostMemory.write(source, address);
  }

  @Override
  public void read(long address, ByteBuffer target) {
    HostMemory.read(address, target);
  }

  @Override
  public void copy(long from, long to, long bytes) {
    HostMemory.copy(from, to, bytes);
  }

  /** A launch has finished when it returns, and all such devices have this process's memory. */
  @Override
  public boolean copyFrom(Backend other, long from, long to, long bytes) {
    if (!(other instanceof HostBackend)) {
      return false;
    }
    HostMemory.copy(from, to, bytes);
    return true;
  }

  @Override
  public void fill(long address, long value, int valueBytes, long count, int stride) {
    if (stride == valueBytes) {
      HostMemory.fill(address, value, valueBytes, count);
    } else {
      HostMemory.fillApart(address, value, valueBytes, count, stride);
    }
  }

  @Override
  public LoadedModule load(ModuleArtifacts artifacts) {
    return HostModule.open(artifacts.file(flavor()), artifacts.origin());
  }

  @Override
  public void launch(
      LoadedModule module, ModuleTable.Kernel kernel, ByteBuffer functor, Grid grid) {
    launch(module, kernel, functor, grid, null);
  }

  /**
   * Runs a kernel; gives whether its time was up. After a fault that is so at once: other threads
   * may wait for what the faulting one claimed, or never end by themselves.
   */
  private boolean launch(
      LoadedModule module, ModuleTable.Kernel kernel, ByteBuffer functor, Grid grid, Watch watch) {
    Pointer parameter = Native.getDirectBufferPointer(functor);
    AtomicReference<Throwable> fault = new AtomicReference<>();
    HostModule code = (HostModule) module;
    boolean wholeGrid = spec.kind() == DeviceSpec.Kind.SIM;
    long seed = grid.seed() >= 0 ? grid.seed() : spec.seed();
    long steps = wholeGrid ? simulation.mostSteps(mostSteps) : 0;
    layOut(code.structs());
    long told = wholeGrid ? simulation.begin(structs) : tracer.begin(structs);
    sharedGrid.clear(1);
    sharedGrid.set(SharedGrid.THREADS, grid.threads());
    sharedGrid.set(SharedGrid.MOST_HELPERS, hostThreads - 1);
    Watchdog.Guard guard = Watchdog.start(watch, () -> code.interrupt(parameter));
    if (watch != null) {
      watch.onCancel(guard::endEarly);
    }
    WorkerPool.Task task =
        worker -> {
          NativeStructs<Arguments> args = arguments.get(worker);
          Memory message = messages[worker];
          args.set(Arguments.THREADS, grid.threads());
          args.set(Arguments.SEED, seed);
          args.set(Arguments.MAX_STEPS, steps);
          args.set(Arguments.WIDTH, spec.width());
          args.set(Arguments.HELPS, worker == 0 ? 0 : 1);
          args.set(Arguments.SIMULATION, told);
          args.set(Arguments.GRID, wholeGrid ? 0 : sharedGrid.address());
          message.setByte(0, (byte) 0);
          int result;
          try {
            result =
                code.launch()
                    .invokeInt(
                        new Object[] {
                          kernel.index(), parameter, args.pointer(), message, (long) MESSAGE_BYTES
                        });
          } catch (RuntimeException | Error e) {
            fault.compareAndSet(null, e);
            guard.endEarly();
            throw e;
          }
          String reason = result == Trace.OK ? "" : faultMessage(result, message);
          if (wholeGrid) {
            simulation.ended(result, reason);
          }
          if (result != Trace.OK) {
            fault.compareAndSet(
                null, new KernelFaultException(kernel.name(), grid.toString(), reason, false));
            guard.endEarly();
          }
        };
    boolean timedOut;
    try {
      pool.run(task, (int) Math.min(hostThreads, grid.threads()) - 1);
    } finally {
      timedOut = guard.end();
    }
    if (fault.get() instanceof KernelFaultException e) {
      throw e;
    }
    return timedOut;
  }

  /** Makes room for the arguments of launches that are laid out so. */
  private void layOut(LaunchStructs wanted) {
    if (structs == wanted) {
      return;
    }
    arguments.clear();
    for (int i = 0; i < hostThreads; i++) {
      arguments.add(NativeStructs.zeros(wanted.arguments()));
    }
    sharedGrid = NativeStructs.zeros(wanted.sharedGrid());
    structs = wanted;
  }

  private String faultMessage(int code, Memory message) {
    LaunchStructs.LaunchCode known = structs.codes().constant(code);
    String kind = known == null ? "fault " + code : known.text();
    String text = message.getString(0, "UTF-8");
    return text.isEmpty() ? kind : kind + ": " + text;
  }

  @Override
  public Completion run(
      LoadedModule module,
      ModuleTable.Kernel kernel,
      ByteBuffer functor,
      Grid grid,
      Watch watch,
      ReadBack readBack) {
    long begin = System.nanoTime();
    boolean timedOut = launch(module, kernel, functor, grid, watch);
    long end = System.nanoTime();
    if (readBack != null) {
      HostMemory.read(readBack.address(), readBack.target(), 0, readBack.target().length);
    }
    return new Completion((end - begin) / 1e6, timedOut);
  }

  @Override
  public Simulator simulator() {
    return simulation == null ? Backend.super.simulator() : simulation;
  }

  @Override
  public Tracer tracer() {
    return simulation == null ? tracer : simulation;
  }

  @Override
  public boolean hasGridBarrier() {
    return spec.kind() == DeviceSpec.Kind.SIM;
  }

  /** Whether it has to run on one thread: parts of a grid run one after the other. */
  private boolean isAlone(ModuleTable.Kernel kernel) {
    return kernel.meetsGrid() && !hasGridBarrier();
  }

  @Override
  public Grid gridFor(LoadedModule module, ModuleTable.Kernel kernel, long items) {
    if (isAlone(kernel)) {
      return grid(1, -1);
    }
    if (spec.kind() == DeviceSpec.Kind.SIM) {
      return grid(Math.min(wholeWarps(items), wholeWarps(SIMULATED_THREADS)), -1);
    }
    return grid(slices(items, ITEMS_PER_SLICE), -1);
  }

  @Override
  public Grid gridForTransactions(
      LoadedModule module, ModuleTable.Kernel kernel, long items, long mostThreads, long seed) {
    if (isAlone(kernel)) {
      return grid(1, seed);
    }
    if (mostThreads > 0) {
      boolean sim = spec.kind() == DeviceSpec.Kind.SIM;
      long most = Math.min(mostThreads, sim ? MOST_SIMULATED_THREADS : MOST_THREADS);
      int width = sim ? spec.width() : 1;
      return grid(Math.min(wholeWarps(items), Math.max(1, most / width) * width), seed);
    }
    return spec.kind() == DeviceSpec.Kind.SIM
        ? grid(Math.min(wholeWarps(items), wholeWarps(SIMULATED_THREADS)), seed)
        : grid(slices(items, TRANSACTIONS_PER_SLICE), seed);
  }

  private long slices(long items, int itemsPerSlice) {
    long most = hostThreads == 1 ? 1 : (long) hostThreads * SLICES_PER_THREAD;
    return Math.max(1, Math.min(most, items / itemsPerSlice));
  }

  private long wholeWarps(long threads) {
    int width = spec.kind() == DeviceSpec.Kind.SIM ? spec.width() : 1;
    return (Math.max(1, threads) + width - 1) / width * width;
  }

  private static Grid grid(long threads, long seed) {
    return new Grid(threads, (int) Math.min(threads, Integer.MAX_VALUE), seed);
  }

  @Override
  public Span startSpan() {
    long begin = System.nanoTime();
    return new Span() {
      private long end;

      @Override
      public void end() {
        end = System.nanoTime();
      }

      @Override
      public double millis() {
        return (end - begin) / 1e6;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void synchronize() {}

  @Override
  public String fault() {
    return null;
  }

  @Override
  public void close() {
    pool.close();
  }
}
