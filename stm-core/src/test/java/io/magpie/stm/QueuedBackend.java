package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.DeviceSpec;
import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.internal.host.HostBackend;
import io.magpie.stm.internal.toolchain.Flavor;
import io.magpie.stm.internal.toolchain.ModuleArtifacts;
import io.magpie.stm.simulator.AccessTrace.Tracer;
import io.magpie.stm.simulator.Simulator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A processor or simulator that returns from launches before it has done them, as a GPU does: what
 * is asked of it is done in order once something is waited for. A fault is its end.
 */
final class QueuedBackend implements Backend {
  private final HostBackend host;
  private final Deque<Runnable> due = new ArrayDeque<>();
  private final Map<Long, Long> blocks = new HashMap<>();
  private String fault;
  private int runs;
  private long held;
  private long most = Long.MAX_VALUE;
  private long l2CacheBytes = Long.MAX_VALUE;

  QueuedBackend(String spec) {
    host = new HostBackend(DeviceSpec.parse(spec));
  }

  /** Launches that were run or started, with a watch or without. */
  int runs() {
    return runs;
  }

  /** Things that are still to be done. */
  int due() {
    return due.size();
  }

  /** Bytes that are allocated; freed ones can be had again at once, as on a GPU. */
  long held() {
    return held;
  }

  /** Bounds the bytes that can be allocated. */
  void bound(long bytes) {
    most = bytes;
  }

  /** Gives it a cache that its data may exceed. */
  void setL2CacheBytes(long bytes) {
    l2CacheBytes = bytes;
  }

  @Override
  public long l2CacheBytes() {
    return l2CacheBytes;
  }

  private void doAll() {
    while (!due.isEmpty()) {
      due.remove().run();
    }
  }

  /** An own copy, as launches have of their arguments. */
  private static ByteBuffer copy(ByteBuffer functor) {
    ByteBuffer copy = ArgumentPacker.buffer(functor.capacity());
    return copy.put(functor.duplicate().clear()).clear().order(ByteOrder.nativeOrder());
  }

  @Override
  public boolean launchesEarly() {
    return true;
  }

  @Override
  public void launch(
      LoadedModule module, ModuleTable.Kernel kernel, ByteBuffer functor, Grid grid) {
    ByteBuffer own = copy(functor);
    due.add(() -> orDie(() -> host.launch(module, kernel, own, grid)));
  }

  @Override
  public Started start(
      LoadedModule module,
      ModuleTable.Kernel kernel,
      ByteBuffer functor,
      Grid grid,
      Watch watch,
      ReadBack readBack) {
    runs++;
    ByteBuffer own = copy(functor);
    Completion[] end = {null};
    due.add(() -> orDie(() -> end[0] = host.run(module, kernel, own, grid, watch, readBack)));
    return () -> {
      doAll();
      return end[0];
    };
  }

  private void orDie(Runnable action) {
    try {
      action.run();
    } catch (KernelFaultException e) {
      fault = e.getMessage();
      due.clear();
      throw new KernelFaultException(e.kernel(), e.launchShape(), e.getMessage(), true);
    }
  }

  @Override
  public Completion run(
      LoadedModule module,
      ModuleTable.Kernel kernel,
      ByteBuffer functor,
      Grid grid,
      Watch watch,
      ReadBack readBack) {
    return start(module, kernel, functor, grid, watch, readBack).await();
  }

  @Override
  public long allocate(long bytes) {
    if (bytes > most - held) {
      return 0;
    }
    long address = host.allocate(bytes);
    blocks.put(address, bytes);
    held += bytes;
    return address;
  }

  @Override
  public void free(long address) {
    held -= blocks.remove(address);
    due.add(() -> host.free(address));
  }

  @Override
  public void write(Object array, int index, int count, long address) {
    doAll();
    host.write(array, index, count, address);
  }

  @Override
  public void write(ByteBuffer source, long address) {
    doAll();
    host.write(source, address);
  }

  @Override
  public void read(long address, ByteBuffer target) {
    doAll();
    host.read(address, target);
  }

  @Override
  public void read(long address, Object array, int index, int count) {
    doAll();
    host.read(address, array, index, count);
  }

  @Override
  public void copy(long from, long to, long bytes) {
    due.add(() -> host.copy(from, to, bytes));
  }

  @Override
  public void fill(long address, long value, int valueBytes, long count, int stride) {
    due.add(() -> host.fill(address, value, valueBytes, count, stride));
  }

  @Override
  public LoadedModule load(ModuleArtifacts artifacts) {
    doAll();
    return host.load(artifacts);
  }

  @Override
  public void synchronize() {
    doAll();
  }

  @Override
  public Span startSpan() {
    return host.startSpan();
  }

  @Override
  public String fault() {
    return fault;
  }

  @Override
  public void close() {
    doAll();
    host.close();
  }

  @Override
  public DeviceDescription description() {
    return host.description();
  }

  @Override
  public Set<Flavor> flavors() {
    return host.flavors();
  }

  @Override
  public long freeBytes() {
    return host.freeBytes();
  }

  @Override
  public boolean hasGridBarrier() {
    return host.hasGridBarrier();
  }

  @Override
  public Grid gridFor(LoadedModule module, ModuleTable.Kernel kernel, long items) {
    return host.gridFor(module, kernel, items);
  }

  @Override
  public Grid gridForTransactions(
      LoadedModule module, ModuleTable.Kernel kernel, long items, long mostThreads, long seed) {
    return host.gridForTransactions(module, kernel, items, mostThreads, seed);
  }

  @Override
  public Simulator simulator() {
    return host.simulator();
  }

  @Override
  public Tracer tracer() {
    return host.tracer();
  }
}
