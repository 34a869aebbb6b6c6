/** Memory and objects by address, and what this JVM must be for that. */
@NullMarked
package org.ringwire.heap.image.memory;

import org.jspecify.annotations.NullMarked;
