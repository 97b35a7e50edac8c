package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.DeviceSpec;
import io.magpie.stm.internal.host.HostBackend;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntConsumer;

/**
 * A processor or simulator that does what is asked of it only when something is waited for, as late
 * as a GPU may.
 */
public final class LateDevice {
  private final HostBackend host;
  private final Deque<Runnable> due = new ArrayDeque<>();
  private final IntConsumer atStart;
  private int started;

  private LateDevice(String spec, IntConsumer atStart) {
    host = new HostBackend(DeviceSpec.parse(spec));
    this.atStart = atStart;
  }

  /**
   * Opens one.
   *
   * @param atStart is told at the start of each run how many have been started and have not ended
   */
  public static Device open(String spec, IntConsumer atStart) {
    LateDevice late = new LateDevice(spec, atStart);
    return new Device(
        (Backend)
            Proxy.newProxyInstance(
                Backend.class.getClassLoader(),
                new Class<?>[] {Backend.class},
                (proxy, method, arguments) -> late.call(method, arguments)));
  }

  private Object call(Method method, Object[] arguments) {
    switch (method.getName()) {
      case "launchesEarly":
        return true;
      case "fill", "copy", "free", "launch":
        later(method, arguments);
        return null;
      case "start":
        atStart.accept(++started);
        Object[] completion = {null};
        Object[] own = own(arguments);
        due.add(() -> completion[0] = now(method, own));
        return (Backend.Started)
            () -> {
              doAll();
              return ((Backend.Started) completion[0]).await();
            };
      case "read", "write", "run", "synchronize", "load", "close":
        doAll();
        return now(method, arguments);
      default:
        return now(method, arguments);
    }
  }

  private void later(Method method, Object[] arguments) {
    Object[] own = own(arguments);
    due.add(() -> now(method, own));
  }

  /** The arguments, with copies of functors, which the next launch writes to. */
  private static Object[] own(Object[] arguments) {
    Object[] own = arguments.clone();
    for (int i = 0; i < own.length; i++) {
      if (own[i] instanceof ByteBuffer functor) {
        ByteBuffer copy = ArgumentPacker.buffer(functor.capacity());
        own[i] = copy.put(functor.duplicate().clear()).clear();
      }
    }
    return own;
  }

  private void doAll() {
    while (!due.isEmpty()) {
      due.remove().run();
    }
    started = 0;
  }

  private Object now(Method method, Object[] arguments) {
    try {
      return method.invoke(host, arguments);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw new AssertionError(e.getCause());
    }
  }
}
