package org.ringwire.transport;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A handler that checks the contract of {@link LinkHandler} and that the input is the pattern of
 * {@link PatternSource}; whatever is wrong is kept and thrown by {@link #check}.
 */
public class ProbeHandler implements LinkHandler {

  private static final long TIMEOUT_S = 30;

  private final CompletableFuture<Link> opened = new CompletableFuture<>();
  private final CompletableFuture<Optional<Throwable>> closed = new CompletableFuture<>();
  private final AtomicReference<@Nullable Throwable> defect = new AtomicReference<>();
  private final AtomicReference<@Nullable Thread> inside = new AtomicReference<>();
  private final AtomicInteger writables = new AtomicInteger();
  private final Object monitor = new Object();
  private long received;

  /** A handler that only checks. */
  public ProbeHandler() {}

  /** Called with each piece of input; for subclasses. */
  protected void input(MemorySegment memory, long offset, long length) throws Exception {}

  /** Called when the link takes bytes again; for subclasses. */
  protected void resume() {}

  @Override
  public void opened(Link link) {
    expect(!opened.isDone(), "opened twice");
    expect(!closed.isDone(), "opened after closed");
    opened.complete(link);
  }

  @Override
  public void received(MemorySegment memory, long offset, long length) {
    enter();
    try {
      expect(opened.isDone(), "input before opened");
      expect(!closed.isDone(), "input after closed");
      expect(length > 0, "input of no bytes");
      long start = received;
      for (long i = 0; i < length; i++) {
        if (memory.get(JAVA_BYTE, offset + i) != PatternSource.at(start + i)) {
          expect(false, "wrong byte at position " + (start + i));
          break;
        }
      }
      input(memory, offset, length);
      count(length);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      inside.set(null);
    }
  }

  private void enter() {
    Thread other = inside.getAndSet(Thread.currentThread());
    expect(other == null, "input from two threads: " + other);
  }

  private void count(long length) {
    synchronized (monitor) {
      received += length;
      monitor.notifyAll();
    }
  }

  @Override
  public ByteBuffer destination() {
    return null;
  }

  @Override
  public void receivedInDestination(int length) {
    expect(false, "there was no destination");
  }

  @Override
  public void writable() {
    expect(!closed.isDone(), "writable after closed");
    writables.incrementAndGet();
    resume();
  }

  @Override
  public void closed(Throwable cause) {
    expect(inside.get() == null, "closed during input");
    expect(closed.complete(Optional.ofNullable(cause)), "closed twice");
  }

  private void expect(boolean condition, String what) {
    if (!condition) {
      defect.compareAndSet(null, new AssertionError(what));
    }
  }

  /** The link, once it is open; fails at once if it has ended before. */
  public Link link() {
    await(CompletableFuture.anyOf(opened, closed), "opened");
    if (!opened.isDone()) {
      throw new AssertionError("ended before it was open", closed.join().orElse(null));
    }
    return opened.join();
  }

  /** The cause of the end, once the link has ended. */
  public Throwable cause() {
    return await(closed, "closed").orElse(null);
  }

  /** Whether the link has ended. */
  public boolean isClosed() {
    return closed.isDone();
  }

  /** Whether the link was opened. */
  public boolean isOpened() {
    return opened.isDone();
  }

  /** Calls of {@link #writable}. */
  public int writables() {
    return writables.get();
  }

  /** Bytes so far. */
  public long received() {
    synchronized (monitor) {
      return received;
    }
  }

  /** Waits until so many bytes have come, as long as some do: machines differ in their speed. */
  public void awaitReceived(long bytes) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
    synchronized (monitor) {
      long before = received;
      while (received < bytes) {
        if (received != before) {
          before = received;
          deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        }
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        check();
        if (leftMs <= 0) {
          throw new AssertionError("received=" + received + " expected=" + bytes);
        }
        try {
          monitor.wait(Math.min(leftMs, 1000));
        } catch (InterruptedException e) {
          throw new AssertionError("interrupted", e);
        }
      }
    }
    check();
  }

  /** Throws what was found to be wrong. */
  public void check() {
    Throwable found = defect.get();
    if (found != null) {
      throw new AssertionError(found);
    }
  }

  private <T> T await(CompletableFuture<T> future, String what) {
    try {
      T value = future.get(TIMEOUT_S, TimeUnit.SECONDS);
      check();
      return value;
    } catch (TimeoutException e) {
      check();
      throw new AssertionError("not " + what + " in time: closed=" + closed, e);
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }
}
