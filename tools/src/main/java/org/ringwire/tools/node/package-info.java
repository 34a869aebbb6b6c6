/** A node that runs on its own, and a peer that pings it. */
@NullMarked
package org.ringwire.tools.node;

import org.jspecify.annotations.NullMarked;
