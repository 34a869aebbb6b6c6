package org.ringwire.infiniband.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What a queue pair is made of; the device may grant more than is asked for.
 *
 * @param sendCompletions told of send requests
 * @param receiveCompletions told of receive requests
 * @param receiveQueue where receive requests come from, null for a queue of its own
 * @param maxSendRequests send requests outstanding
 * @param maxSendRanges ranges of a send request
 * @param maxReceiveRequests receive requests outstanding, without a shared queue
 * @param maxReceiveRanges ranges of a receive request, without a shared queue
 * @param maxInline bytes that a request may take while it is posted
 * @param signalAll whether every send request makes a completion
 */
public record QueuePairOptions(
    CompletionQueue sendCompletions,
    CompletionQueue receiveCompletions,
    @Nullable SharedReceiveQueue receiveQueue,
    int maxSendRequests,
    int maxSendRanges,
    int maxReceiveRequests,
    int maxReceiveRanges,
    int maxInline,
    boolean signalAll) {}
