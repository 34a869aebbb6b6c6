package org.ringwire.benchmarks.link;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.IdleStrategy;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.TransportProvider;

/**
 * Round trips of 64 bytes over TCP on 127.0.0.1 within one process, the requester leading its link,
 * against two threads with a {@link SocketChannel} each and nothing else; parked (blocking
 * channels) and spinning (non-blocking ones). Rounds alternate between the two, so that what else
 * the machine does meets both; the ratio of the medians is the result.
 */
@SuppressWarnings("try") // resources that only have to be closed
public final class LinkRoundTrips {

  private static final int LENGTH = 64;
  private static final int ROUNDS = 9;
  private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(700);

  private LinkRoundTrips() {}

  /** One way to make a round trip. */
  private interface Pair extends AutoCloseable {
    void roundTrip() throws IOException;
  }

  /**
   * Runs.
   *
   * @param args {@code spin} or {@code park}, both if missing
   */
  public static void main(String[] args) throws Exception {
    for (String mode : args.length == 0 ? new String[] {"park", "spin"} : args) {
      run(System.out, mode.equals("spin"));
    }
  }

  private static void run(PrintStream out, boolean spin) throws Exception {
    long[] plain = new long[ROUNDS];
    long[] link = new long[ROUNDS];
    try (Pair channels = new ChannelPair(spin);
        Pair links = new LinkPair(spin)) {
      median(channels);
      median(links);
      for (int i = 0; i < ROUNDS; i++) {
        plain[i] = median(channels);
        link[i] = median(links);
      }
    }
    Arrays.sort(plain);
    Arrays.sort(link);
    double plainUs = plain[ROUNDS / 2] / 1000.0;
    double linkUs = link[ROUNDS / 2] / 1000.0;
    out.printf(
        "%s: channel %.2f us, link %.2f us, ratio %.3f (best rounds %.2f and %.2f us)%n",
        spin ? "spin" : "park",
        plainUs,
        linkUs,
        linkUs / plainUs,
        plain[0] / 1000.0,
        link[0] / 1000.0);
  }

  private static long median(Pair pair) throws IOException {
    long[] times = new long[1 << 18];
    int count = 0;
    long endNs = System.nanoTime() + ROUND_NS;
    long startNs = System.nanoTime();
    while (count < times.length && startNs - endNs < 0) {
      pair.roundTrip();
      long nowNs = System.nanoTime();
      times[count++] = nowNs - startNs;
      startNs = nowNs;
    }
    Arrays.sort(times, 0, count);
    return times[count / 2];
  }

  /** Two threads and two channels. */
  private static final class ChannelPair implements Pair {
    private final SocketChannel client;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);

    ChannelPair(boolean spin) throws IOException {
      try (ServerSocketChannel listener = ServerSocketChannel.open()) {
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = SocketChannel.open(listener.getLocalAddress());
        SocketChannel server = listener.accept();
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        server.setOption(StandardSocketOptions.TCP_NODELAY, true);
        client.configureBlocking(!spin);
        server.configureBlocking(!spin);
        Thread.ofPlatform().daemon(true).start(() -> echo(server));
      }
    }

    private static void echo(SocketChannel server) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);
      try (server) {
        while (readFully(server, buffer)) {
          server.write(buffer.flip());
        }
      } catch (IOException e) {
        System.err.println("echo ended: " + e);
      }
    }

    private static boolean readFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
      buffer.clear();
      while (buffer.hasRemaining()) {
        int length = channel.read(buffer);
        if (length < 0) {
          return false;
        }
        if (length == 0) {
          Thread.onSpinWait();
        }
      }
      return true;
    }

    @Override
    public void roundTrip() throws IOException {
      client.write(buffer.clear());
      readFully(client, buffer);
    }

    @Override
    public void close() throws IOException {
      client.close();
    }
  }

  /** Two transports and a link. */
  private static final class LinkPair implements Pair {
    private final Transport listening;
    private final Transport connecting;
    private final Link link;
    private final Sender sender = new Sender();
    private final Receiver receiver = new Receiver();

    LinkPair(boolean spin) throws Exception {
      TransportProvider tcp =
          ServiceLoader.load(TransportProvider.class).stream()
              .map(ServiceLoader.Provider::get)
              .filter(provider -> provider.name().equals("tcp"))
              .findFirst()
              .orElseThrow();
      IdleStrategy idle = spin ? IdleStrategy.spinning() : IdleStrategy.parking();
      listening = tcp.open(new TransportConfig(1, 1, idle, 1 << 20, Duration.ofSeconds(5)));
      connecting = tcp.open(new TransportConfig(2, 1, idle, 1 << 20, Duration.ofSeconds(5)));
      String address = listening.listen("127.0.0.1:0", remote -> new Echo());
      connecting.connect(address, receiver);
      link = receiver.link.get(10, TimeUnit.SECONDS);
    }

    @Override
    public void roundTrip() throws IOException {
      receiver.missing = LENGTH;
      sender.pending = LENGTH;
      link.write(sender);
      while (receiver.missing > 0) {
        link.lead(receiver, System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
      }
    }

    @Override
    public void close() {
      connecting.close();
      listening.close();
      sender.close();
    }
  }

  /** Offers the same bytes again and again. */
  private static final class Sender implements OutboundSource, AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(LENGTH);
    private final ByteBuffer view = memory.asByteBuffer();
    private long pending;

    @Override
    public long next(OutboundRanges ranges) {
      if (pending > 0) {
        ranges.add(memory, view, LENGTH - pending, pending);
      }
      return pending;
    }

    @Override
    public void sent(long bytes) {
      pending -= bytes;
    }

    @Override
    public void completed(long bytes) {}

    @Override
    public void close() {
      arena.close();
    }
  }

  /** Counts what comes back. */
  private static class Receiver implements LinkHandler, BooleanSupplier {
    private final CompletableFuture<Link> link = new CompletableFuture<>();
    private volatile long missing;

    @Override
    public boolean getAsBoolean() {
      return missing <= 0;
    }

    @Override
    public void opened(Link opened) {
      link.complete(opened);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time, as the contract says
    public void received(MemorySegment memory, long offset, long length) {
      missing -= length;
    }

    @Override
    public @Nullable ByteBuffer destination() {
      return null;
    }

    @Override
    public void receivedInDestination(int length) {
      throw new IllegalStateException("there was no destination");
    }

    @Override
    public void writable() {}

    @Override
    public void closed(@Nullable Throwable cause) {}
  }

  /** Sends back as much as it gets, on the reading thread. */
  private static final class Echo extends Receiver {
    private final Sender sender = new Sender();

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      sender.pending = length;
      try {
        super.link.join().write(sender);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      sender.close();
    }
  }
}
