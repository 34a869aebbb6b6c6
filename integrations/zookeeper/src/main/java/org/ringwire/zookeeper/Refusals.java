package org.ringwire.zookeeper;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.KeeperException;

/** What ZooKeeper refuses, which somebody has to repair, as opposed to its being away. */
final class Refusals {

  private Refusals() {}

  /** Whether ZooKeeper has answered with what does not pass by itself. */
  static boolean isOne(Exception failure) {
    return failure instanceof KeeperException refusal
        && switch (refusal.code()) {
          case NOAUTH, AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH, INVALIDACL -> true;
          case NONODE, NOCHILDRENFOREPHEMERALS, QUOTAEXCEEDED -> true;
          case BADARGUMENTS, UNIMPLEMENTED -> true;
          default -> false;
        };
  }

  /** What was refused, for people, and what to look at. */
  static String text(Exception failure) {
    String advice =
        switch (failure) {
          case KeeperException.NoAuthException _ ->
              " (this process needs the right to read, create, write and delete there)";
          case KeeperException.NoNodeException _ ->
              " (if the servers were given with a path behind them, it has to be there)";
          default -> "";
        };
    return failure.getMessage() + advice;
  }

  /**
   * Nothing is ever heard by way of a client that is not open.
   *
   * @throws IllegalStateException if it was not started, or is closed
   */
  static void requireOpen(CuratorFramework client) {
    CuratorFrameworkState state = client.getState();
    if (state != CuratorFrameworkState.STARTED) {
      throw new IllegalStateException(
          state == CuratorFrameworkState.LATENT
              ? "the client of ZooKeeper was not started"
              : "the client of ZooKeeper is closed");
    }
  }
}
