package org.ringwire.infiniband.msgud;

import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.ringwire.IdleStrategy;
import org.ringwire.infiniband.link.CopiedStream;
import org.ringwire.testing.Awaiting;
import org.ringwire.transport.Link;
import org.ringwire.transport.TransportConfig;

/**
 * Links that have always more to send that lies in no ring take what all share for that; then
 * another one has a little.
 */
public final class SharedChunksProgram {

  private static final int TIMES = 10;
  private static final int BUSY = 300; // more than there are chunks: few would leave some
  private static final long LITTLE = 32 << 20; // beside what goes through while a thread waits

  private SharedChunksProgram() {}

  /** Prints how many bytes they carry at most before that has arrived, and whether they are few. */
  public static void main(String... args) throws IOException {
    AtomicLong carried = new AtomicLong();
    long most = 0;
    Queue<CopiedStream> ends = new ConcurrentLinkedQueue<>();
    try (UdTransport from = open(1);
        UdTransport to = open(2)) {
      String address = to.listen("127.0.0.1:0", _ -> ends.remove());
      for (int i = 0; i < BUSY; i++) {
        ends.add(new CopiedStream(carried));
        connect(from, address, carried).send(Long.MAX_VALUE);
      }
      CopiedStream end = new CopiedStream(carried);
      ends.add(end);
      CopiedStream little = connect(from, address, carried);
      Awaiting.await("all in use", from.adapter().chunks()::isExhausted);
      for (int i = 1; i <= TIMES; i++) {
        int count = i;
        long before = carried.get();
        little.send(1);
        Awaiting.await("arrived", () -> end.received() == count);
        most = Math.max(most, end.carriedBefore() - before);
      }
      System.out.println("carried meanwhile: " + most + ", little: " + (most < LITTLE));
      System.exit(0); // in the midst of the others
    }
  }

  private static CopiedStream connect(UdTransport from, String address, AtomicLong carried) {
    CopiedStream made = new CopiedStream(carried);
    from.connect(address, made);
    Link _ = made.link();
    return made;
  }

  private static UdTransport open(int id) {
    return UdProvider.open(
        new TransportConfig(id, 1, IdleStrategy.parking(), 1 << 22, Duration.ofSeconds(10)),
        (inner, _) -> inner);
  }
}
