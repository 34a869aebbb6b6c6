package org.ringwire.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.ringwire.testing.Awaiting.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.LogRecorder;

/** A registration that cannot be made says so, and leaves the next one alone. */
@ExpectedErrors({
  "ZooKeeper does not answer yet",
  "another process has registered this node",
  "the node is not announced"
})
class RegistrationTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final String PATH = "/ringwire/registrations";
  private static final String ENTRY = PATH + "/1";
  private static final String CLAIM = PATH + "/.claims/1";
  private static final byte[] THEIRS = "theirs:1".getBytes(StandardCharsets.UTF_8);
  private static final int TIMEOUT_MS = 20_000;
  private static final int KEPT_MS = 400;
  private static final List<ACL> READABLE =
      List.of(new ACL(ZooDefs.Perms.READ, new Id("world", "anyone")));

  /** What happens while a process is about to write an entry. */
  private interface Interference {
    void act() throws Exception;
  }

  private final List<AutoCloseable> open = new ArrayList<>();
  private TestingServer server;

  @BeforeEach
  void begin() throws Exception {
    server = new TestingServer(true);
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable resource : open.reversed()) {
      resource.close();
    }
    server.close();
  }

  private <T extends AutoCloseable> T later(T resource) {
    open.add(resource);
    return resource;
  }

  private CuratorFramework connect(Interference interference) {
    return connect(ENTRY, interference);
  }

  private CuratorFramework connect(String entry, Interference interference) {
    ACLProvider asked = // for the rights of an entry, when it is about to be written
        new ACLProvider() {
          @Override
          public List<ACL> getDefaultAcl() {
            return Collections
                .singletonList( // which, as the client asks of it, may be searched for null
                    new ACL(ZooDefs.Perms.ALL, new Id("world", "anyone")));
          }

          @Override
          public List<ACL> getAclForPath(String path) {
            if (path.equals(entry)) {
              try {
                interference.act();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            }
            return getDefaultAcl();
          }
        };
    CuratorFramework made =
        CuratorFrameworkFactory.builder()
            .connectString(server.getConnectString())
            .sessionTimeoutMs(TIMEOUT_MS)
            .connectionTimeoutMs(TIMEOUT_MS)
            .retryPolicy(new RetryForever(50))
            .aclProvider(asked)
            .build();
    made.start();
    return later(made);
  }

  private ZooKeeperDirectory directory(CuratorFramework client) throws InterruptedException {
    return later(ZooKeeperDirectory.open(client, PATH, PATIENCE));
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("ringwire-zookeeper" + ENTRY.replace('/', '-')))
        .count();
  }

  @Test
  void shouldEndWithTheCallThatFails() throws Exception {
    ZooKeeperDirectory directory = directory(connect(() -> {}));
    server.stop();
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThatIllegalStateException()
          .isThrownBy(() -> directory.register(1, "a:1", SHORT))
          .withMessageContaining("does not answer");
    }
    await("the end of what was begun", () -> threads() == 0); // though the server is still away
  }

  /** What somebody has to repair does not look like a server that is away, and is told at once. */
  @Test
  void shouldSayWhatIsRefused() throws Exception {
    CuratorFramework client = connect(() -> {});
    client.create().withACL(READABLE).forPath("/readable");
    ZooKeeperDirectory directory =
        later(ZooKeeperDirectory.open(client, "/readable/nodes", PATIENCE));
    assertThatIllegalStateException()
        .isThrownBy(() -> directory.register(1, "a:1", PATIENCE))
        .withMessageContaining("NoAuth for /readable")
        .withMessageContaining("needs the right")
        .withCauseInstanceOf(KeeperException.NoAuthException.class);
  }

  @Test
  void shouldSayThatThePathBehindTheServersIsNotThere() throws Exception {
    CuratorFramework client =
        later(
            CuratorFrameworkFactory.newClient(
                server.getConnectString() + "/nowhere", new RetryForever(50)));
    client.start();
    ZooKeeperDirectory directory = later(ZooKeeperDirectory.open(client, PATH, PATIENCE));
    assertThatIllegalStateException()
        .isThrownBy(() -> directory.register(1, "a:1", PATIENCE))
        .withMessageContaining("NoNode")
        .withMessageContaining("a path behind them");
  }

  @Test
  void shouldSayThatItsClientIsNotOpen() throws Exception {
    CuratorFramework client = connect(() -> {});
    ZooKeeperDirectory directory = directory(client);
    client.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> directory.register(1, "a:1", PATIENCE))
        .withMessageContaining("is closed");
    CuratorFramework unstarted =
        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryForever(50));
    assertThatIllegalStateException()
        .isThrownBy(() -> ZooKeeperDirectory.open(unstarted, PATH, PATIENCE))
        .withMessageContaining("was not started");
  }

  /** Nobody waits for it any more when an entry has to be made again. */
  @Test
  void shouldLogOnceWhatIsRefusedLater() throws Exception {
    CuratorFramework client = connect(() -> {});
    ZooKeeperDirectory directory = directory(client);
    try (LogRecorder log =
        LogRecorder.of(Logger.getLogger("org.ringwire.zookeeper"), Level.WARNING)) {
      later(directory.register(1, "a:1", PATIENCE));
      client.setACL().withACL(READABLE).forPath(PATH);
      client.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
      await("a line in the log", () -> !log.records().isEmpty());
      assertThat(log.records().peek().getMessage()).contains("the node is not announced");
    }
  }

  @Test
  void shouldNotBeReplacedByCallsBeforeThatHaveFailed() throws Exception {
    ZooKeeperDirectory directory = directory(connect(() -> {}));
    server.stop();
    for (int attempt = 0; attempt < 5; attempt++) {
      assertThatIllegalStateException().isThrownBy(() -> directory.register(1, "a:1", SHORT));
    }
    CompletableFuture<Registration> next =
        CompletableFuture.supplyAsync(() -> register(directory, "b:1"));
    await("the next call", () -> threads() > 0);
    Servers.restart(server);
    Registration registration = later(next.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    await("the address", () -> "b:1".equals(directory.address(1)));
    await("the end of what was begun before", () -> threads() <= 1);
    assertThat(registration.isReplaced()).isFalse();
    assertThat(directory.address(1)).isEqualTo("b:1");
  }

  private static Registration register(ZooKeeperDirectory directory, String address) {
    try {
      return directory.register(1, address, PATIENCE);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldSayThatItWasReplacedBeforeItWasMade() throws Exception {
    CuratorFramework other = connect(() -> {});
    ZooKeeperDirectory directory = directory(connect(() -> other.setData().forPath(CLAIM, THEIRS)));
    assertThatIllegalStateException()
        .isThrownBy(() -> directory.register(1, "a:1", PATIENCE))
        .withMessageContaining("another process")
        .withMessageContaining("path=" + ENTRY);
    assertThat(other.checkExists().forPath(ENTRY)).isNull();
  }

  /** Somebody writes the entry without a claim, again and again. */
  @Test
  void shouldReturnOnlyWhenTheEntryIsThere() throws Exception {
    CuratorFramework other = connect(() -> {});
    AtomicInteger left = new AtomicInteger(12); // more often than it is tried at a time
    ZooKeeperDirectory directory =
        directory(
            connect(() -> {
              if (left.getAndDecrement() > 0) {
                other.create().orSetData().forPath(ENTRY, THEIRS);
              }
            }));
    later(directory.register(1, "a:1", PATIENCE));
    assertThat(other.getData().forPath(ENTRY)).asString(StandardCharsets.UTF_8).isEqualTo("a:1");
  }

  @Test
  void shouldBeMadeWhenThereIsHeapAgain() throws Exception {
    AtomicInteger left = new AtomicInteger(1);
    ZooKeeperDirectory directory =
        directory(
            connect(() -> {
              if (left.getAndDecrement() > 0) {
                throw new OutOfMemoryError("as if");
              }
            }));
    later(directory.register(1, "a:1", PATIENCE));
    assertThat(left).hasValue(-1);
  }

  /** As none may be to be had when it is needed; and it has nothing of whoever registers. */
  @Test
  void shouldKeepOneThreadOfItsOwn() throws Exception {
    InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
    List<String> users = new CopyOnWriteArrayList<>();
    List<Thread> threads = new CopyOnWriteArrayList<>();
    CuratorFramework client =
        connect(() -> {
          users.add(String.valueOf(user.get()));
          threads.add(Thread.currentThread());
        });
    ZooKeeperDirectory directory = directory(client);
    user.set("somebody");
    try {
      later(directory.register(1, "a:1", PATIENCE));
    } finally {
      user.remove();
    }
    threads.getFirst().join(KEPT_MS); // if it ends
    var _ = client.delete().forPath(ENTRY);
    await("it is made again", () -> threads.size() == 2);
    assertThat(threads.getLast()).isSameAs(threads.getFirst());
    assertThat(users).containsOnly("null");
  }

  @Test
  void shouldBeRemovedThoughSomebodyHasRemovedItsClaim() throws Exception {
    CuratorFramework other = connect(() -> {});
    Registration registration = later(directory(connect(() -> {})).register(1, "a:1", PATIENCE));
    other.delete().forPath(CLAIM);
    registration.close();
    assertThatItGoes(other);
  }

  @Test
  void shouldBeRemovedThoughItIsClosedBeforeItHasItsClaimAgain() throws Exception {
    closeWhileItClaimsAnew(_ -> {});
  }

  /** And has not heard of it. */
  @Test
  void shouldBeRemovedThoughItIsClosedWhenItHasItsClaimAgain() throws Exception {
    closeWhileItClaimsAnew(
        other -> other.create().forPath(CLAIM, "a:1".getBytes(StandardCharsets.UTF_8)));
  }

  private interface Step {
    void act(CuratorFramework other) throws Exception;
  }

  private void closeWhileItClaimsAnew(Step before) throws Exception {
    CuratorFramework other = connect(() -> {});
    AtomicReference<Registration> closing = new AtomicReference<>();
    CuratorFramework own =
        connect(
            CLAIM,
            () -> {
              Registration registration = closing.getAndSet(null);
              if (registration != null) {
                before.act(other);
                Thread.startVirtualThread(registration::close);
                await("the close", Thread.currentThread()::isInterrupted);
              }
            });
    Registration registration = later(directory(own).register(1, "a:1", PATIENCE));
    closing.set(registration);
    other.delete().forPath(CLAIM);
    other.setData().forPath(ENTRY, "a:1".getBytes(StandardCharsets.UTF_8)); // so that it looks
    await("its claim", () -> closing.get() == null);
    assertThatItGoes(other);
  }

  private static void assertThatItGoes(CuratorFramework other) {
    await(
        "the end of the entry",
        () -> {
          try {
            return other.checkExists().forPath(ENTRY) == null;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  /** The entry is still there, and is theirs from now on. */
  @Test
  void shouldNotBeRemovedWhenAnotherProcessHasTheClaim() throws Exception {
    CuratorFramework other = connect(() -> {});
    Registration registration = later(directory(connect(() -> {})).register(1, "a:1", PATIENCE));
    var _ = // at once, else it may be taken back in between
        other
            .transaction()
            .forOperations(
                other.transactionOp().delete().forPath(CLAIM),
                other.transactionOp().create().forPath(CLAIM, THEIRS));
    registration.close();
    assertThat(other.checkExists().forPath(ENTRY)).isNotNull();
  }

  /** Both have one session, so the entry may be of either. */
  @Test
  void shouldNotRemoveTheEntryOfALaterOneOfItsClient() throws Exception {
    CuratorFramework other = connect(() -> {});
    ZooKeeperDirectory directory = directory(connect(() -> {}));
    Registration first = later(directory.register(1, "a:1", PATIENCE));
    Registration second = later(directory.register(1, "a:2", PATIENCE));
    byte[] address = "a:2".getBytes(StandardCharsets.UTF_8);
    assertThat(other.getData().forPath(ENTRY)).isEqualTo(address);
    other.delete().forPath(CLAIM);

    first.close();

    assertThat(other.getData().forPath(ENTRY)).isEqualTo(address);
    other.setData().forPath(ENTRY, THEIRS); // so that the second one looks
    await(
        "its own address",
        () -> {
          try {
            return Arrays.equals(other.getData().forPath(ENTRY), address);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    assertThat(second.isReplaced()).isFalse();
  }
}
