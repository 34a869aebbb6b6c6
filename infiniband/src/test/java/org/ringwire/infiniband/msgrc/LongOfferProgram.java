package org.ringwire.infiniband.msgrc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Offers several chains of requests at once, of memory that is no ring, to a device that completes
 * at once, and that again and again. Says how often the writer has waited for room: after each
 * chain but the last if it is stopped there, and now and then if another thread is just looking for
 * what is complete.
 */
final class LongOfferProgram {

  private static final long LENGTH = 4 << 20;
  private static final int FRAMES = 16;

  private LongOfferProgram() {}

  public static void main(String... args) throws Exception {
    Writing here = new Writing();
    Counting there = new Counting();
    try (LinkedTransports linked = new LinkedTransports(here, there)) {
      MemorySegment memory = Arena.global().allocate(LENGTH);
      for (int i = 0; i < FRAMES; i++) {
        LongFrame frame = new LongFrame(memory, LENGTH);
        while (!linked.link().write(frame)) {
          here.awaitRoom();
        }
      }
      long waited = linked.transport().sender().stalls();
      System.out.println("waited: " + (waited < 2 * FRAMES ? "seldom" : waited + " times"));
      System.out.println("arrived: " + LinkedTransports.await(there.all));
    }
    System.exit(0); // threads of what has not ended
  }

  /** Hears of room. */
  private static final class Writing extends LinkedTransports.End {
    private final Semaphore room = new Semaphore(0);

    @Override
    public void writable() {
      room.release();
    }

    void awaitRoom() throws InterruptedException {
      if (!room.tryAcquire(20, TimeUnit.SECONDS)) {
        throw new IllegalStateException("there is no room");
      }
    }
  }

  /** Tells when all has arrived. */
  private static final class Counting extends LinkedTransports.End {
    private final CompletableFuture<Long> all = new CompletableFuture<>();
    private long received;

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      received += length;
      if (received == FRAMES * LENGTH) {
        all.complete(received);
      }
    }
  }
}
