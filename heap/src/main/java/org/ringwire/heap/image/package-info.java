/** The image of a graph, and the shapes that write and read objects of one class each. */
@NullMarked
package org.ringwire.heap.image;

import org.jspecify.annotations.NullMarked;
