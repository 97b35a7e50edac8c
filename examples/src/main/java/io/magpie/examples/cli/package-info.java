/**
 * The command line: where Java begins, what is common to all commands, and which failure has which
 * exit status. Below it are {@code commands}, which know {@code options} and {@code output};
 * options know output; none of the three knows this package.
 */
package io.magpie.examples.cli;
