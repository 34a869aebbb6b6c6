package org.ringwire.infiniband.device;

import java.util.Map;

/**
 * What a transport has asked of the device: calls and what they were for. They do not depend on how
 * fast the device is.
 *
 * @param sendPosts calls that posted send requests
 * @param sendRequests send requests
 * @param sendRanges ranges of memory that they named
 * @param sendBytes bytes that they carried
 * @param sendPolls polls for their completions
 * @param sendNotifications events asked for
 * @param receivePosts calls that posted receive requests
 * @param received requests that have received something
 * @param receivedBytes bytes that they have received
 * @param receivePolls polls for their completions
 * @param receiveNotifications events asked for
 */
public record VerbsCounters(
    long sendPosts,
    long sendRequests,
    long sendRanges,
    long sendBytes,
    long sendPolls,
    long sendNotifications,
    long receivePosts,
    long received,
    long receivedBytes,
    long receivePolls,
    long receiveNotifications) {

  /** By name, as a node shows them. */
  public Map<String, Long> byName() {
    return Map.ofEntries(
        Map.entry("sendPosts", sendPosts),
        Map.entry("sendRequests", sendRequests),
        Map.entry("sendRanges", sendRanges),
        Map.entry("sendBytes", sendBytes),
        Map.entry("sendPolls", sendPolls),
        Map.entry("sendNotifications", sendNotifications),
        Map.entry("receivePosts", receivePosts),
        Map.entry("received", received),
        Map.entry("receivedBytes", receivedBytes),
        Map.entry("receivePolls", receivePolls),
        Map.entry("receiveNotifications", receiveNotifications),
        Map.entry("calls", calls()));
  }

  /** All calls into the library or the kernel. */
  public long calls() {
    return sendPosts
        + sendPolls
        + sendNotifications
        + receivePosts
        + receivePolls
        + receiveNotifications;
  }
}
