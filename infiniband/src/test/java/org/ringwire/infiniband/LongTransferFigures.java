package org.ringwire.infiniband;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.infiniband.RemoteMemoryPair.OWNER;
import static org.ringwire.infiniband.RemoteMemoryPair.PATIENCE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ringwire.Dispatch;
import org.ringwire.Node;

/**
 * What long data takes as a message and as a write with immediate data into exported memory, from
 * one node to another, round by round in turn. Not a test of every build: {@code ./mvnw verify -pl
 * infiniband -am -Dringwire.rdma=org.ringwire.infiniband.LongTransferFigures}. The machine is
 * emulated: only the ratio of the two means something.
 */
@Tag("figures")
class LongTransferFigures {

  private static final int ROUNDS = 9;
  private static final long BYTES_PER_ROUND = 8 << 20;
  private static final long LONGEST = 64 << 20;

  private final Semaphore arrived = new Semaphore(0);

  /** Long data as a message. */
  record Block(MemorySegment bytes) {}

  private interface Transfer {
    void run(MemorySegment bytes) throws Exception;
  }

  @Test
  @Timeout(value = 50, unit = TimeUnit.MINUTES)
  void compare() throws Exception {
    try (RemoteMemoryPair pair = new RemoteMemoryPair()) {
      pair.owner.handle(Block.class, Dispatch.INLINE, (block, exchange) -> arrived.release());
      MemorySegment target = pair.allocate(LONGEST);
      MemorySegment source = pair.allocate(LONGEST).fill((byte) 42);
      try (ExportedMemory exported =
          pair.owning.export(target, (node, tag) -> arrived.release(), MemoryPermission.WRITE)) {
        RemoteRegion region = pair.open(exported);
        Node user = pair.user;
        System.out.println("bytes count messageMicros spread writeMicros spread ratio spread");
        for (long length = 64 << 10; length <= LONGEST; length *= 4) {
          MemorySegment bytes = source.asSlice(0, length == LONGEST ? length - 64 : length);
          measure(
              bytes,
              part -> user.send(OWNER, new Block(part), PATIENCE),
              part -> region.writeAndNotify(0, part, 1, PATIENCE));
        }
      }
    }
  }

  /** One after the other, each when the one before has arrived. */
  private void measure(MemorySegment bytes, Transfer message, Transfer write) throws Exception {
    int count = (int) Math.max(1, BYTES_PER_ROUND / bytes.byteSize());
    double[] messages = new double[ROUNDS];
    double[] writes = new double[ROUNDS];
    double[] ratios = new double[ROUNDS];
    time(bytes, message, count);
    time(bytes, write, count);
    for (int round = 0; round < ROUNDS; round++) {
      boolean first = round % 2 == 0;
      double one = time(bytes, first ? message : write, count);
      double other = time(bytes, first ? write : message, count);
      messages[round] = first ? one : other;
      writes[round] = first ? other : one;
      ratios[round] = messages[round] / writes[round];
    }
    System.out.println(
        bytes.byteSize()
            + " "
            + count
            + " "
            + describe(messages, "%.0f")
            + " "
            + describe(writes, "%.0f")
            + " "
            + describe(ratios, "%.2f"));
  }

  private double time(MemorySegment bytes, Transfer transfer, int count) throws Exception {
    long startNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      transfer.run(bytes);
      assertThat(arrived.tryAcquire(100, TimeUnit.SECONDS)).isTrue();
    }
    return (System.nanoTime() - startNs) / 1000.0 / count;
  }

  /** The median, and the smallest and largest. */
  private static String describe(double[] values, String format) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT,
        format + " (" + format + ".." + format + ")",
        sorted[sorted.length / 2],
        sorted[0],
        sorted[sorted.length - 1]);
  }
}
