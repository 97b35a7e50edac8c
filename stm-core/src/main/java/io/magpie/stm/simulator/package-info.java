/**
 * The device {@code sim} beyond what every device has: schedules, what became of launches under
 * them, and counts of what launches accessed.
 */
package io.magpie.stm.simulator;
