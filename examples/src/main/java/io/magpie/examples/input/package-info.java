/**
 * Inputs of algorithms: where a graph, a mesh, or what a program of one's own works on comes from.
 *
 * <p>A {@link io.magpie.examples.input.InputKind} turns a text into an {@link
 * io.magpie.examples.input.Input}, once; what is passed on is the object. Kinds are services: a jar
 * on the class path, such as one that {@code MAGPIE_CLASSPATH} names, adds its own.
 */
package io.magpie.examples.input;
