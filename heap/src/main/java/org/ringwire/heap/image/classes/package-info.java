/** Which classes images may name, and which shapes they have. */
@NullMarked
package org.ringwire.heap.image.classes;

import org.jspecify.annotations.NullMarked;
