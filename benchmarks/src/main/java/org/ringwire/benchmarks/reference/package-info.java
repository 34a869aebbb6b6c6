/**
 * The programs that Ringwire is compared with: a plain program over a blocking channel, the
 * smallest spinning one, Netty and C. Each moves the same object between two processes over
 * 127.0.0.1 and reports in the words of {@code ./ringwire bench --json}. Start at {@link
 * org.ringwire.benchmarks.reference.ReferenceMain}.
 */
@NullMarked
package org.ringwire.benchmarks.reference;

import org.jspecify.annotations.NullMarked;
