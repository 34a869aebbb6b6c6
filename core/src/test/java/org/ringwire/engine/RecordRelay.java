package org.ringwire.engine;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Passes TLS records on as they come, in both directions, and counts them per connection. */
final class RecordRelay implements AutoCloseable {

  /** Records and their bytes that have passed so far. */
  record Count(long recordsThere, long bytesThere, long recordsBack) {}

  private static final int HEADER_LENGTH = 5; // type, version, length: RFC 8446, section 5.1

  private final ServerSocket listener;
  private final URI target;
  private final List<Passage> passages = new CopyOnWriteArrayList<>();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

  /** One direction of a connection. */
  private static final class Flow {
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
  }

  private record Passage(Flow there, Flow back) {}

  private RecordRelay(ServerSocket listener, URI target) {
    this.listener = listener;
    this.target = target;
  }

  /** A relay in front of a node. */
  static RecordRelay to(String address) throws IOException {
    ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    RecordRelay relay = new RecordRelay(listener, URI.create("tcp://" + address));
    relay.start("accept", relay::accept);
    return relay;
  }

  /** Where it listens. */
  String address() {
    return listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort();
  }

  /** What has passed, one count per connection, in the order in which they were made. */
  List<Count> counts() {
    List<Count> counts = new ArrayList<>();
    for (Passage passage : passages) {
      Flow there = passage.there();
      counts.add(new Count(there.records.get(), there.bytes.get(), passage.back().records.get()));
    }
    return counts;
  }

  private void start(String name, Runnable work) {
    threads.add(Thread.ofPlatform().daemon().name("relay-" + name).start(work));
  }

  private void accept() {
    try {
      while (true) {
        Socket from = listener.accept();
        sockets.add(from);
        Socket to = new Socket(target.getHost(), target.getPort());
        sockets.add(to);
        from.setTcpNoDelay(true);
        to.setTcpNoDelay(true);
        Passage passage = new Passage(new Flow(), new Flow());
        passages.add(passage);
        start("there", () -> pass(from, to, passage.there()));
        start("back", () -> pass(to, from, passage.back()));
      }
    } catch (IOException e) {
      if (!listener.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Until one side has ended; then the other is told so. */
  private static void pass(Socket from, Socket to, Flow flow) {
    try (from;
        to) {
      DataInputStream in = new DataInputStream(from.getInputStream());
      DataOutputStream out = new DataOutputStream(to.getOutputStream());
      while (true) {
        byte[] header = in.readNBytes(HEADER_LENGTH);
        if (header.length < HEADER_LENGTH) {
          return;
        }
        byte[] body = in.readNBytes((header[3] & 0xFF) << 8 | (header[4] & 0xFF));
        byte[] whole = new byte[HEADER_LENGTH + body.length];
        System.arraycopy(header, 0, whole, 0, HEADER_LENGTH);
        System.arraycopy(body, 0, whole, HEADER_LENGTH, body.length);
        flow.records.incrementAndGet();
        flow.bytes.addAndGet(body.length);
        out.write(whole);
      }
    } catch (IOException e) {
      // The end of a connection, as the relay sees it; its ends see it too.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    for (Thread thread : threads) {
      try {
        thread.join(TestNodes.PATIENCE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
