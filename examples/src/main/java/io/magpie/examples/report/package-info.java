/**
 * A page about runs, made of the records that {@code msf}, {@code partition}, {@code refine},
 * {@code components} and {@code compare} write: {@link io.magpie.examples.report.Records} are read,
 * sorted into one experiment for each input with a variant for each way it was computed, and shown
 * by {@link io.magpie.examples.report.ReportPage}.
 *
 * <p>The page is one file without scripts that refers to no other. Everything on it is made of
 * elements that escape text and refuse what a browser could run, so nothing in a record can become
 * more than text. What a record lacks is left out.
 */
package io.magpie.examples.report;
