package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.link.CopiedStream;
import org.ringwire.testing.Awaiting;
import org.ringwire.transport.Link;
import org.ringwire.transport.TransportConfig;

/**
 * What links have sent is lost, and when it is time to send it again there is no heap for a while
 * to note which links those are; then there is.
 */
public final class ExpiredWithoutHeapProgram {

  private static final int LINKS = 8;

  /** More than there are links, so that each would have been forgotten. */
  private static final int FAILURES = 3 * LINKS;

  private final AtomicBoolean isLost = new AtomicBoolean();
  private final AtomicLong carried = new AtomicLong();
  private final List<CopiedStream> here = new ArrayList<>();
  private final List<CopiedStream> there = new CopyOnWriteArrayList<>();
  private final StarvedList touched = new StarvedList();

  private ExpiredWithoutHeapProgram() {}

  /** Has no heap for what is added while it says so. */
  private static final class StarvedList extends ArrayList<UdLink> {
    private static final long serialVersionUID = 1;

    private final AtomicBoolean isStarved = new AtomicBoolean();
    private final AtomicInteger failures = new AtomicInteger();

    @Override
    public boolean add(UdLink link) {
      if (isStarved.get()) {
        failures.incrementAndGet();
        throw new OutOfMemoryError("as if there was no heap");
      }
      return super.add(link);
    }
  }

  /** Prints on how many links it has arrived in the end. */
  public static void main(String... args) throws IOException, ReflectiveOperationException {
    new ExpiredWithoutHeapProgram().run();
  }

  private void run() throws IOException, ReflectiveOperationException {
    try (UdTransport from = open(1, new AtomicBoolean());
        UdTransport to = open(2, isLost)) {
      replaceList(from.thread());
      connect(from, to);
      isLost.set(true);
      long before = requests(from);
      for (CopiedStream each : here) {
        each.send(1);
      }
      Awaiting.await("sent again", () -> requests(from) - before >= 2 * LINKS);
      touched.isStarved.set(true);
      Awaiting.await("no heap", () -> touched.failures.get() >= FAILURES);
      touched.isStarved.set(false);
      isLost.set(false);
      Awaiting.await("arrived", () -> there.stream().allMatch(each -> each.received() == 1));
      System.out.println("arrived: " + there.size());
    }
  }

  private void connect(UdTransport from, UdTransport to) throws IOException {
    String address =
        to.listen(
            "127.0.0.1:0",
            _ -> {
              there.add(new CopiedStream(carried));
              return there.getLast();
            });
    for (int i = 0; i < LINKS; i++) {
      here.add(new CopiedStream(carried));
      from.connect(address, here.getLast());
    }
    for (CopiedStream each : here) {
      Link _ = each.link();
    }
  }

  /** While there are no links, so that none is in the other one. */
  private void replaceList(UdThread thread) throws ReflectiveOperationException {
    Field list = UdThread.class.getDeclaredField("touched");
    list.setAccessible(true);
    list.set(thread, touched);
  }

  private static long requests(UdTransport from) {
    return from.adapter().sender().requests().postedRequests();
  }

  private static UdTransport open(int id, AtomicBoolean isLost) {
    return UdProvider.open(
        new TransportConfig(id, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(20)),
        (inner, _) ->
            (buffer, length, source) -> !isLost.get() && inner.arrived(buffer, length, source));
  }
}
