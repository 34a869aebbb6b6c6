package org.ringwire.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.ringwire.testing.Awaiting.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.LogRecorder;

/** Against a ZooKeeper server in this process. */
@ExpectedErrors({
  "ZooKeeper does not answer yet",
  "another process has registered this node",
  "may not be read"
})
class ZooKeeperDirectoryTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PATH = "/ringwire/test";

  /** In milliseconds: no test waits for the end of a session, and none stands still for so long. */
  private static final int SESSION_MS = 20_000;

  record Ask(int number) {}

  private final List<AutoCloseable> open = new ArrayList<>();
  private TestingServer server;
  private CuratorFramework client;

  @BeforeEach
  void begin() throws Exception {
    server = new TestingServer(true);
    client = connect();
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable resource : open.reversed()) {
      resource.close();
    }
    server.close();
  }

  private CuratorFramework connect() {
    CuratorFramework made =
        CuratorFrameworkFactory.builder()
            .connectString(server.getConnectString())
            .sessionTimeoutMs(SESSION_MS)
            .connectionTimeoutMs(SESSION_MS)
            .retryPolicy(new RetryForever(50))
            .build();
    made.start();
    return later(made);
  }

  private <T extends AutoCloseable> T later(T resource) {
    open.add(resource);
    return resource;
  }

  private ZooKeeperDirectory directory() throws InterruptedException {
    return later(ZooKeeperDirectory.open(client, PATH, PATIENCE));
  }

  private void write(String child, String data) throws Exception {
    client
        .create()
        .orSetData()
        .creatingParentsIfNeeded()
        .forPath(PATH + "/" + child, data.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void shouldTakeTheLongestTimeoutThatThereIs() throws Exception {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    ZooKeeperDirectory directory = later(ZooKeeperDirectory.open(client, PATH, forever));
    later(directory.register(1, "a:1", forever));
    await("it", () -> "a:1".equals(directory.address(1)));
  }

  @Test
  void shouldShowWhatIsRegistered() throws Exception {
    ZooKeeperDirectory directory = directory();
    assertThat(directory.addresses()).isEmpty();
    Registration one = later(directory.register(1, "a:1", PATIENCE));
    later(directory.register(Node.MAX_ID, "[::1]:2", PATIENCE));
    await("both", () -> directory.addresses().size() == 2);
    assertThat(directory.address(1)).isEqualTo("a:1");
    assertThat(directory.address(Node.MAX_ID)).isEqualTo("[::1]:2");
    assertThat(directory.address(2)).isNull();
    ZooKeeperDirectory second = directory(); // knows at once what was there before
    assertThat(second.addresses()).isEqualTo(directory.addresses());
    one.close();
    await("the end of node 1", () -> directory.address(1) == null);
    later(directory.register(1, "b:1", PATIENCE));
    await("node 1 elsewhere", () -> "b:1".equals(directory.address(1)));
  }

  @Test
  void shouldForgetANodeWhoseProcessHasEnded() throws Exception {
    ZooKeeperDirectory directory = directory();
    CuratorFramework other = connect();
    ZooKeeperDirectory theirs = ZooKeeperDirectory.open(other, PATH, PATIENCE);
    theirs.register(1, "a:1", PATIENCE);
    await("node 1", () -> directory.address(1) != null);
    theirs.close();
    other.close(); // the registration was not closed
    await("the end of node 1", () -> directory.address(1) == null);
  }

  @Test
  void shouldRegisterAgainInANewSession() throws Exception {
    ZooKeeperDirectory directory = directory();
    CuratorFramework other = connect();
    ZooKeeperDirectory theirs = later(ZooKeeperDirectory.open(other, PATH, PATIENCE));
    later(theirs.register(1, "a:1", PATIENCE));
    await("node 1", () -> directory.address(1) != null);
    long before = created();
    other.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
    await("another registration", () -> created() != before && created() != 0);
    await("node 1 again", () -> "a:1".equals(directory.address(1)));
  }

  /** Which change of ZooKeeper has created the child of node 1; 0 if there is none. */
  private long created() {
    try {
      var stat = client.checkExists().forPath(PATH + "/1");
      return stat == null ? 0 : stat.getCzxid();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldLetARestartedProcessTakeItsNodeOver() throws Exception {
    ZooKeeperDirectory directory = directory();
    CuratorFramework before = connect();
    ZooKeeperDirectory old = ZooKeeperDirectory.open(before, PATH, PATIENCE);
    old.register(1, "old:1", PATIENCE); // its session has not ended yet
    await("node 1", () -> directory.address(1) != null);
    later(directory.register(1, "new:1", PATIENCE));
    await("the new address", () -> "new:1".equals(directory.address(1)));
    old.close();
    before.close();
    await(
        "a registration of the new session",
        () -> {
          try {
            var stat = client.checkExists().forPath(PATH + "/1");
            return stat != null
                && stat.getEphemeralOwner()
                    == client.getZookeeperClient().getZooKeeper().getSessionId();
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    await("the new address", () -> "new:1".equals(directory.address(1)));
  }

  private static void expireSession(CuratorFramework of) throws Exception {
    of.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
  }

  /** As a process does that was stopped until its session ended, and goes on. */
  @Test
  void shouldNotLetAProcessComeBackThatWasReplaced() throws Exception {
    ZooKeeperDirectory directory = directory();
    CuratorFramework stopped = connect();
    ZooKeeperDirectory theirs = later(ZooKeeperDirectory.open(stopped, PATH, PATIENCE));
    Registration old = theirs.register(1, "old:1", PATIENCE);
    CuratorFramework successor = connect();
    ZooKeeperDirectory next = later(ZooKeeperDirectory.open(successor, PATH, PATIENCE));
    Registration replacement = later(next.register(1, "new:1", PATIENCE));
    await("the new address", () -> "new:1".equals(directory.address(1)));
    long before = created();

    expireSession(stopped);

    await("its new session", () -> stopped.getZookeeperClient().isConnected());
    await("that it is replaced", old::isReplaced);
    old.close();
    assertThat(created()).isEqualTo(before);
    expireSession(successor); // which may announce the node again
    await("another registration", () -> created() != before && created() != 0);
    await("the new address again", () -> "new:1".equals(directory.address(1)));
    assertThat(replacement.isReplaced()).isFalse();
    assertThat(directory.addresses()).isEqualTo(Map.of(1, "new:1"));
  }

  @Test
  void shouldRegisterAgainWhatSomebodyHasRemoved() throws Exception {
    ZooKeeperDirectory directory = directory();
    Registration registration = later(directory.register(1, "a:1", PATIENCE));
    long before = created();
    client.delete().forPath(PATH + "/1");
    await("another registration", () -> created() != before && created() != 0);
    long again = created();
    client.delete().forPath(PATH + "/.claims/1");
    client.delete().forPath(PATH + "/1");
    await("a third one", () -> created() != again && created() != 0);
    await("node 1", () -> "a:1".equals(directory.address(1)));
    assertThat(registration.isReplaced()).isFalse();
  }

  @Test
  void shouldKeepAddressesWhileTheServerIsAway() throws Exception {
    ZooKeeperDirectory directory = directory();
    write("1", "a:1");
    await("node 1", () -> directory.address(1) != null);
    server.stop();
    await("the loss", () -> !client.getZookeeperClient().isConnected());
    assertThat(directory.address(1)).isEqualTo("a:1");
    Servers.restart(server);
    write("1", "b:1");
    await("the new address", () -> "b:1".equals(directory.address(1)));
  }

  @Test
  void shouldFillUpWhenTheServerComesLate() throws Exception {
    write("1", "a:1");
    server.stop();
    CuratorFramework other = connect();
    ZooKeeperDirectory directory =
        later(ZooKeeperDirectory.open(other, PATH, Duration.ofMillis(100)));
    assertThat(directory.addresses()).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(() -> directory.register(2, "b:2", Duration.ofMillis(100)))
        .withMessageContaining("does not answer: path=/ringwire/test/2");
    Servers.restart(server);
    await("node 1", () -> "a:1".equals(directory.address(1)));
  }

  @Test
  void shouldPassOverWhatMakesNoSenseAndReportItOnce() throws Exception {
    Logger logger = Logger.getLogger("org.ringwire.zookeeper");
    logger.setUseParentHandlers(false);
    try (LogRecorder recorder = LogRecorder.of(logger, Level.ALL)) {
      ZooKeeperDirectory directory = directory();
      write("1", "a:1");
      await("node 1", () -> directory.address(1) != null); // so that its end is one
      for (String child : List.of("one", "01", "65536", "-1", "999999")) {
        write(child, "a:1");
        write(child, "a:2");
      }
      write("2", " ");
      client.create().forPath(PATH + "/3", new byte[] {(byte) 0xC3});
      client.create().forPath(PATH + "/1/4", "deeper:1".getBytes(StandardCharsets.UTF_8));
      write("1", "");
      write("5", "e:5");
      await("the last", () -> directory.address(5) != null);
      assertThat(directory.addresses()).isEqualTo(Map.of(1, "a:1", 5, "e:5"));
      assertThat(recorder.records()).hasSize(9);
      write("2", "b:2");
      await("node 2", () -> directory.address(2) != null);
      client.delete().forPath(PATH + "/1/4");
      client.delete().forPath(PATH + "/1");
      await("the end of node 1", () -> directory.address(1) == null);
    } finally {
      logger.setUseParentHandlers(true);
    }
  }

  /** Else it would look like a cluster without nodes. */
  @Test
  void shouldSayOnceThatItMayNotRead() throws Exception {
    List<ACL> unreadable =
        List.of(new ACL(ZooDefs.Perms.ALL & ~ZooDefs.Perms.READ, new Id("world", "anyone")));
    write("1", "a:1");
    client
        .create()
        .withACL(unreadable)
        .forPath(PATH + "/2", "b:2".getBytes(StandardCharsets.UTF_8));
    client
        .create()
        .withACL(unreadable)
        .forPath(PATH + "/3", "c:3".getBytes(StandardCharsets.UTF_8));
    try (LogRecorder log =
        LogRecorder.of(Logger.getLogger("org.ringwire.zookeeper"), Level.WARNING)) {
      ZooKeeperDirectory directory = directory();
      assertThat(directory.addresses()).isEqualTo(Map.of(1, "a:1"));
      assertThat(log.records()).hasSize(1);
      assertThat(log.records().peek().getMessage()).contains("may not be read");
      assertThat(log.records().peek().getParameters()).contains(PATH);
    }
  }

  @Test
  void shouldRefuseWhatCannotBeRegistered() throws Exception {
    ZooKeeperDirectory directory = directory();
    for (int id : new int[] {-1, Node.MAX_ID + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> directory.register(id, "a:1", PATIENCE))
          .withMessage("node id must be in 0..65535: nodeId=" + id);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> directory.register(1, " ", PATIENCE))
        .withMessageContaining("no address");
    for (String all :
        new String[] {"0.0.0.0:7400", "[::]:7400", "[0:0:0:0:0:0:0:0]:7400", "0.0.0.0"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> directory.register(1, all, PATIENCE))
          .withMessageContaining("address=" + all)
          .withMessageContaining("that others use");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ZooKeeperDirectory.open(client, "relative", PATIENCE));
  }

  /** Before anything is begun: what follows ZooKeeper would go on for nobody. */
  @Test
  void shouldNameWhatIsNotThere() throws Exception {
    ZooKeeperDirectory directory = directory();
    refuses("address of node 7", () -> directory.register(7, null, PATIENCE)); // it does not listen
    refuses("timeout", () -> directory.register(7, "a:1", null));
    refuses("client", () -> ZooKeeperDirectory.open(null, PATH, PATIENCE));
    refuses("path", () -> ZooKeeperDirectory.open(client, null, PATIENCE));
    refuses("timeout", () -> ZooKeeperDirectory.open(client, PATH, null));
  }

  private static void refuses(String name, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessage(name + " must not be null");
  }

  // Under traffic.

  private static Node openNode(int id, NodeDirectory directory) {
    Node node =
        Node.open(
            NodeConfig.builder(id)
                .transport("tcp")
                .listen("127.0.0.1:0")
                .peers(directory)
                .requestTimeout(PATIENCE)
                .build());
    node.handle(Ask.class, (ask, exchange) -> exchange.reply(new Ask(ask.number() + id)));
    return node;
  }

  /** A node with its registration. */
  private record Member(Node node, Registration registration) implements AutoCloseable {
    static Member open(int id, ZooKeeperDirectory directory) throws InterruptedException {
      Node node = openNode(id, directory);
      String address = String.valueOf(node.address());
      return new Member(node, directory.register(id, address, PATIENCE));
    }

    @Override
    public void close() {
      registration.close();
      node.close();
    }
  }

  @Test
  void shouldLetNodesComeMoveAndGoUnderTraffic() throws Exception {
    ZooKeeperDirectory directory = directory();
    Map<Integer, AtomicLong> answers =
        Map.of(1, new AtomicLong(), 2, new AtomicLong(), 3, new AtomicLong());
    Map<Integer, Member> members = new TreeMap<>();
    Node asking = later(openNode(9, directory));
    Thread thread =
        new Thread(() -> {
          for (int number = 0; !Thread.currentThread().isInterrupted(); number++) {
            for (Map.Entry<Integer, AtomicLong> peer : answers.entrySet()) {
              try {
                int id = peer.getKey();
                Ask answer = asking.request(id, new Ask(number), Ask.class, PATIENCE);
                if (answer.number() == number + id) {
                  peer.getValue().incrementAndGet();
                }
              } catch (MessagingException e) {
                Thread.onSpinWait(); // not there, or going
              }
            }
          }
        });
    thread.start();
    try {
      members.put(1, Member.open(1, directory));
      awaitAnswers(answers, 1);
      members.put(2, Member.open(2, directory));
      members.put(3, Member.open(3, directory));
      awaitAnswers(answers, 1, 2, 3);
      members.remove(2).close();
      await("the end of node 2", () -> directory.address(2) == null);
      awaitAnswers(answers, 1, 3);
      members.put(2, Member.open(2, directory)); // at another port
      awaitAnswers(answers, 1, 2, 3);
      Servers.restart(server); // nodes that know each other need nobody
      awaitAnswers(answers, 1, 2, 3);
    } finally {
      thread.interrupt();
      thread.join(PATIENCE);
      members.values().forEach(Member::close);
    }
  }

  private static void awaitAnswers(Map<Integer, AtomicLong> answers, int... ids) {
    for (int id : ids) {
      long before = answers.get(id).get();
      await("answers of node " + id, () -> answers.get(id).get() > before + 20);
    }
  }
}
