package org.ringwire.zookeeper;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;
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
  private final BooleanSupplier givenUp;
  private @Nullable Stat taken;
  private boolean everTaken;

  /**
   * Not taken.
   *
   * @param givenUp whether its owner has given up, from any time on
   */
  Claim(CuratorFramework client, String path, byte[] address, BooleanSupplier givenUp) {
    this.client = client;
    this.path = path;
    this.address = address;
    this.givenUp = givenUp;
  }

  /**
   * Takes the claim, from whoever has it, unless it was taken before. While ZooKeeper is away a
   * change may lie in the client for long, and be done after its owner has given up. So it is made
   * on the condition that nobody has taken the claim since a look that came before the owner was
   * asked: who takes it later keeps it.
   *
   * @throws InterruptedException if the owner has given up
   */
  void takeOnce() throws Exception {
    while (taken == null) {
      Stat now = client.checkExists().forPath(path);
      if (givenUp.getAsBoolean()) {
        throw new InterruptedException("given up");
      }
      if (now == null) {
        create();
      } else {
        take(now);
      }
    }
  }

  private void take(Stat now) throws Exception {
    try {
      own(client.setData().withVersion(now.getVersion()).forPath(path, address));
    } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
      return; // another process was quicker, or this one, and did not hear of it
    }
  }

  private void create() throws Exception {
    try {
      client.create().creatingParentsIfNeeded().forPath(path, address);
    } catch (KeeperException.NodeExistsException e) {
      return; // another process was quicker, and is the one before
    }
  }

  private void own(Stat now) {
    taken = now;
    everTaken = true;
  }

  /** Whether nobody has taken it since; an entry that somebody has removed is made again. */
  boolean isHeld() throws Exception {
    Stat now = client.checkExists().forPath(path);
    if (now == null) {
      taken = null;
      takeOnce();
      return true;
    }
    return isOwn(now);
  }

  private boolean isOwn(Stat now) {
    Stat own = taken;
    return own != null && now.getCzxid() == own.getCzxid() && now.getVersion() == own.getVersion();
  }

  /**
   * Whether it was ever taken. Something may have been written under it then, also if it was lost
   * since.
   */
  boolean wasTaken() {
    return everTaken;
  }

  /**
   * As {@link #isHeld}, by an owner that has given up, and still has to remove what it wrote. It
   * takes the claim from nobody: one that somebody has removed is made again unless another process
   * is quicker. One with this address is its own: it may have been made without its hearing of it.
   */
  boolean isHeldAtTheEnd() throws Exception {
    if (client.checkExists().forPath(path) == null) {
      taken = null;
      create();
    }
    Stat now = new Stat();
    byte[] owner = client.getData().storingStatIn(now).forPath(path);
    if (taken == null && Arrays.equals(owner, address)) {
      own(now);
    }
    return isOwn(now);
  }

  /** The condition of a transaction: that nobody has taken it since. */
  CuratorOp check() throws Exception {
    int version = Objects.requireNonNull(taken, "not taken").getVersion();
    return client.transactionOp().check().withVersion(version).forPath(path);
  }
}
