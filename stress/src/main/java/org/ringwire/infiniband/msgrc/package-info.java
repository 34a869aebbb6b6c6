/** Stresses who receives over InfiniBand. */
@NullMarked
package org.ringwire.infiniband.msgrc;

import org.jspecify.annotations.NullMarked;
