package io.magpie.spark;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceUnavailableException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;

/**
 * The device of a task. Devices stay open for the tasks that follow in the process, as loading
 * modules takes longer than a small partition does.
 */
final class TaskDevice implements AutoCloseable {
  static final String AUTO = "auto";

  /** By their specifications, those that no task has. */
  private static final Map<String, Deque<Device>> IDLE = new HashMap<>();

  private final String spec;
  private final Device device;
  private boolean sound;

  private TaskDevice(String spec, Device device) {
    this.spec = spec;
    this.device = device;
  }

  /**
   * Takes or opens it.
   *
   * @param given as of {@code --device}; of {@value #AUTO} the GPU that Spark gave the task, or
   *     else as many threads as it gave it cores
   */
  static TaskDevice open(String given) {
    String spec = given.equals(AUTO) ? ofTask(TaskContext.get()) : given;
    Device idle;
    synchronized (IDLE) {
      Deque<Device> all = IDLE.get(spec);
      idle = all == null ? null : all.poll();
    }
    return new TaskDevice(spec, idle == null ? Device.open(spec) : idle);
  }

  private static String ofTask(TaskContext task) {
    return of(task.cpus(), task.resourcesJMap());
  }

  /**
   * The specification of what Spark gave a task.
   *
   * @param cpus cores
   * @param resources by name
   * @throws DeviceUnavailableException if it gave a GPU by what is no number
   */
  static String of(int cpus, Map<String, ResourceInformation> resources) {
    ResourceInformation gpu = resources.get("gpu");
    if (gpu == null || gpu.addresses().length == 0) {
      return "cpu:" + cpus;
    }
    String address = gpu.addresses()[0];
    if (!address.matches("[0-9]{1,9}")) {
      throw new DeviceUnavailableException(
          "Spark gave the task the GPU '"
              + address
              + "', and GPUs are known by their numbers; take a discovery script that tells these,"
              + " such as Spark's getGpusResources.sh");
    }
    return "cuda:" + address;
  }

  Device device() {
    return device;
  }

  /** Says that the task's work with it is done; else it is closed, as it may have a fault. */
  void done() {
    sound = true;
  }

  @Override
  public void close() {
    if (sound) {
      synchronized (IDLE) {
        IDLE.computeIfAbsent(spec, any -> new ArrayDeque<>()).push(device);
      }
    } else {
      device.close();
    }
  }

  /** Closes those that no task has. */
  static void closeIdle() {
    synchronized (IDLE) {
      IDLE.values().forEach(all -> all.forEach(Device::close));
      IDLE.clear();
    }
  }
}
