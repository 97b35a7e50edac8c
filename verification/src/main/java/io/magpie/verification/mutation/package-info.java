/** Breaks the device library on purpose, one rule at a time, and shows that the checks notice. */
package io.magpie.verification.mutation;
