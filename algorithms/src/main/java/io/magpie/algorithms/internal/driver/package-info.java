/**
 * What the driver of an algorithm is made of: {@link io.magpie.algorithms.internal.driver.Launches}
 * starts kernels and regions and keeps what a report tells of them, {@link
 * io.magpie.algorithms.internal.driver.DeviceMemory} counts what a run holds, {@link
 * io.magpie.algorithms.internal.driver.Scratch} keeps working arrays from use to use, {@link
 * io.magpie.algorithms.internal.driver.Workspace} keeps a module with these and its input, {@link
 * io.magpie.algorithms.internal.driver.Holder} frees what is half made when something fails, and
 * {@link io.magpie.algorithms.internal.driver.Resources} frees the rest, whatever of it fails. For
 * the other packages of this module only.
 */
package io.magpie.algorithms.internal.driver;
