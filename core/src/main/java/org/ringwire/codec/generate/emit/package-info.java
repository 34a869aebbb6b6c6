/** From a layout to the bytes of the class that reads and writes it. */
@NullMarked
package org.ringwire.codec.generate.emit;

import org.jspecify.annotations.NullMarked;
