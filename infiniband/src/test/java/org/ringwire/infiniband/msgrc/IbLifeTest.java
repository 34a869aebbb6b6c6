package org.ringwire.infiniband.msgrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.infiniband.msgrc.IbNodes.PATIENCE;
import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Dispatch;
import org.ringwire.LossReport;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.SendStatus;
import org.ringwire.infiniband.msgrc.IbNodes.Blob;
import org.ringwire.infiniband.msgrc.IbNodes.Program;
import org.ringwire.testing.NodeWatcher;

/** Devices and nodes that go and come back, and what is accounted for meanwhile. */
@Tag("rdma")
@ExtendWith(NodeWatcher.class)
class IbLifeTest {

  private final IbNodes nodes = new IbNodes();

  @AfterEach
  void closeEverything() throws Exception {
    try {
      nodes.close();
    } finally {
      interfaceIs("up");
    }
  }

  private static void interfaceIs(String state) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("ip", "link", "set", "dummy0", state).inheritIO().start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  /** Nobody but the library does anything to make traffic go on. */
  @Test
  void shouldGoOnByItselfWhenTheDeviceWasDown() throws Exception {
    nodes.set("timeout", 12);
    nodes.set("retries", 3);
    Node one = nodes.open(1);
    Node two = nodes.open(2);
    var seen = ConcurrentHashMap.<Long>newKeySet();
    AtomicLong handled = new AtomicLong();
    Queue<String> wrong = new ConcurrentLinkedQueue<>();
    two.handle(
        Blob.class,
        Dispatch.POOLED.inOrder(),
        (blob, exchange) -> {
          if (!blob.isWhole() || !seen.add(blob.number())) {
            wrong.add("altered or doubled: " + blob.number());
          }
          handled.incrementAndGet();
        });
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong accepted = new AtomicLong();
    Thread sender = Thread.ofPlatform().start(() -> sendUntil(one, stop, accepted));
    await("traffic", () -> handled.get() > 200);
    interfaceIs("down");
    await("loss", () -> !nodes.losses().isEmpty());
    interfaceIs("up");
    long before = handled.get();
    await("traffic again", () -> handled.get() > before + 200);
    stop.set(true);
    sender.join();
    one.close();
    await("settled", () -> accounted(accepted.get(), handled.get()));
    assertThat(wrong).isEmpty();
  }

  private static void sendUntil(Node node, AtomicBoolean stop, AtomicLong accepted) {
    for (long number = 0; !stop.get(); number++) {
      try {
        node.send(2, Blob.of(number, 2000));
        accepted.incrementAndGet();
      } catch (MessagingException e) {
        number--; // it was not accepted
      }
    }
  }

  /** Accepted are those that were handled and those that were lost; in doubt, one or the other. */
  private boolean accounted(long accepted, long handled) {
    long lost = nodes.losses().stream().mapToLong(LossReport::lost).sum();
    long uncertain = nodes.losses().stream().mapToLong(LossReport::uncertain).sum();
    return handled + lost <= accepted && handled + lost + uncertain >= accepted;
  }

  /** What was meant for the life that was killed never reaches the next one. */
  @Test
  void shouldNotDeliverToTheNextLifeWhatWasSentToTheOneBefore() throws Exception {
    Node one = nodes.open(1);
    Program first = nodes.start(2, HoldingProgram.class, "2");
    one.send(2, Blob.of(0, 3000));
    long old = 1;
    while (old < 500 && one.trySend(2, Blob.of(old, 3000)) == SendStatus.ACCEPTED) {
      old++;
    }
    nodes.directory().remove(2);
    first.kill();
    await("loss", () -> !nodes.losses().isEmpty());
    assertThat(nodes.losses().element().processed()).isZero();
    Program second = nodes.start(2, HoldingProgram.class, "2");
    List<String> heard = new ArrayList<>();
    for (long fresh = 1_000_000; fresh < 1_000_005; fresh++) {
      Blob blob = Blob.of(fresh, 3000);
      await("sent", () -> sends(one, blob));
      heard.add(second.line());
    }
    assertThat(heard).allMatch(line -> line.startsWith("handling 100000"));
    LossReport report = nodes.losses().element();
    assertThat(report.accepted()).isEqualTo(old).isEqualTo(report.lost() + report.uncertain());
  }

  private static boolean sends(Node node, Blob blob) {
    try {
      node.send(2, blob);
      return true;
    } catch (MessagingException e) {
      return false; // backs off
    }
  }

  /** A life that stood still while the next one took its place is not heard any more. */
  @Test
  void shouldNotHearALifeAfterTheNextOne() throws Exception {
    Node one = nodes.open(1);
    Queue<Long> lives = new ConcurrentLinkedQueue<>();
    one.handle(
        Blob.class, Dispatch.INLINE, (blob, exchange) -> lives.add(blob.number() / 1_000_000));
    String address = String.valueOf(one.address());
    Program first = nodes.start(2, StreamProgram.class, "2", address, "1");
    await("the first life", () -> lives.contains(1L));
    first.signal("STOP");
    nodes.start(2, StreamProgram.class, "2", address, "2");
    await("the second life", () -> lives.contains(2L));
    first.signal("CONT");
    long heard = lives.size();
    await("more of it", () -> lives.size() > heard + 200);
    List<Long> all = List.copyOf(lives);
    assertThat(all.subList(all.indexOf(2L), all.size())).containsOnly(2L);
  }

  /** The pool of the transport is larger than the limit: the error says what to do. */
  @Test
  void shouldNameTheLimitOfLockedMemory() throws Exception {
    Program limited = limited(1 << 20, "1048576");
    assertThat(limited.line())
        .contains("ibv_reg_mr failed: errno=12 (ENOMEM)")
        .contains("RLIMIT_MEMLOCK=1048576 bytes")
        .contains("`ulimit -l unlimited`");
    assertThat(limited.status()).isEqualTo(1);
  }

  /** A ring that cannot be registered is used all the same, and copied from. */
  @Test
  void shouldCopyFromARingThatCannotBeRegistered() throws Exception {
    Node one = nodes.open(1);
    AtomicLong handled = new AtomicLong();
    CountDownLatch all = new CountDownLatch(100);
    one.handle(
        Blob.class,
        Dispatch.INLINE,
        (blob, exchange) -> {
          if (blob.number() == handled.getAndIncrement() && blob.isWhole()) {
            all.countDown();
          }
        });
    Program limited = limited(16 << 20, Integer.toString(64 << 20), String.valueOf(one.address()));
    assertThat(limited.line()).isEqualTo("sent"); // its start may take a minute
    long before;
    do { // as long as some arrive
      before = all.getCount();
    } while (!all.await(PATIENCE.toSeconds(), TimeUnit.SECONDS) && all.getCount() < before);
    assertThat(all.getCount())
        .as("handled=%s ends=%s", handled, one.metrics().connectionEnds())
        .isZero(); // one that was lost, as with its connection, spoils all that follow
  }

  private Program limited(long limit, String... arguments) throws IOException {
    return nodes.start(
        List.of( // root is exempt as long as it has the capability
            "setpriv",
            "--bounding-set=-ipc_lock",
            "--inh-caps=-ipc_lock",
            "prlimit",
            "--memlock=" + limit + ":" + limit),
        List.of(),
        LimitedProgram.class,
        arguments);
  }

  /** Never finishes the first message, and tells of each that it begins with. */
  static final class HoldingProgram {

    private HoldingProgram() {}

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws InterruptedException {
      Node node = Node.open(IbNodes.settings(Integer.parseInt(arguments[0])).build());
      node.handle(
          Blob.class,
          Dispatch.BLOCKING,
          (blob, exchange) -> {
            System.out.println("handling " + blob.number());
            Thread.currentThread().join();
          });
      System.out.println(node.address());
      Thread.currentThread().join();
    }
  }

  /** Sends to node 1 for ever, whatever happens. */
  static final class StreamProgram {

    private StreamProgram() {}

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws InterruptedException {
      NodeDirectory.Mutable directory = NodeDirectory.mutable();
      directory.put(1, arguments[1]);
      Node node =
          Node.open(IbNodes.settings(Integer.parseInt(arguments[0])).peers(directory).build());
      System.out.println(node.address());
      long base = 1_000_000L * Long.parseLong(arguments[2]);
      for (int number = 0; ; number++) {
        try {
          node.send(1, Blob.of(base + number % 1_000_000, 500));
        } catch (MessagingException e) {
          TimeUnit.MILLISECONDS.sleep(10);
        }
      }
    }
  }

  /** A node with a ring of some size, under a limit; sends to a node whose address is given. */
  static final class LimitedProgram {

    private LimitedProgram() {}

    /** Prints what came of it. */
    public static void main(String[] arguments) {
      NodeDirectory.Mutable directory = NodeDirectory.mutable();
      if (arguments.length > 1) {
        directory.put(1, arguments[1]);
      }
      try (Node node =
          Node.open(
              IbNodes.settings(2)
                  .peers(directory)
                  .ringCapacity(Integer.parseInt(arguments[0]))
                  .closeTimeout(PATIENCE) // until all is handled, or else it may be lost
                  .build())) {
        for (int number = 0; number < 100; number++) {
          node.send(1, Blob.of(number, 3000));
        }
        System.out.println("sent");
      } catch (MessagingException e) {
        System.out.println(String.valueOf(e.getMessage()).replace('\n', ' '));
        System.exit(1);
      }
    }
  }
}
