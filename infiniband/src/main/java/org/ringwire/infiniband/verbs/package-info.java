/**
 * The system's {@code libibverbs.so.1}, called through {@code java.lang.foreign}: devices, queues,
 * registered memory and work requests, without a policy of their own. What is called once or twice
 * per connection is plain; what is called per message allocates nothing. Whoever opens something
 * closes it, in the opposite order.
 */
@NullMarked
package org.ringwire.infiniband.verbs;

import org.jspecify.annotations.NullMarked;
