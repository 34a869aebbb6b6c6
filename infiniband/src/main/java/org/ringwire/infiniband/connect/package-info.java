/** What two ends of a link over InfiniBand tell each other before there is one. */
@NullMarked
package org.ringwire.infiniband.connect;

import org.jspecify.annotations.NullMarked;
