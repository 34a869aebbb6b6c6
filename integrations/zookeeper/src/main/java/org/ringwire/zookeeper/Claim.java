package org.ringwire.zookeeper;

import java.util.Arrays;
import java.util.List;
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
   * A transaction of an owner that has given up, and still has to remove what it wrote. It takes
   * the claim from nobody: one that somebody has removed is there for the transaction only, so that
   * a process that comes later finds none, as before. A claim with this address is its own: it may
   * have been made without its hearing of it.
   *
   * @return nothing if another process has the claim
   */
  List<CuratorOp> lastly(CuratorOp change) throws Exception {
    if (client.checkExists().creatingParentsIfNeeded().forPath(path) == null) {
      CuratorOp creation = client.transactionOp().create().forPath(path, address);
      return List.of(creation, change, client.transactionOp().delete().forPath(path));
    }
    Stat now = new Stat();
    byte[] owner = client.getData().storingStatIn(now).forPath(path);
    if (taken == null && Arrays.equals(owner, address)) {
      own(now);
    }
    return isOwn(now) ? List.of(check(), change) : List.of();
  }

  /** The condition of a transaction: that nobody has taken it since. */
  CuratorOp check() throws Exception {
    int version = Objects.requireNonNull(taken, "not taken").getVersion();
    return client.transactionOp().check().withVersion(version).forPath(path);
  }
}
