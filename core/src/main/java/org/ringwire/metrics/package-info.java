/** Counters and flight-recorder events. */
@NullMarked
package org.ringwire.metrics;

import org.jspecify.annotations.NullMarked;
