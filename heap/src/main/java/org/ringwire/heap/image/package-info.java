/** The image of a graph: what writes one, what reads one, and what it costs. */
@NullMarked
package org.ringwire.heap.image;

import org.jspecify.annotations.NullMarked;
