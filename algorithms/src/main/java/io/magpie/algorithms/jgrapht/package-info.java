/**
 * Magpie's algorithms on JGraphT's graphs. Needs JGraphT on the class path, which Magpie does not
 * bring along.
 */
package io.magpie.algorithms.jgrapht;
