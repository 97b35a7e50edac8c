/**
 * What algorithms that find spanning forests have in common. For the other packages of this module
 * only.
 */
package io.magpie.algorithms.internal.forest;
