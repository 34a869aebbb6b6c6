package org.ringwire.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.zookeeper.CreateMode;

/**
 * A node's announcement in a {@link ZooKeeperDirectory}. It disappears when it is closed, or when
 * ZooKeeper has not heard of this process for the time of a session; it is made again with every
 * new session. Any thread may close it.
 *
 * <p>Of two processes that announce the same node, the address of the last one to do so is found;
 * one that has lost its session while it was stopped does so again when it goes on. So a process
 * that was replaced has to be ended before it goes on.
 */
public final class Registration implements AutoCloseable {
  private final PersistentNode node;

  private Registration(PersistentNode node) {
    this.node = node;
  }

  static Registration open(CuratorFramework client, String path, byte[] data, Duration timeout)
      throws InterruptedException {
    PersistentNode node = new PersistentNode(client, CreateMode.EPHEMERAL, false, path, data);
    Registration registration = new Registration(node);
    boolean done = false;
    try {
      node.start();
      done = node.waitForInitialCreate(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
    } finally {
      if (!done) {
        registration.close();
      }
    }
    if (!done) {
      throw new IllegalStateException(
          "ZooKeeper does not answer: path=" + path + " timeout=" + timeout);
    }
    return registration;
  }

  /** Removes the announcement. */
  @Override
  public void close() {
    try {
      node.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
