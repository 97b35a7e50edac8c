/**
 * Checks on the host that a mesh is a Delaunay triangulation, and that a refined one is what its
 * refiner claims: {@link io.magpie.algorithms.mesh.verify.MeshVerifier} runs the checks of {@link
 * io.magpie.algorithms.mesh.verify.MeshCheck}, and a {@link
 * io.magpie.algorithms.mesh.verify.MeshVerification} is the outcome.
 *
 * <p>Depends on the model in {@code io.magpie.algorithms.mesh} alone: it knows no device, and
 * shares no code with the refiner, of which it takes the meshes and a {@link
 * io.magpie.algorithms.mesh.RefinementClaim}.
 */
package io.magpie.algorithms.mesh.verify;
