/** How results reach their readers: tables and numbers as text, JSON, files, the terminal. */
package io.magpie.examples.cli.output;
