/** Codecs generated at run time from the shape of a record. */
@NullMarked
package org.ringwire.codec.generate;

import org.jspecify.annotations.NullMarked;
