package org.ringwire.transport;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts input, and refuses it if it is told to; one thread at a time. */
@SuppressWarnings("exports") // of JSpecify, to tests
public final class CountingHandler implements LinkHandler {

  private boolean refuses;
  private Runnable whatElse = () -> {};
  private int calls;
  private long bytes;
  private final AtomicInteger writables = new AtomicInteger();

  /** Takes everything, and has counted nothing. */
  public CountingHandler() {}

  /** Whether it throws from now on whenever there is input. */
  public void refuse(boolean refused) {
    refuses = refused;
  }

  /** What else is done whenever there is input. */
  public void eachTime(Runnable action) {
    whatElse = action;
  }

  /** How often there was input. */
  public int calls() {
    return calls;
  }

  /** How much was taken. */
  public long bytes() {
    return bytes;
  }

  @Override
  public void opened(Link link) {}

  @Override
  public void received(MemorySegment segment, long offset, long length) {
    calls++;
    if (refuses) {
      throw new IllegalStateException("refused");
    }
    bytes += length;
    whatElse.run();
  }

  @Override
  public @Nullable ByteBuffer destination() {
    return null;
  }

  @Override
  public void receivedInDestination(int length) {
    calls++;
  }

  /** How often the link took bytes again; any thread may ask. */
  public int writables() {
    return writables.get();
  }

  @Override
  public void writable() {
    writables.incrementAndGet();
  }

  @Override
  public void closed(@Nullable Throwable cause) {}
}
