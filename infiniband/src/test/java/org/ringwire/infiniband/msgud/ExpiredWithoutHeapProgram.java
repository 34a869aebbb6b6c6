package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.link.CopiedStream;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.FullHeap;
import org.ringwire.transport.Link;
import org.ringwire.transport.TransportConfig;

/**
 * What many links have sent is lost, and it is time to send it again for all of them at once, while
 * there is no heap; then there is.
 */
public final class ExpiredWithoutHeapProgram {

  private static final int LINKS = 60;

  /** As long as the longest time before something is sent again. */
  private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(1);

  private final AtomicBoolean isHeldHere = new AtomicBoolean();
  private final AtomicBoolean isHeldThere = new AtomicBoolean();
  private final AtomicBoolean isLost = new AtomicBoolean();
  private final AtomicLong carried = new AtomicLong();
  private final List<CopiedStream> here = new ArrayList<>();
  private final List<CopiedStream> there = new CopyOnWriteArrayList<>();

  private ExpiredWithoutHeapProgram() {}

  /** Prints on how many links it has arrived in the end. */
  public static void main(String... args) throws IOException {
    new ExpiredWithoutHeapProgram().run();
  }

  private void run() throws IOException {
    try (UdTransport from = open(1, isHeldHere, new AtomicBoolean());
        UdTransport to = open(2, isHeldThere, isLost)) {
      connectSlowly(from, to);
      isLost.set(true);
      for (CopiedStream each : here) { // one by one: what lists them all is short until then
        long before = requests(from);
        each.send(1);
        Awaiting.await("sent", () -> requests(from) > before);
      }
      isHeldHere.set(true);
      there.getFirst().send(1);
      Awaiting.await("time to send again", () -> leastSilenceNs(from) > 2 * LONGEST_NS);
      long before = requests(from);
      FullHeap.fill();
      isHeldHere.set(false);
      while (requests(from) - before < LINKS / 2) {
        Thread.onSpinWait();
      }
      FullHeap.empty();
      isLost.set(false);
      Awaiting.await("arrived", () -> there.stream().allMatch(each -> each.received() == 1));
      System.out.println("arrived: " + there.size());
    }
  }

  /** So that it takes as long as it may before something is sent again. */
  private void connectSlowly(UdTransport from, UdTransport to) throws IOException {
    String address =
        to.listen(
            "127.0.0.1:0",
            _ -> {
              there.add(new CopiedStream(carried));
              return there.getLast();
            });
    isHeldThere.set(true);
    for (int i = 0; i < LINKS; i++) {
      here.add(new CopiedStream(carried));
      from.connect(address, here.getLast());
    }
    Awaiting.await("all say that they are ready", () -> leastSilenceNs(from) > LONGEST_NS);
    isHeldThere.set(false);
    for (CopiedStream each : here) {
      Link _ = each.link();
    }
  }

  private static long requests(UdTransport from) {
    return from.adapter().sender().requests().postedRequests();
  }

  private static long leastSilenceNs(UdTransport from) {
    long least = Long.MAX_VALUE;
    for (UdLink link : from.register()) {
      UdStream stream = link.stream();
      least = Math.min(least, stream == null ? 0 : stream.silenceNs(System.nanoTime()));
    }
    return least;
  }

  private static UdTransport open(int id, AtomicBoolean isHeld, AtomicBoolean isLost) {
    return UdProvider.open(
        new TransportConfig(id, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(20)),
        (inner, _) ->
            (buffer, length, source) -> {
              while (isHeld.get()) {
                Thread.onSpinWait();
              }
              return !isLost.get() && inner.arrived(buffer, length, source);
            });
  }
}
