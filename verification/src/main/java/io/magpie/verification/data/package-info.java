/**
 * Checks on what a region's transactions did to data, not only to objects: from the trace of a run
 * on {@code sim} or on processors, in which accesses to the arguments' memory are events; and from
 * recordings, which have what went through transactions on every device.
 */
package io.magpie.verification.data;
