/** Values of the platform, constants and classes: objects that lead to no others. */
@NullMarked
package org.ringwire.heap.image.value;

import org.jspecify.annotations.NullMarked;
