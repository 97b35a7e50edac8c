/** What the facade is built on: back-ends, module tables, ranks. Not API. */
package io.magpie.stm.internal;
