/**
 * Runs the simulator under many schedules, finds one that goes wrong, makes it small and replays
 * it; and visits all states before a first commit to find livelocks, or to show that there are
 * none.
 */
package io.magpie.verification.explore;
