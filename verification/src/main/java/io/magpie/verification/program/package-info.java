/**
 * Small transactional programs as data: by text, and those that are known to bring faults out; run
 * by the module {@code program} on any machine, and checked against their histories and against a
 * serial interpreter.
 */
package io.magpie.verification.program;
