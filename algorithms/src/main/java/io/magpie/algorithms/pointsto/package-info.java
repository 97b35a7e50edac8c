/**
 * Inclusion-based (Andersen's) points-to analysis on a device.
 *
 * <p>Entry points: {@link io.magpie.algorithms.pointsto.PointsToAnalysis#run}, {@link
 * io.magpie.algorithms.pointsto.PointsToReference#run}, {@link
 * io.magpie.algorithms.pointsto.PointsToVerifier#verify}. Constraints come from files ({@link
 * io.magpie.algorithms.pointsto.ConstraintFormats}), generators ({@link
 * io.magpie.algorithms.pointsto.ConstraintGenerator}), programs in LLVM's textual IR ({@link
 * io.magpie.algorithms.pointsto.LlvmProgram}) or {@link
 * io.magpie.algorithms.pointsto.ConstraintSet#builder}.
 */
package io.magpie.algorithms.pointsto;
