package io.magpie.examples.report;

import java.math.BigDecimal;
import java.util.Map;

/**
 * What one kernel did in a run.
 *
 * @param name of the kernel
 * @param synchronization how its threads agree; empty if unknown
 * @param millis its time
 * @param counts other numbers, such as launches
 */
record Phase(String name, String synchronization, double millis, Map<String, BigDecimal> counts) {}
