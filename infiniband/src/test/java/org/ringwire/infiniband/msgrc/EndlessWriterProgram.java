package org.ringwire.infiniband.msgrc;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ringwire.testing.Awaiting;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/**
 * A link that the peer closes while somebody writes who has always more: its queue pair takes
 * everything from then on, and gives it back at once. Says whether the end is heard of.
 */
final class EndlessWriterProgram {

  private EndlessWriterProgram() {}

  /** Offers bytes for ever, more slowly than the device takes them. */
  private static final class Endless implements OutboundSource {
    private static final long PAUSE_NS = 10_000;
    private final MemorySegment memory;
    private final boolean resumes;
    private volatile boolean resumed;
    private volatile boolean writes;

    /**
     * Made once.
     *
     * @param resumes whether it counts only once a thread of the transport writes
     */
    Endless(long length, boolean resumes) {
      memory = Arena.global().allocate(length);
      this.resumes = resumes;
    }

    @Override
    public long next(OutboundRanges ranges) {
      LockSupport.parkNanos(PAUSE_NS);
      ranges.add(memory, memory.asByteBuffer(), 0, memory.byteSize());
      return ranges.bytes();
    }

    @Override
    public void sent(long bytes) {
      writes = resumed || !resumes;
    }

    @Override
    public void completed(long bytes) {}
  }

  public static void main(String... args) throws Exception {
    Endless source = new Endless(Long.parseLong(args[0]), Boolean.parseBoolean(args[1]));
    LinkedTransports.End here =
        new LinkedTransports.End() {
          @Override
          public void writable() {
            source.resumed = true;
            write(opened.join(), source);
          }
        };
    LinkedTransports.End there = new LinkedTransports.End();
    try (LinkedTransports linked = new LinkedTransports(here, there)) {
      Link link = linked.link();
      Thread _ = Thread.ofPlatform().daemon().start(() -> write(link, source));
      Awaiting.await("writes", () -> source.writes);
      there.opened.join().close();
      String end = here.closed.completeOnTimeout("never", 20, TimeUnit.SECONDS).join();
      System.out.println("closed: " + !end.equals("never"));
      System.exit(0); // threads of what has not ended
    }
  }

  private static void write(Link link, OutboundSource source) {
    try {
      boolean _ = link.write(source);
    } catch (IOException e) {
      // it is closed
    }
  }
}
