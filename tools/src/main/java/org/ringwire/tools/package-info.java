/** The {@code ./ringwire} command line. */
@NullMarked
package org.ringwire.tools;

import org.jspecify.annotations.NullMarked;
