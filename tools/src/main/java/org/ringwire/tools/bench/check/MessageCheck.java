package org.ringwire.tools.bench.check;

/** Sees every message that is handled and tells afterwards which were not as they should be. */
public sealed interface MessageCheck permits InOrderCheck, ExactlyOnceCheck, LockedCheck {

  /** Content is compared in one of so many messages. */
  int SAMPLE = 1024;

  /** For handlers that may overtake one another. */
  static MessageCheck exactlyOnce(int senderCount, int contentLength) {
    return new ExactlyOnceCheck(senderCount, contentLength);
  }

  /** For handlers that keep the order of a connection, and run one at a time. */
  static MessageCheck inOrder(int senderCount, int contentLength) {
    return new InOrderCheck(senderCount, contentLength);
  }

  /** For round trips, which keep the order of each sender, whichever thread handles them. */
  static MessageCheck ofRoundTrips(int senderCount, int contentLength) {
    return new LockedCheck(new InOrderCheck(senderCount, contentLength));
  }

  /** Called by the handler for each message. */
  void accept(Numbered message);

  /** Messages accepted so far. Any thread; what it counts happened before it returns. */
  long handled();

  /** Whether something is known to be wrong. Any thread. */
  boolean suspicious();

  /**
   * What became of the messages with the sequence numbers below those that were sent. Called while
   * nothing is being handled.
   *
   * @param sent messages sent per sender, numbered from 0
   */
  CheckResult result(long[] sent);
}
