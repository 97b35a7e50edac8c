/**
 * Histories of transactional memory: what every attempt of every transaction read and wrote, by
 * version. Plain data, independent of the library that made them.
 *
 * <p>Each object has a <em>stamp</em>, a 32-bit number that each commit that writes the object
 * raises by one; it is the object's version, and the order of the versions is part of the history.
 * A read names the version that it saw; a write names the version that it found, and makes the one
 * after it. Stamps may wrap around.
 *
 * <h2>Records of a log</h2>
 *
 * A thread logs its attempts one after the other, in 64-bit words:
 *
 * <pre>
 * item | attempt &lt;&lt; 32                          attempts count from 1
 * rank | outcome &lt;&lt; 32 | accesses &lt;&lt; 40           outcome: 0 commit, 1 cancel, 16 + cause otherwise
 * begin                                         time before the attempt's first operation
 * end                                           time after its last
 * object | write &lt;&lt; 31 | stamp &lt;&lt; 32             once for each access
 * </pre>
 *
 * Where bit 31 of the rank's word is set, each access has a second word, with its datum: {@link
 * io.magpie.verification.history.DataAccess}. The text form leaves these out.
 *
 * <h2>The text form</h2>
 *
 * One attempt per line, fields separated by blanks; what follows {@code #} is a comment; empty
 * lines are skipped. The first line is {@code magpie-history 1}.
 *
 * <pre>
 * magpie-history 1
 * # thread item attempt rank outcome begin end accesses
 * 0 17 1 2147483630 abort:2 100 140 r3@0
 * 0 17 2 2147483630 commit 141 190 r3@1 w3@1
 * - 18 1 2147483629 cancel 100 120 r3@1
 * </pre>
 *
 * The thread is {@code -} where it is unknown. Outcomes are {@code commit}, {@code cancel} and
 * {@code abort:CAUSE} with a cause of 0 to 239. {@code r3@0} read version 0 of object 3; {@code
 * w3@1} found version 1 of object 3 and made version 2. Times are from 0 to 2<sup>63</sup> - 1,
 * objects below 2<sup>31</sup>, items, attempts, ranks and stamps below 2<sup>32</sup>.
 */
package io.magpie.verification.history;
