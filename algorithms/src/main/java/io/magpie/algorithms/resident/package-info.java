/**
 * Inputs that are on a device already, without a Java array between: what another call has left
 * there, so that results feed the next call, or what was read there from a file.
 */
package io.magpie.algorithms.resident;
