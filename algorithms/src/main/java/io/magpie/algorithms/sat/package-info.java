/**
 * Satisfiability of Boolean formulas by survey propagation: formulas and their files, random
 * formulas, the algorithm on a device with the local search that ends it, a sequential reference,
 * and checks of what they find.
 */
package io.magpie.algorithms.sat;
