/**
 * Geometry on plain coordinates that the packages of meshes share: predicates with exact signs, the
 * bound on angles and areas, the order along a Hilbert curve, and the search for overlaps. Knows no
 * mesh. For {@code io.magpie.algorithms.mesh} and the packages below it only.
 */
package io.magpie.algorithms.mesh.internal;
