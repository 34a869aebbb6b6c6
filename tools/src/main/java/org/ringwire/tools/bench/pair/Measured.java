package org.ringwire.tools.bench.pair;

import org.jspecify.annotations.Nullable;
import org.ringwire.tools.bench.check.CheckResult;
import org.ringwire.tools.bench.measure.RttMicros;
import org.ringwire.tools.bench.measure.SystemCalls;

/**
 * What a sender measured; handed to the parent process as JSON.
 *
 * @param warmUpSeconds length of the run before the measurement
 * @param messages messages of the measurement, or round trips
 * @param seconds its length, until the last message was handled
 * @param rttMicros round trip times, or null
 * @param check what the receiver found, warm-up included
 * @param senderAllocatedBytes bytes that the sender allocated in the measurement
 * @param receiverAllocatedBytes bytes that the receiver allocated
 * @param cpuNanos processor time of both
 * @param systemCalls of both, or null
 */
public record Measured(
    double warmUpSeconds,
    long messages,
    double seconds,
    @Nullable RttMicros rttMicros,
    CheckResult check,
    long senderAllocatedBytes,
    long receiverAllocatedBytes,
    long cpuNanos,
    @Nullable SystemCalls systemCalls) {}
