/** The transport {@code ib}: links over InfiniBand and RoCE, by the engine {@code msgrc}. */
@NullMarked
package org.ringwire.infiniband.transport;

import org.jspecify.annotations.NullMarked;
