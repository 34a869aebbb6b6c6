/**
 * The figures and tables of the paper on Naos, measured again; start at {@link
 * org.ringwire.benchmarks.heap.figure.Figures}.
 */
@NullMarked
package org.ringwire.benchmarks.heap.figure;

import org.jspecify.annotations.NullMarked;
