/**
 * Checks on what a region's transactions did to data, not only to objects: from the trace of a run
 * on {@code sim}, in which every access to the arguments' memory is an event.
 */
package io.magpie.verification.data;
