/**
 * Decides whether a {@link io.magpie.verification.history.History} is strictly serializable and
 * opaque.
 *
 * <p>The order of an object's versions is recorded, so the direct serialization graph of Adya is
 * known: ww from the writer of a version to the writer of the next, wr from the writer of a version
 * to its readers, rw from the readers of a version to the writer of the next, and rt from an
 * attempt to those that began after it had ended. The history is serializable for its version order
 * exactly if the graph without rt has no cycle, and strictly serializable if it has none with rt.
 * So the check is sound and complete, and linear up to a sort of the times. (A history can be
 * serializable under another order of versions than the one that the objects really went through;
 * it is rejected.)
 *
 * <p>Transactions are the attempts that committed and those that were canceled, which read only.
 * Opacity (Guerraoui and Kapalka, PPoPP 2008) takes all attempts, the aborted ones as reading only,
 * with rt.
 *
 * <h2>How</h2>
 *
 * <ol>
 *   <li>The order of the end times is replayed: one pass with a current stamp for each object. If
 *       each access finds its stamp, that is the proof.
 *   <li>Each access becomes the number of a version; single accesses that no order explains are
 *       named.
 *   <li>The sweep runs any attempt whose versions are current and whose overwritten versions have
 *       no reader left, in time order, as a topological sort without edges: an attempt waits in the
 *       list of the one version that it lacks. Real time needs no edges either: attempts enter in
 *       order of begin, once all that ended before have run. The order found is replayed as in the
 *       first step, so every positive verdict has a witness that was checked.
 *   <li>What did not run, less what a backward sweep removes, contains a cycle. Of these attempts
 *       alone the edges are made; a set of attempts that meets every cycle is chosen, and from each
 *       the shortest cycle searched. A shortest cycle has at most one rt edge, as precedence of
 *       intervals has no two independent pairs. Each edge reported is looked up in the history
 *       again.
 * </ol>
 */
package io.magpie.verification.check;
