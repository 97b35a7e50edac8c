/**
 * Spanning forests in jobs of Apache Spark: partitions of edges become forests on the executors,
 * and forests are merged in a tree.
 */
package io.magpie.spark;
