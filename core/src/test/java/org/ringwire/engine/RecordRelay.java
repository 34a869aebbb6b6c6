package org.ringwire.engine;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Passes TLS records on as they come, in both directions, and counts them per connection. */
final class RecordRelay implements AutoCloseable {

  /** Records and their bytes that have passed so far. */
  record Count(long recordsThere, long bytesThere, long recordsBack) {}

  private static final int HEADER_LENGTH = 5; // type, version, length: RFC 8446, section 5.1

  private final SocketRelay relay;
  private final List<Passage> passages = new CopyOnWriteArrayList<>();

  /** One direction of a connection. */
  private static final class Flow {
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
  }

  private record Passage(Flow there, Flow back) {}

  private RecordRelay(SocketRelay relay) {
    this.relay = relay;
  }

  /** A relay in front of a node. */
  static RecordRelay to(String address) throws IOException {
    SocketRelay sockets = new SocketRelay(address);
    RecordRelay records = new RecordRelay(sockets);
    sockets.accept(records::join);
    return records;
  }

  /** Where it listens. */
  String address() {
    return relay.address();
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

  private void join(Socket from, Socket to) {
    Passage passage = new Passage(new Flow(), new Flow());
    passages.add(passage);
    relay.start("there", () -> pass(from, to, passage.there()));
    relay.start("back", () -> pass(to, from, passage.back()));
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
    relay.close();
  }
}
