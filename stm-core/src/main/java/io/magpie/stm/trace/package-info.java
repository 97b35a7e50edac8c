/**
 * What runs leave behind for checking them, and how simulated ones are steered: histories of
 * transactions, schedules of the simulator and their traces.
 */
package io.magpie.stm.trace;
