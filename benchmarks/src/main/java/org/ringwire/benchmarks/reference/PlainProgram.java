package org.ringwire.benchmarks.reference;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.Settings.Kind;
import org.ringwire.benchmarks.reference.Settings.Mode;

/**
 * What a good programmer writes in an afternoon with nothing but the JDK: {@code reference}
 * (blocking) and {@code minimal-nio} (the same classes over a channel that does not block,
 * spinning).
 */
final class PlainProgram {
  private PlainProgram() {}

  /** The receiving process: one connection, one thread that reads, decodes, handles and replies. */
  static void receive(Settings settings, IntConsumer portReady) throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      portReady.accept(((InetSocketAddress) server.getLocalAddress()).getPort());
      try (SocketChannel channel = configured(server.accept(), settings)) {
        FrameReader reader = new FrameReader(channel, settings.payloadLength());
        FrameWriter writer = new FrameWriter(channel, settings.payloadLength());
        ReceiverHandler handler = new ReceiverHandler(settings);
        for (Sample sample = reader.next(); sample != null; sample = reader.next()) {
          Sample reply = handler.handle(sample);
          if (reply != null) {
            writer.send(reply, true);
          }
        }
      }
    }
  }

  /** The sending process. */
  static Result send(Settings settings, int port, int cpus) throws Exception {
    Measurement measurement = new Measurement(settings, settings.system().label(), cpus);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (SocketChannel channel = configured(SocketChannel.open(address), settings)) {
      if (settings.kind() == Kind.REQUESTS) {
        try (SharedConnection connection = new SharedConnection(channel, settings)) {
          return measurement.roundTrips(new ThreadedRoundTrips(connection, settings));
        }
      }
      OwnConnection connection = new OwnConnection(channel, settings);
      return settings.kind() == Kind.STREAM
          ? measurement.stream(connection)
          : measurement.roundTrips(new ThreadedRoundTrips(connection, settings));
    }
  }

  private static SocketChannel configured(SocketChannel channel, Settings settings)
      throws IOException {
    // What is flushed goes out now; waiting for an acknowledgement costs up to 40 ms (Nagle).
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(settings.mode() == Mode.PARK);
    // Socket buffers stay as the kernel tunes them, as in every other program here.
    return channel;
  }

  private static Sample requireSample(@Nullable Sample sample) throws EOFException {
    if (sample == null) {
      throw new EOFException("the receiving process closed the connection");
    }
    return sample;
  }

  /** Stream and ping-pong: the thread that asks also reads the answer, so nobody is woken. */
  private static final class OwnConnection implements StreamClient, RequestClient {
    private final FrameReader reader;
    private final FrameWriter writer;

    OwnConnection(SocketChannel channel, Settings settings) {
      reader = new FrameReader(channel, settings.payloadLength());
      writer = new FrameWriter(channel, settings.payloadLength());
    }

    @Override
    public void send(Sample sample, boolean flush) throws IOException {
      writer.send(sample, flush);
    }

    @Override
    public Sample request(Sample sample) throws IOException {
      writer.send(sample, true);
      return requireSample(reader.next());
    }

    @Override
    public ReceiverReport barrier() throws IOException {
      return RequestClient.super.barrier();
    }
  }

  /** Requests: many threads write under the lock, one thread reads and wakes each of them. */
  private static final class SharedConnection implements RequestClient, AutoCloseable {
    private final SocketChannel channel;
    private final FrameReader reader;
    private final FrameWriter writer;
    private final ResponseSlot[] slots;

    SharedConnection(SocketChannel channel, Settings settings) {
      this.channel = channel;
      reader = new FrameReader(channel, settings.payloadLength());
      writer = new FrameWriter(channel, settings.payloadLength());
      slots = ResponseSlot.create(settings.threads());
      Thread.ofPlatform().name("reader").daemon().start(this::readUntilClosed);
    }

    @Override
    public Sample request(Sample sample) throws IOException {
      ResponseSlot slot = ResponseSlot.of(slots, sample.sender());
      slot.prepare();
      writer.send(sample, true);
      return slot.await();
    }

    private void readUntilClosed() {
      Throwable cause;
      try {
        while (true) {
          Sample sample = requireSample(reader.next());
          ResponseSlot.of(slots, sample.sender()).complete(sample);
        }
      } catch (IOException | RuntimeException e) {
        cause = e;
      }
      for (ResponseSlot slot : slots) {
        slot.fail(cause);
      }
    }

    @Override
    public void close() throws IOException {
      channel.close(); // ends the reading thread
    }
  }
}
