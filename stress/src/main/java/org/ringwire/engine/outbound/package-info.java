/** Concurrency tests of the way out, beside what they test. */
@NullMarked
package org.ringwire.engine.outbound;

import org.jspecify.annotations.NullMarked;
