/** A live view of a running node. */
@NullMarked
package org.ringwire.tools.top;

import org.jspecify.annotations.NullMarked;
