/**
 * What reading, writing and generating inputs share: bytes of compressed files, tokens of text,
 * files that appear complete or not at all, generator specs, counter-based random numbers,
 * pictures. For the other packages of this module only.
 */
package io.magpie.algorithms.internal;
