package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.ringwire.infiniband.simulated.OneByte;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.library.VerbsException;

/** A poll of a completion queue fails, once, by whoever may poll. */
final class FailedPollProgram {

  private static final int REQUESTS = 2;
  private static final long LEAD_NS = TimeUnit.SECONDS.toNanos(20);

  private FailedPollProgram() {}

  /** Prints how links end, and what becomes of the next. */
  public static void main(String... args) throws Exception {
    System.setProperty("ringwire.ib.sendRequests", Integer.toString(REQUESTS));
    for (String poller : new String[] {"leader", "receive thread", "writer", "send thread"}) {
      LinkedTransports.End here = new LinkedTransports.End();
      LinkedTransports.End there = new LinkedTransports.End();
      try (LinkedTransports transports = new LinkedTransports(here, there)) {
        IbLink link = (IbLink) transports.link();
        int pair = link.channel().queuePair().number();
        SimulatedDevice.set("pair whose polls fail", pair); // not those of the other end
        switch (poller) {
          case "leader" -> {
            SimulatedDevice.set("failed receive polls", 1);
            boolean _ = link.lead(() -> false, System.nanoTime() + LEAD_NS);
          }
          case "receive thread" -> {
            SimulatedDevice.set("failed receive polls", 1);
            wake(there);
          }
          case "writer" -> {
            fill(link, REQUESTS);
            writeInVain(link);
          }
          default -> fill(link, REQUESTS + 1); // who wrote the last one waits
        }
        LinkedTransports.End next = new LinkedTransports.End();
        String ended = LinkedTransports.await(here.closed);
        transports.transport().connect("127.0.0.1:1", next);
        System.out.println(poller + ": link: " + ended);
        System.out.println(poller + ": next: " + LinkedTransports.await(next.closed));
      }
    }
    System.exit(0); // threads of what has not ended
  }

  /** The receive thread of the other end, which may be awake and have ended all links by then. */
  private static void wake(LinkedTransports.End from) {
    try {
      boolean _ = from.opened.join().write(new OneByte());
    } catch (IOException e) {
      // it has found out without
    }
  }

  /** So many requests are posted that none is completed of. */
  private static void fill(IbLink link, int requests) throws Exception {
    SimulatedDevice.set("held pair", link.channel().queuePair().number());
    for (int i = 0; i < requests; i++) {
      boolean _ = link.write(new OneByte());
    }
    SimulatedDevice.set("failed send polls", 1);
  }

  private static void writeInVain(IbLink link) throws Exception {
    try {
      boolean _ = link.write(new OneByte());
    } catch (VerbsException e) {
      link.life().fail(e); // as who writes does
    }
  }
}
