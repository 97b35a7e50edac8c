/**
 * Triangulates polygons, given as geometries of JTS or in files of WKT or GeoJSON, and turns meshes
 * into geometries. This package needs JTS on the class path, the artifact {@code jts-io-common},
 * which does not come with Magpie.
 */
package io.magpie.algorithms.jts;
