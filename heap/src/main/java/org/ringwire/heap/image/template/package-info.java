/** Objects and arrays of ordinary classes: classes that are loaded once more for each layout. */
@NullMarked
package org.ringwire.heap.image.template;

import org.jspecify.annotations.NullMarked;
