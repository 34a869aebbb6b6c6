package org.ringwire.infiniband.msgud;

import static org.ringwire.testing.Awaiting.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.connect.DatagramTerms;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.simulated.OneByte;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.transport.TransportConfig;

/**
 * A stream whose queue pair sends nothing any more, and goes on receiving, or of which nobody can
 * tell what it has sent. Says what the stream finds after two seconds without an acknowledgement,
 * or as it writes, and whether the queue pair serves again.
 */
public final class FailedSendProgram {

  private FailedSendProgram() {}

  /** With {@code polls} if it is the poll for what was sent that fails. */
  public static void main(String... args) throws IOException {
    boolean polls = args.length > 0 && args[0].equals("polls");
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));
    try (UdTransport transport =
        UdProvider.open(config, (inner, _) -> inner, "sendCompletions", "4")) {
      UdAdapter adapter = transport.adapter();
      int pair = adapter.queuePair().number();
      SimulatedDevice.set("held pair", pair);
      Terms peer = adapter.terms(0, 2, 1);
      UdStream stream = new UdStream(transport, peer, new DatagramTerms(1, 1), _ -> {});
      boolean _ = stream.write(new OneByte());
      SimulatedDevice.set(
          polls ? "failed send polls" : "pair that only receives", polls ? 1 : pair);
      long posts = transport.verbsCounters().receivePosts();
      long nowNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
      System.out.println("found: " + (polls ? failure(stream) : failure(stream, nowNs)));
      stream.abandon();
      stream.close(adapter.receiver());
      transport.thread().thread().wake();
      await("a restart", () -> transport.verbsCounters().receivePosts() > posts);
      System.out.println("serves again");
    }
  }

  /** Of a write that looks for room. */
  private static String failure(UdStream stream) {
    try {
      while (stream.write(new OneByte())) {
        // the next
      }
      return "nothing";
    } catch (IOException | VerbsException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String failure(UdStream stream, long nowNs) {
    try {
      long _ = stream.settle(8, nowNs, UdStream.NEVER);
      return "nothing";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
