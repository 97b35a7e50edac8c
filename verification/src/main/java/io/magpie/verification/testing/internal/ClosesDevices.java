package io.magpie.verification.testing.internal;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/** Closes at the end of the tests what properties have kept open. JUnit finds it as a service. */
public final class ClosesDevices implements TestExecutionListener {
  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    KeptDevices.close();
  }
}
