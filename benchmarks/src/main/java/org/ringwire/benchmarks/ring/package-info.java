/** What a frame costs on its way through the rings, lanes and buffers, without codec and medium. */
@NullMarked
package org.ringwire.benchmarks.ring;

import org.jspecify.annotations.NullMarked;
