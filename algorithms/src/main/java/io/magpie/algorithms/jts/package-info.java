/**
 * Polygons of JTS to triangulate, from its geometries or from files of WKT and GeoJSON, and meshes
 * as its geometries. Needs JTS on the class path, its artifact {@code jts-io-common}, which Magpie
 * does not bring along.
 */
package io.magpie.algorithms.jts;
