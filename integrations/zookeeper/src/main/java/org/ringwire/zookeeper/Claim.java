package org.ringwire.zookeeper;

import java.util.Objects;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The right to announce a node, which the last process has that took it: the version of an entry
 * that outlives sessions. What is written under {@link #check} is written by the owner of the claim
 * or not at all. One thread at a time.
 */
final class Claim {
  private final CuratorFramework client;
  private final String path;
  private final byte[] address; // for people who look at the entry
  private @Nullable Stat taken;

  Claim(CuratorFramework client, String path, byte[] address) {
    this.client = client;
    this.path = path;
    this.address = address;
  }

  /** Takes the claim, from whoever has it, unless it was taken before. */
  void takeOnce() throws Exception {
    while (taken == null) {
      try {
        taken = client.setData().forPath(path, address);
      } catch (KeeperException.NoNodeException e) {
        create();
      }
    }
  }

  private void create() throws Exception {
    try {
      client.create().creatingParentsIfNeeded().forPath(path, address);
    } catch (KeeperException.NodeExistsException e) {
      return; // another process was quicker, and is the one before
    }
  }

  /** Whether nobody has taken it since; an entry that somebody has removed is made again. */
  boolean isHeld() throws Exception {
    Stat now = client.checkExists().forPath(path);
    if (now == null) {
      taken = null;
      takeOnce();
      return true;
    }
    Stat own = taken;
    return own != null && now.getCzxid() == own.getCzxid() && now.getVersion() == own.getVersion();
  }

  /** Whether it was ever taken. */
  boolean isTaken() {
    return taken != null;
  }

  /** The condition of a transaction: that nobody has taken it since. */
  CuratorOp check() throws Exception {
    int version = Objects.requireNonNull(taken, "not taken").getVersion();
    return client.transactionOp().check().withVersion(version).forPath(path);
  }
}
