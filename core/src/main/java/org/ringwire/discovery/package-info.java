/** Directories of nodes that follow a file or a name service while nodes use them. */
@NullMarked
package org.ringwire.discovery;

import org.jspecify.annotations.NullMarked;
