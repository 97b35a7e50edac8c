package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.mesh.Mesh;

/**
 * A refined mesh.
 *
 * @param mesh the mesh: the input's vertices first, as they were, then the inserted ones; {@link
 *     Mesh#segmentOrigin} names segments of the input
 * @param report how it was made
 */
public record RefinementResult(Mesh mesh, RefinementReport report) {}
