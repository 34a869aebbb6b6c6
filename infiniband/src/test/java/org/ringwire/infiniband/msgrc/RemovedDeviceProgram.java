package org.ringwire.infiniband.msgrc;

import static org.ringwire.testing.Awaiting.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.connect.Engine;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.msgud.UdTransport;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.testing.Ignoring;
import org.ringwire.transport.Link;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** Removes the device of a link. Says what becomes of the link, of the next one, and of threads. */
public final class RemovedDeviceProgram {

  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final List<String> ROUNDS =
      List.of("sendPolls", "sendNotifications", "receivePolls", "receiveNotifications");

  private RemovedDeviceProgram() {}

  private static final class End extends Ignoring {
    private final CompletableFuture<Boolean> opened = new CompletableFuture<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();

    @Override
    public void opened(Link link) {
      opened.complete(true);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      closed.complete(String.valueOf(cause));
    }

    private static <T> T get(CompletableFuture<T> future) {
      return future.orTimeout(20, TimeUnit.SECONDS).join();
    }
  }

  /** With the name of an engine. */
  public static void main(String... args) throws Exception {
    IbOptions options = IbOptions.of(name -> name.equals("ringwire.ib.engine") ? args[0] : null);
    try (Transport one = open(1, options);
        Transport two = open(2, options)) {
      End here = new End();
      End there = new End();
      String address = one.listen("127.0.0.1:0", _ -> here);
      if (args[0].equals("msgrc")) { // datagrams are not modelled
        two.connect(address, there);
        boolean _ = End.get(here.opened) && End.get(there.opened);
      }
      SimulatedDevice.set("removed", 1);
      if (args[0].equals("msgrc")) {
        System.out.println("link: " + End.get(here.closed));
      }
      await("threads that wait", () -> isAtRest(one) && isAtRest(two));
      System.out.println("at rest");
      End next = new End();
      two.connect(address, next);
      System.out.println("next: " + End.get(next.closed));
    }
    System.exit(0); // threads of what has not ended
  }

  private static Transport open(int id, IbOptions options) throws Exception {
    TransportConfig config =
        new TransportConfig(id, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));
    return options.engine() == Engine.MSGUD
        ? UdTransport.open(config, options, (inner, _) -> inner)
        : IbTransport.open(config, options);
  }

  /** Whether its threads have done nothing for a while. */
  private static boolean isAtRest(Transport transport) {
    long before = rounds(transport.counters());
    LockSupport.parkNanos(LOOK_NS);
    return rounds(transport.counters()) == before;
  }

  private static long rounds(Map<String, Long> counters) {
    return ROUNDS.stream().mapToLong(name -> counters.getOrDefault(name, 0L)).sum();
  }
}
