/** One-sided access to memory of other nodes: what is behind {@code RemoteMemory}. */
@NullMarked
package org.ringwire.infiniband.memory;

import org.jspecify.annotations.NullMarked;
