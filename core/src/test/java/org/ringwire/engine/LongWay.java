package org.ringwire.engine;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A way to a node on which everything takes a while, in either direction, as over an ocean: however
 * much is under way, nothing is held up by what goes ahead of it.
 */
final class LongWay implements AutoCloseable {

  private final SocketRelay relay;
  private final long latencyNs;

  /**
   * What is under way.
   *
   * @param bytes none at the end
   * @param dueNs when it arrives
   */
  private record Piece(ByteBuffer bytes, long dueNs) {}

  private LongWay(SocketRelay relay, Duration latency) {
    this.relay = relay;
    latencyNs = latency.toNanos();
  }

  /** A way to a node, half of which is the time that an answer takes. */
  static LongWay to(String address, Duration latency) throws IOException {
    SocketRelay sockets = new SocketRelay(address);
    LongWay way = new LongWay(sockets, latency);
    sockets.accept(way::join);
    return way;
  }

  /** Where it begins. */
  String address() {
    return relay.address();
  }

  private void join(Socket from, Socket to) {
    carry("there", from, to);
    carry("back", to, from);
  }

  private void carry(String direction, Socket from, Socket to) {
    BlockingQueue<Piece> underWay = new LinkedBlockingQueue<>();
    relay.start(direction + "-departs", () -> depart(from, underWay));
    relay.start(direction + "-arrives", () -> arrive(underWay, to));
  }

  private void depart(Socket from, BlockingQueue<Piece> underWay) {
    byte[] room = new byte[1 << 16];
    int length;
    do {
      try {
        length = from.getInputStream().read(room);
      } catch (IOException e) {
        length = -1;
      }
      byte[] bytes = Arrays.copyOf(room, Math.max(0, length));
      underWay.add(new Piece(ByteBuffer.wrap(bytes), System.nanoTime() + latencyNs));
    } while (length > 0);
  }

  private static void arrive(BlockingQueue<Piece> underWay, Socket to) {
    try (to) {
      WritableByteChannel out = Channels.newChannel(to.getOutputStream());
      for (Piece piece = underWay.take(); piece.bytes.hasRemaining(); piece = underWay.take()) {
        TimeUnit.NANOSECONDS.sleep(piece.dueNs - System.nanoTime());
        int _ = out.write(piece.bytes);
      }
    } catch (IOException | InterruptedException e) {
      // one of the nodes has closed its end, or the test is over
    }
  }

  @Override
  public void close() throws IOException {
    relay.close();
  }
}
