/** The cost of encoding and decoding: generated codecs, codecs written by hand, and peers. */
@NullMarked
package org.ringwire.benchmarks.codec;

import org.jspecify.annotations.NullMarked;
