/**
 * Property tests of regions: the input is drawn by jqwik, or given; what runs it, under which
 * schedules, and what must hold of it is said in the test.
 *
 * <p>Needs no library of tests by itself: a failed check is an {@link AssertionError}, as JUnit and
 * jqwik expect it. {@link io.magpie.verification.testing.RegionArbitraries} needs jqwik, and with
 * JUnit's launcher on the class path devices are closed at the end of the tests.
 */
package io.magpie.verification.testing;
