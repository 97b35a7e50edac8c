package io.magpie.examples.report;

/**
 * What one kernel did in a run.
 *
 * @param name of the kernel
 * @param millis its time
 */
record KernelTime(String name, double millis) {}
