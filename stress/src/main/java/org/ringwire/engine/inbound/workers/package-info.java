/** Concurrency tests of the pool of handlers, beside what they test. */
@NullMarked
package org.ringwire.engine.inbound.workers;

import org.jspecify.annotations.NullMarked;
