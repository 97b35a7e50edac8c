/**
 * Benchmarks of transactional memory, for {@code magpie compare transactions}. They use what any
 * jar could: an input kind and a comparison that are registered as services, and modules that are
 * found by their names.
 *
 * <p>A {@link io.magpie.examples.benchmarks.Benchmark} is one of them with its parameters. It makes
 * an {@link io.magpie.examples.benchmarks.Instance}, which has what a run begins with, runs it on a
 * device, and says what is wrong with a result: by Java code that knows the input and what each
 * item reported, and shares nothing with the regions.
 */
package io.magpie.examples.benchmarks;
