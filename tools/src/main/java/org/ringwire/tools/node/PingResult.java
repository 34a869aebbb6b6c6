package org.ringwire.tools.node;

import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.measure.RttMicros;

/**
 * One line of JSON.
 *
 * @param sent pings
 * @param received answers that came in time
 * @param rttMicros round trip times; null if there was no answer
 */
record PingResult(long sent, long received, @Nullable RttMicros rttMicros) {}
