package org.ringwire.infiniband.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ringwire.Authentication;
import org.ringwire.Dispatch;
import org.ringwire.LossReport;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeListener;

/** What goes wrong with links over InfiniBand, where there is a device. */
@Tag("rdma")
class IbFaultTest {

  private static final Duration PATIENCE = Duration.ofSeconds(100);

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final Queue<LossReport> losses = new ConcurrentLinkedQueue<>();
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final List<String> properties = new ArrayList<>();

  /** A message of any size. */
  @SuppressWarnings("ArrayRecordComponent") // compared by its content
  record Blob(long number, byte[] bytes) {}

  @AfterEach
  void closeEverything() throws Exception {
    for (AutoCloseable resource : resources.reversed()) {
      resource.close();
    }
    properties.forEach(System::clearProperty);
  }

  private void set(String name, int value) {
    System.setProperty(IbOptions.PREFIX + name, Integer.toString(value));
    properties.add(IbOptions.PREFIX + name);
  }

  private NodeConfig.Builder settings(int id) {
    return NodeConfig.builder(id)
        .transport("ib")
        .peers(directory)
        .listen("127.0.0.1:0")
        .authentication(Authentication.none())
        .connectTimeout(PATIENCE)
        .sendTimeout(PATIENCE)
        .requestTimeout(PATIENCE)
        .listener(
            new NodeListener() {
              @Override
              public void lost(LossReport report) {
                losses.add(report);
              }
            });
  }

  private Node open(int id) {
    Node node = Node.open(settings(id).build());
    resources.add(node);
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  private static void await(String what, BooleanSupplier condition) {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).as(what).isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Every request of a link waits for a slot, for a receive request, or for both. */
  @Test
  void shouldLoseNothingWithTinyQueues() {
    set("sendRequests", 2);
    set("sendCompletions", 2);
    set("receiveRequests", 2);
    set("receiveRanges", 2);
    set("sliceLength", 512);
    Node one = open(1);
    Node two = open(2);
    AtomicLong handled = new AtomicLong();
    AtomicLong wrong = new AtomicLong();
    two.handle(
        Blob.class,
        Dispatch.POOLED.inOrder(),
        (blob, exchange) -> {
          if (blob.number() != handled.getAndIncrement() || !isWhole(blob)) {
            wrong.incrementAndGet();
          }
        });
    int count = 300;
    for (int number = 0; number < count; number++) {
      one.send(2, blob(number, number % 50 == 49 ? 100_000 : number * 7));
    }
    await("all handled", () -> handled.get() == count);
    assertThat(wrong.get()).isZero();
    assertThat(losses).isEmpty();
  }

  private static Blob blob(long number, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (number + i);
    }
    return new Blob(number, bytes);
  }

  private static boolean isWhole(Blob blob) {
    for (int i = 0; i < blob.bytes().length; i++) {
      if (blob.bytes()[i] != (byte) (blob.number() + i)) {
        return false;
      }
    }
    return true;
  }

  @Test
  void shouldReportLossWhenPeerIsKilledInMidTransferAndConnectAgain() throws Exception {
    Node one = open(1);
    Process victim = start(2);
    one.request(2, blob(0, 10), Blob.class, PATIENCE);
    Thread sender =
        Thread.ofPlatform()
            .start(() ->
                assertThatThrownBy(
                        () -> {
                          for (int number = 0; ; number++) {
                            one.send(2, blob(number, 50_000));
                          }
                        })
                    .isInstanceOf(MessagingException.class));
    await(
        "transfer",
        () -> one.metrics().connections().stream().anyMatch(c -> c.bytesSent() > 1_000_000));
    directory.remove(2); // it must not be found again
    victim.destroyForcibly();
    await("loss", () -> !losses.isEmpty());
    sender.join(PATIENCE.toMillis());
    assertThat(sender.isAlive()).isFalse();
    LossReport report = losses.element();
    assertThat(report.nodeId()).isEqualTo(2);
    start(2);
    Blob again = blob(7, 1000);
    await("another life", () -> answers(one, again));
  }

  private static boolean answers(Node node, Blob blob) {
    try {
      return isWhole(node.request(2, blob, Blob.class, PATIENCE));
    } catch (MessagingException e) {
      return false; // backs off
    }
  }

  /** A node in a process of its own, which is killed after the test. */
  private Process start(int id) throws IOException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                EchoProgram.class.getName(),
                Integer.toString(id))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    resources.add(() -> {
      process.destroyForcibly();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    });
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    directory.put(id, output.readLine());
    return process;
  }

  /** Sends blobs back, and says where. */
  static final class EchoProgram {

    private EchoProgram() {}

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws InterruptedException {
      Node node =
          Node.open(
              NodeConfig.builder(Integer.parseInt(arguments[0]))
                  .transport("ib")
                  .listen("127.0.0.1:0")
                  .authentication(Authentication.none())
                  .connectTimeout(PATIENCE)
                  .build());
      node.handle(
          Blob.class,
          (blob, exchange) -> {
            if (exchange.isRequest()) {
              exchange.reply(blob);
            }
          });
      System.out.println(node.address());
      Thread.currentThread().join();
    }
  }
}
