package org.ringwire.benchmarks.reference.jeromq;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.JavaContender;
import org.ringwire.benchmarks.reference.harness.Measurement;
import org.ringwire.benchmarks.reference.harness.ReceiverHandler;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;
import org.ringwire.benchmarks.reference.harness.ThreadedRoundTrips;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ.Socket;

/**
 * JeroMQ over TCP. PUSH and PULL in both directions, its pattern without envelopes; the library
 * gathers messages by itself, so nobody flushes.
 */
public final class JeroMqProgram implements JavaContender {
  /**
   * Bytes on their way per socket before a sender waits, like the other programs. The library
   * counts messages; its default of 1000 stops a sender of small ones all the time.
   */
  private static final int BYTES_IN_FLIGHT = 4 * 1024 * 1024;

  private static final int LEAST_IN_FLIGHT = 16;

  private static final int LINGER_MS = 10_000;

  /** For one measurement. */
  public JeroMqProgram() {}

  @Override
  public String medium() {
    return "tcp";
  }

  @Override
  public void requireSupported(Settings settings) {
    Settings.require(
        settings.mode() == Mode.PARK, "jeromq waits in its own threads; it cannot spin");
  }

  @Override
  public void receive(Settings settings, Place place, Consumer<String> listening) {
    // One I/O thread: the guide's advice below a gigabyte per second.
    try (ZContext context = new ZContext(1)) {
      context.setLinger(LINGER_MS); // for the last message
      Socket data = open(context, SocketType.PULL, settings);
      Socket replies = open(context, SocketType.PUSH, settings);
      data.bind("tcp://127.0.0.1:*");
      replies.bind("tcp://127.0.0.1:*");
      listening.accept(data.getLastEndpoint() + " " + replies.getLastEndpoint());
      ReceiverHandler handler = new ReceiverHandler(settings);
      for (Sample sample = next(data); sample.sender() != Sample.BYE; sample = next(data)) {
        @Nullable Sample reply = handler.handle(sample);
        if (reply != null) {
          replies.send(reply.toBytes(), 0);
        }
      }
      replies.send(new Sample(0, Sample.BYE, new byte[0]).toBytes(), 0);
    }
  }

  @Override
  public Result send(Settings settings, Place place, String address) throws Exception {
    Measurement measurement = new Measurement(settings, settings.system(), medium(), place.cpus());
    try (ZContext context = new ZContext(1);
        JeroMqClient client = new JeroMqClient(context, settings, address)) {
      return settings.kind() == Kind.STREAM
          ? measurement.stream(client)
          : measurement.roundTrips(new ThreadedRoundTrips(client, settings));
    }
  }

  static Socket open(ZContext context, SocketType type, Settings settings) {
    Socket socket = context.createSocket(type);
    int messages = BYTES_IN_FLIGHT / Sample.frameLength(settings.payloadLength());
    socket.setHWM(Math.max(LEAST_IN_FLIGHT, messages));
    return socket;
  }

  /** Waits for the next object. */
  static Sample next(Socket socket) {
    byte[] bytes = socket.recv(0);
    if (bytes == null) {
      throw new IllegalStateException("the socket was closed");
    }
    return Sample.decode(ByteBuffer.wrap(bytes));
  }
}
