/** Collections and maps of the platform, by what they hold. */
@NullMarked
package org.ringwire.heap.image.container;

import org.jspecify.annotations.NullMarked;
