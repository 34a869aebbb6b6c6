/**
 * The programs that Ringwire is compared with, a package each. They move the same object between
 * two processes and report in the words of {@code ./ringwire bench --json}. Start at {@link
 * org.ringwire.benchmarks.reference.ReferenceMain}.
 */
@NullMarked
package org.ringwire.benchmarks.reference;

import org.jspecify.annotations.NullMarked;
