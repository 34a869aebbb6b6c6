package org.ringwire.benchmarks.reference.plain;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.JavaContender;
import org.ringwire.benchmarks.reference.harness.Measurement;
import org.ringwire.benchmarks.reference.harness.ReceiverHandler;
import org.ringwire.benchmarks.reference.harness.ReceiverReport;
import org.ringwire.benchmarks.reference.harness.RequestClient;
import org.ringwire.benchmarks.reference.harness.ResponseSlot;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;
import org.ringwire.benchmarks.reference.harness.StreamClient;
import org.ringwire.benchmarks.reference.harness.ThreadedRoundTrips;

/**
 * What a good programmer writes in an afternoon with nothing but the JDK: {@code reference}
 * (blocking) and {@code minimal-nio} (the same classes over a channel that does not block,
 * spinning).
 */
public final class PlainProgram implements JavaContender {
  private final boolean spins;

  /**
   * @param spins whether it is {@code minimal-nio}
   */
  public PlainProgram(boolean spins) {
    this.spins = spins;
  }

  @Override
  public String medium() {
    return "tcp";
  }

  @Override
  public Mode defaultMode(Kind kind) {
    return spins ? Mode.SPIN : Mode.PARK;
  }

  @Override
  public void requireSupported(Settings settings) {
    if (spins) {
      Settings.require(
          settings.kind() == Kind.PINGPONG,
          "minimal-nio only does pingpong; use --system reference");
    } else {
      Settings.require(
          settings.mode() == Mode.PARK,
          "reference waits in the kernel; use --system minimal-nio to spin");
    }
  }

  /** The receiving process: one connection, one thread that reads, decodes, handles and replies. */
  @Override
  public void receive(Settings settings, Place place, Consumer<String> listening)
      throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
      listening.accept(Integer.toString(port));
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

  @Override
  public Result send(Settings settings, Place place, String address) throws Exception {
    Measurement measurement = new Measurement(settings, settings.system(), medium(), place.cpus());
    InetSocketAddress receiver =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address));
    try (SocketChannel channel = configured(SocketChannel.open(receiver), settings)) {
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
    public ReceiverReport barrier() throws Exception {
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
