package org.ringwire.zookeeper;

import org.apache.curator.test.FailedServerStartException;
import org.apache.curator.test.TestingServer;

/** What tests do to servers of ZooKeeper. */
final class Servers {

  private static final int STARTS = 5;

  private Servers() {}

  /** Starts it again at the same port, which others may have taken for a moment. */
  static void restart(TestingServer server) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        server.restart();
        return;
      } catch (FailedServerStartException e) {
        if (attempt == STARTS) {
          throw e;
        }
      }
    }
  }
}
