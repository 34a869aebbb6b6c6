/**
 * The sender and the receiver of a benchmark, in one process or in two. {@link
 * org.ringwire.tools.bench.pair.BenchSpec} says what they do.
 */
@NullMarked
package org.ringwire.tools.bench.pair;

import org.jspecify.annotations.NullMarked;
