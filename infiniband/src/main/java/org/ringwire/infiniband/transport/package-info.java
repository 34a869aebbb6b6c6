/** The transport {@code ib}: links over InfiniBand and RoCE, by one of two engines. */
@NullMarked
package org.ringwire.infiniband.transport;

import org.jspecify.annotations.NullMarked;
