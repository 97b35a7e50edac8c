package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.DeviceUnavailableException;
import java.util.Map;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which device a task takes of what Spark gave it. */
class TaskDeviceTest {
  private static Map<String, ResourceInformation> gpus(String... addresses) {
    return Map.of("gpu", new ResourceInformation("gpu", addresses));
  }

  @Test
  void itIsTheGpuOfTheTask() {
    assertEquals("cuda:0", TaskDevice.of(4, gpus("0")));
    assertEquals("cuda:3", TaskDevice.of(4, gpus("3")));
    assertEquals("cuda:5", TaskDevice.of(1, gpus("5", "2")), "the first of several");
  }

  @Test
  void withoutGpusItIsTheCoresOfTheTask() {
    assertEquals("cpu:4", TaskDevice.of(4, Map.of()));
    assertEquals("cpu:1", TaskDevice.of(1, gpus()));
    ResourceInformation other = new ResourceInformation("fpga", new String[] {"1"});
    assertEquals("cpu:2", TaskDevice.of(2, Map.of("fpga", other)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GPU-8f7f5c1a", "", "-1", "0:1", "12345678901"})
  void aGpuThatIsNoNumberIsRefused(String address) {
    DeviceUnavailableException refused =
        assertThrows(DeviceUnavailableException.class, () -> TaskDevice.of(1, gpus(address)));
    assertTrue(refused.getMessage().contains("the GPU '" + address + "'"), refused.getMessage());
    assertTrue(refused.getMessage().contains("discovery script"), refused.getMessage());
  }
}
