package org.ringwire.infiniband.msgrc;

import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.device.Settings;
import org.ringwire.infiniband.simulated.OneByte;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.testing.Ignoring;
import org.ringwire.transport.Link;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/** Links that end, one after the other, while something is under way. */
public final class LastRequestProgram {

  private static final int REQUESTS = 16;
  private static final long PATIENCE_S = 20;

  private LastRequestProgram() {}

  private static final class Handler extends Ignoring {
    private final CompletableFuture<Link> opened = new CompletableFuture<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();

    @Override
    public void opened(Link link) {
      opened.complete(link);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      opened.completeExceptionally(new IOException(cause));
      closed.complete(cause == null ? "in order" : cause.getMessage());
    }
  }

  /**
   * Prints how each link has ended, and when a receive request did not come back.
   *
   * @param args how many links; who ends them, "here" or "peer"; and what is under way: "receiving"
   *     if a message has begun to arrive here, "sending", or nothing and the device is "silent"
   */
  public static void main(String... args) throws Exception {
    boolean sending = args[2].equals("sending");
    BlockingQueue<Handler> accepted = new LinkedBlockingQueue<>();
    try (Transport here = open(1, "" + REQUESTS);
        Transport peer = open(2, "64")) {
      String address =
          here.listen(
              "127.0.0.1:0",
              _ -> {
                Handler handler = new Handler();
                accepted.add(handler);
                return handler;
              });
      for (int i = Integer.parseInt(args[0]); i > 0; i--) {
        Handler other = new Handler();
        peer.connect(address, other);
        Link others = other.opened.get(PATIENCE_S, TimeUnit.SECONDS);
        Handler own = accepted.take();
        Link link = own.opened.get(PATIENCE_S, TimeUnit.SECONDS);
        awaitRequests();
        if (sending) {
          SimulatedDevice.set("held pair", SimulatedDevice.get("last pair"));
          link.write(new OneByte());
        } else if (args[2].equals("silent")) {
          SimulatedDevice.set("silent", 1);
        } else {
          SimulatedDevice.set("begun messages", 1);
        }
        (args[1].equals("here") ? link : others).close();
        String end = own.closed.get(PATIENCE_S, TimeUnit.SECONDS);
        System.out.println(end + ", " + other.closed.get(PATIENCE_S, TimeUnit.SECONDS));
        awaitRequests();
      }
    }
  }

  private static void awaitRequests() {
    await("posted again", () -> SimulatedDevice.get("posted") == REQUESTS);
  }

  private static Transport open(int node, String requests) {
    return IbTransport.open(
        new TransportConfig(node, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10)),
        Settings.of("receiveRequests", requests));
  }
}
