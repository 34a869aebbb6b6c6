/** Concurrency tests of the way in, beside what they test. */
@NullMarked
package org.ringwire.engine.inbound;

import org.jspecify.annotations.NullMarked;
