/**
 * The facade: devices and what runs on them. Whatever lies or runs on a device is made by it.
 *
 * <ul>
 *   <li>A {@link io.magpie.stm.Device}, described by {@link io.magpie.stm.DeviceDescription};
 *       {@link io.magpie.stm.Diagnosis} says what a machine lacks.
 *   <li>Memory: {@link io.magpie.stm.DeviceArray}, {@link io.magpie.stm.StmObjects}, {@link
 *       io.magpie.stm.GuardedCells}, {@link io.magpie.stm.SlotPool}, and {@link
 *       io.magpie.stm.RunData} for runs on Java arrays.
 *   <li>Code: {@link io.magpie.stm.KernelModule}, {@link io.magpie.stm.Kernel}, {@link
 *       io.magpie.stm.Region}; their arguments are {@link io.magpie.stm.Fields}, of the kinds in
 *       {@link io.magpie.stm.FieldKind}. A {@link io.magpie.stm.Timer} measures launches.
 *   <li>Runs of regions: {@link io.magpie.stm.StmOptions} with a {@link io.magpie.stm.Policy}, a
 *       {@link io.magpie.stm.Worklist} for rounds, {@link io.magpie.stm.RegionReport} and {@link
 *       io.magpie.stm.RoundsReport}.
 *   <li>Histories of runs: {@link io.magpie.stm.Recording} and {@link io.magpie.stm.RunRecorder}.
 *   <li>Failures: {@link io.magpie.stm.MagpieException} and what extends it.
 * </ul>
 *
 * <p>{@code io.magpie.stm.parallel} has what is built on it; {@code io.magpie.stm.simulator} has
 * what the device {@code sim} has beyond others.
 */
package io.magpie.stm;
