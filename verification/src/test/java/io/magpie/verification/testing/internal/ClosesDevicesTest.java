package io.magpie.verification.testing.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Devices stay open from try to try, and are closed with the tests. */
class ClosesDevicesTest {
  private static final List<Device> USED = new ArrayList<>();

  static class UsesADevice {
    @Property(tries = 5)
    void inEachTry(@ForAll int number) {
      KeptDevices.use("cpu:1", kept -> USED.add(kept.device()));
    }
  }

  @Test
  void withTheTestPlan() {
    USED.clear();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(UsesADevice.class))
                .build());
    assertEquals(5, USED.size());
    assertEquals(1, USED.stream().distinct().count());
    assertTrue(
        assertThrows(IllegalStateException.class, () -> USED.get(0).ints(1))
            .getMessage()
            .contains("closed"));
  }
}
