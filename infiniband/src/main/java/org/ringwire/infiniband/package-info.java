/** What users see of InfiniBand. */
@NullMarked
package org.ringwire.infiniband;

import org.jspecify.annotations.NullMarked;
