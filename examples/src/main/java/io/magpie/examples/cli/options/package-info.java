/**
 * Options that several commands have, how their values are read, and what is checked of them before
 * any work.
 */
package io.magpie.examples.cli.options;
