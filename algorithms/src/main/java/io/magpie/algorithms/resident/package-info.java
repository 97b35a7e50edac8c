/**
 * Inputs that are on a device already, such as what another call has left there, so that results
 * feed the next call without a Java array between.
 */
package io.magpie.algorithms.resident;
