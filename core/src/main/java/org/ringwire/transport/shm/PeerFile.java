package org.ringwire.transport.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.ringwire.ring.NativeMemory;

/**
 * A file of a peer that is mapped by one thread for another, which does not wait: it is told, and
 * {@linkplain #memory asks}. Who asked for it closes it, whatever has become of it; what is opened
 * only after that is given up by who has opened it.
 */
final class PeerFile implements Runnable, AutoCloseable {

  private final SharedFolder folder;
  private final Wanted wanted;
  private final Runnable opened;
  private NativeMemory.@Nullable Scope scope; // guarded by this, as are the next four
  private @Nullable Throwable failure;
  private boolean begun;
  private boolean closed;
  private MemorySegment memory = MemorySegment.NULL;
  private volatile boolean done; // written after them

  /**
   * Which file.
   *
   * @param kind begin of its name
   * @param least of its length in bytes
   * @param most of its length in bytes
   */
  record Wanted(Path file, String kind, long least, long most) {}

  /**
   * One that is not opened yet.
   *
   * @param folder of this side
   * @param opened called by who has opened it, or has failed to
   */
  PeerFile(SharedFolder folder, Wanted wanted, Runnable opened) {
    this.folder = folder;
    this.wanted = wanted;
    this.opened = opened;
  }

  /** Opens it, or finds that somebody has, or that nobody wants it any more. */
  @Override
  public void run() {
    if (!begin()) {
      return;
    }
    NativeMemory.Scope made = null;
    MemorySegment mapped = MemorySegment.NULL;
    Throwable why = null;
    try {
      made = NativeMemory.open("shm peer " + wanted.kind());
      mapped =
          folder.map(wanted.file(), wanted.kind(), wanted.least(), wanted.most(), made.arena());
    } catch (Throwable e) { // for who asks
      why = e;
    }
    if (!end(made, mapped, why) && made != null) {
      made.close();
    }
    opened.run();
  }

  private synchronized boolean begin() {
    boolean first = !begun && !closed;
    begun = true;
    return first;
  }

  /** Returns whether the scope is kept. */
  private synchronized boolean end(
      NativeMemory.@Nullable Scope made, MemorySegment mapped, @Nullable Throwable why) {
    boolean kept = why == null && !closed;
    if (kept) {
      scope = made;
      memory = mapped;
    }
    failure = why;
    done = true; // pairs with isDone()
    return kept;
  }

  /** Whether there is no need to wait for it any more. */
  boolean isDone() {
    return done; // pairs with end()
  }

  /**
   * What was mapped; none if it is closed.
   *
   * @throws IOException if it could not be opened
   */
  synchronized MemorySegment memory() throws IOException {
    return switch (failure) {
      case null -> memory;
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IOException(failure);
    };
  }

  /** Lets go of it. */
  @Override
  public void close() {
    NativeMemory.Scope last;
    synchronized (this) {
      closed = true;
      last = scope;
      scope = null;
      memory = MemorySegment.NULL;
    }
    if (last != null) {
      last.close();
    }
  }
}
