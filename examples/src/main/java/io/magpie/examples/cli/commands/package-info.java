/**
 * The commands, each with what only it needs next to it. A command that cannot do what it was asked
 * for throws an exception; it knows nothing of exit statuses.
 */
package io.magpie.examples.cli.commands;
