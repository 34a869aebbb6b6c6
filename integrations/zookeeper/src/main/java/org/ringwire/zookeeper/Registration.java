package org.ringwire.zookeeper;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.curator.framework.api.CuratorListener;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.recipes.watch.PersistentWatcher;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A node's announcement in a {@link ZooKeeperDirectory}. It disappears when it is closed, or when
 * ZooKeeper has not heard of this process for the time of a session; it is made again with every
 * new session, and if somebody removes it.
 *
 * <p>Of two processes that announce the same node, the address of the one that registered last is
 * found. The other one gives up, also if it was stopped for as long as a session lasts and goes on
 * later: {@link #isReplaced}. Any thread may call all methods.
 */
public final class Registration implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger("org.ringwire.zookeeper");
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long CLOSE_MS = 2_000;
  private static final int ATTEMPTS = 10;

  private final CuratorFramework client;
  private final String path;
  private final byte[] address;
  private final Claim claim;
  private final ConnectionStateListener listener = this::connectionChanged;
  private final CuratorListener ending = this::clientChanged;
  private final PersistentWatcher watcher;
  private final ScheduledThreadPoolExecutor thread;
  private final CountDownLatch announced = new CountDownLatch(1);
  private final CountDownLatch withdrawn = new CountDownLatch(1);
  private final AtomicBoolean due = new AtomicBoolean();
  private volatile boolean written;
  private volatile boolean replaced;
  private volatile @Nullable Exception refusal; // by ZooKeeper, of the last attempt
  private volatile boolean closed; // written with the lock held
  private @Nullable Thread announcing; // with the lock held

  /**
   * Not begun. Its thread stays: where none could be made when a session has ended, the node would
   * be announced no more.
   *
   * @param path of the entry that others read
   * @param claimPath of the entry that says who may write it
   */
  @SuppressWarnings("this-escape") // a final class
  private Registration(CuratorFramework client, String path, String claimPath, byte[] address) {
    this.client = client;
    this.path = path;
    this.address = address;
    claim = new Claim(client, claimPath, address, () -> closed);
    watcher = new PersistentWatcher(client, path, false);
    watcher.getListenable().addListener(_ -> announceSoon());
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            task ->
                Thread.ofPlatform()
                    .daemon()
                    .name("ringwire-zookeeper" + path.replace('/', '-'))
                    .inheritInheritableThreadLocals(false) // of whoever registers
                    .unstarted(task));
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false); // of the last retry
  }

  static Registration open(
      CuratorFramework client, String path, String claimPath, byte[] address, Duration timeout)
      throws InterruptedException {
    Registration registration = new Registration(client, path, claimPath, address);
    boolean done = false;
    try {
      registration.begin();
      done =
          registration.announced.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)
              && registration.written;
    } finally {
      if (!done) {
        registration.close();
      }
    }
    if (!done) {
      throw registration.failure(timeout);
    }
    return registration;
  }

  private IllegalStateException failure(Duration timeout) {
    if (replaced) {
      return new IllegalStateException(
          "another process has registered this node meanwhile: path=" + path);
    }
    Exception why = refusal;
    String facts = ": path=" + path + " timeout=" + timeout;
    return why == null
        ? new IllegalStateException("ZooKeeper does not answer" + facts)
        : new IllegalStateException(
            "ZooKeeper does not let the node be announced" + facts + ": " + Refusals.text(why),
            why);
  }

  private void begin() {
    client.getCuratorListenable().addListener(ending);
    client.getConnectionStateListenable().addListener(listener);
    watcher.start();
    announceSoon();
  }

  /** Nothing can be announced or withdrawn any more when the client is closed. */
  private void clientChanged(CuratorFramework source, CuratorEvent event) {
    if (event.getType() == CuratorEventType.CLOSING) {
      thread.shutdown();
    }
  }

  private void connectionChanged(CuratorFramework source, ConnectionState state) {
    if (state.isConnected()) {
      announceSoon();
    }
  }

  /** Leaves it to the thread, once. */
  private void announceSoon() {
    if (due.compareAndSet(false, true)) {
      boolean left = false;
      try {
        thread.execute(this::announce);
        left = true;
      } catch (RejectedExecutionException e) {
        return; // closed
      } finally {
        if (!left) { // there was no heap for it
          due.set(false);
        }
      }
    }
  }

  // The thread.

  private void announce() {
    due.set(false); // what happens from now on is looked at again
    while (!tryAnnounce()) {
      LockSupport.parkNanos(RETRY_NS);
    }
  }

  /** False if there was no heap for it: there may be some again, and to come later needs some. */
  private boolean tryAnnounce() {
    if (!tryBegin()) {
      return true;
    }
    try {
      announceOnce();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    } finally {
      finish();
    }
  }

  private void announceOnce() {
    try {
      claim.takeOnce();
      write();
    } catch (Exception e) { // interrupted when closed, which the client may tell in another way
      LOGGER.log(Level.DEBUG, "not announced yet: path=" + path, e);
      if (!closed && isClientOpen()) {
        note(e);
        announceLater();
      }
    }
  }

  /** Tells of what does not pass by itself: who opens this, or later the log, once. */
  private void note(Exception e) {
    Exception before = refusal;
    refusal = Refusals.isOne(e) ? e : null;
    if (refusal == null) {
      return; // that ZooKeeper is away the client tells
    }
    if (announced.getCount() > 0) {
      announced.countDown(); // it is not, and who waits for it had better know
    } else if (before == null || !Refusals.text(before).equals(Refusals.text(e))) {
      LOGGER.log(
          Level.WARNING,
          "the node is not announced, which is tried every second: path={0}: {1}",
          path,
          Refusals.text(e));
    }
  }

  /** From now on who closes interrupts this thread: the client may retry for ever. */
  private synchronized boolean tryBegin() {
    boolean begins = !closed && !replaced;
    announcing = begins ? Thread.currentThread() : null;
    return begins;
  }

  private synchronized void finish() {
    announcing = null;
    boolean _ = Thread.interrupted(); // which was not meant for the withdrawal that follows
  }

  private void announceLater() {
    try {
      var _ = thread.schedule(this::announceSoon, RETRY_NS, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return; // closed
    }
  }

  /** Sees to it that the entry is there, with this address, for as long as this session lasts. */
  private void write() throws Exception {
    for (int attempt = 1; attempt <= ATTEMPTS && !closed; attempt++) {
      if (!claim.isHeld()) {
        replaced = true;
        LOGGER.log(
            Level.WARNING,
            "another process has registered this node; it is announced no more here: path={0}",
            path);
        announced.countDown(); // it never will be
        return;
      }
      if (tryWrite()) {
        refusal = null;
        written = true;
        announced.countDown();
        return;
      }
    }
    announceLater();
  }

  /** Returns false if another process has changed the entry, or the claim, meanwhile. */
  private boolean tryWrite() throws Exception {
    try {
      Stat present = client.checkExists().forPath(path);
      if (present == null) {
        commit(creation());
      } else if (present.getEphemeralOwner() != session()) {
        commit(removal(present), creation());
      } else if (!Arrays.equals(client.getData().forPath(path), address)) {
        commit(client.transactionOp().setData().forPath(path, address));
      }
      return true;
    } catch (KeeperException.NodeExistsException
        | KeeperException.NoNodeException
        | KeeperException.BadVersionException e) {
      LOGGER.log(Level.DEBUG, "changed meanwhile: path=" + path, e);
      return false;
    }
  }

  /** Does all of it, if nobody has taken the claim, or nothing. */
  private void commit(CuratorOp... changes) throws Exception {
    List<CuratorOp> all = new ArrayList<>(List.of(claim.check()));
    all.addAll(List.of(changes));
    var _ = client.transaction().forOperations(all);
  }

  private CuratorOp creation() throws Exception {
    return client.transactionOp().create().withMode(CreateMode.EPHEMERAL).forPath(path, address);
  }

  private CuratorOp removal(Stat present) throws Exception {
    return client.transactionOp().delete().withVersion(present.getVersion()).forPath(path);
  }

  private long session() throws Exception {
    return client.getZookeeperClient().getZooKeeper().getSessionId();
  }

  /** Removes the entry if it is this one's; tries again as long as the client is open. */
  private void withdraw() {
    while (!tryWithdraw() && isClientOpen()) { // else the entry goes with the session
      LockSupport.parkNanos(RETRY_NS);
    }
    client.getCuratorListenable().removeListener(ending);
    withdrawn.countDown();
    thread.shutdown();
  }

  private boolean tryWithdraw() {
    try {
      Stat present = claim.wasTaken() ? client.checkExists().forPath(path) : null;
      if (present != null && isOwn(present)) {
        List<CuratorOp> all = claim.lastly(removal(present));
        if (!all.isEmpty()) {
          var _ = client.transaction().forOperations(all);
        }
      }
      return true;
    } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
      LOGGER.log(Level.DEBUG, "another process was quicker: path=" + path, e);
      return true;
    } catch (Exception | OutOfMemoryError e) {
      return false;
    }
  }

  /** Of this session, which may have more than one registration, and with this address. */
  private boolean isOwn(Stat present) throws Exception {
    return present.getEphemeralOwner() == session()
        && Arrays.equals(client.getData().forPath(path), address);
  }

  private boolean isClientOpen() {
    return client.getState() == CuratorFrameworkState.STARTED;
  }

  // Any thread.

  /**
   * Whether another process has registered the node later, so that this one announces it no more. A
   * node that was replaced should be closed: others connect to its replacement.
   *
   * @return as far as is known here
   */
  public boolean isReplaced() {
    return replaced;
  }

  /**
   * Removes the announcement, unless it is another process's by now. Waits up to two seconds for
   * that; if ZooKeeper cannot be reached it happens when it can be again, or with the end of the
   * client.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      if (announcing != null) {
        announcing.interrupt();
      }
    }
    client.getConnectionStateListenable().removeListener(listener);
    watcher.close();
    try {
      thread.execute(this::withdraw);
    } catch (RejectedExecutionException e) { // the client is closed
      client.getCuratorListenable().removeListener(ending);
      return; // the entry goes with the session
    }
    try {
      boolean _ = withdrawn.await(CLOSE_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // it goes on without this thread
    }
  }
}
