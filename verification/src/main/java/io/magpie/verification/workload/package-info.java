/**
 * Regions that are run to be checked: a user's own with arguments made from text, or a load drawn
 * at random; their recorded runs on any machine, and their exploration on the simulator.
 */
package io.magpie.verification.workload;
