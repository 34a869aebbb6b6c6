package org.ringwire;

import java.util.Map;

/**
 * What became of a message for several receivers.
 *
 * @param statuses a status per receiver, by node id
 */
public record MulticastResult(Map<Integer, SendStatus> statuses) {

  /** Copies the map. */
  public MulticastResult {
    statuses = Map.copyOf(statuses);
  }

  /** Whether every receiver's connection accepted the message. */
  public boolean allAccepted() {
    return statuses.values().stream().allMatch(status -> status == SendStatus.ACCEPTED);
  }
}
