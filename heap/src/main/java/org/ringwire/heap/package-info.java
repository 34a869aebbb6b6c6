/**
 * Object graphs from heap to heap. {@link org.ringwire.heap.HeapCodec} is where to start; {@code
 * docs/heap.md} says what can be sent and what it costs.
 */
@NullMarked
package org.ringwire.heap;

import org.jspecify.annotations.NullMarked;
