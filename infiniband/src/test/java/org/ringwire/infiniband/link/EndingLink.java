package org.ringwire.infiniband.link;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.connect.Engine;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.testing.Ignoring;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundSource;

/**
 * A link without a device: what a device would say is set by hand, and it notes what is done with
 * it, and with its handler.
 */
final class EndingLink implements EngineLink, LinkData {

  final List<String> calls = new CopyOnWriteArrayList<>();
  final LinkHandler handler = new Handler();
  final LinkLife life;
  boolean broken;
  volatile boolean connected = true;
  volatile boolean hasRoom = true;
  volatile boolean drained;
  boolean givenBack;
  boolean receivingOver = true;
  boolean failsToRelease;
  boolean lacksHeap; // once, as the next two
  boolean lacksHeapToRelease;
  boolean lacksHeapToResume;
  boolean starvesAgain;
  AtomicInteger shared = new AtomicInteger(Integer.MAX_VALUE); // so often it may be resumed
  volatile @Nullable Terms terms;
  volatile CountDownLatch reachable = new CountDownLatch(0);
  Farewell farewell = Farewell.SAID;
  private final EngineThread thread;

  EndingLink(EngineThread thread, @Nullable String address, String remote) {
    this.thread = thread;
    life = new LinkLife(this, this, handler, thread, address, remote);
  }

  private final class Handler extends Ignoring {

    @Override
    public void received(MemorySegment memory, long offset, long length) {
      calls.add("received " + length);
    }

    @Override
    public void writable() {
      calls.add("writable");
    }

    @Override
    public void closed(@Nullable Throwable cause) {
      calls.add("closed " + (cause == null ? "in order" : cause.getMessage()));
    }
  }

  /** Open, and nobody is inside; closes. */
  EndingLink closing() {
    life.open();
    life.close();
    return this;
  }

  void proceed(long nowNs) {
    life.end().proceed(nowNs);
  }

  @Override
  public LinkLife life() {
    return life;
  }

  @Override
  public boolean isConnected() {
    return connected;
  }

  @Override
  public boolean isBroken() {
    return broken;
  }

  @Override
  public boolean isDrained() {
    return drained;
  }

  @Override
  public Farewell sayFarewell() {
    calls.add("farewell " + farewell);
    return farewell;
  }

  @Override
  public void stop() {
    calls.add("stop");
  }

  @Override
  public boolean isGivenBack(boolean late) {
    return late || givenBack;
  }

  @Override
  public boolean isReceivingOver() {
    return receivingOver;
  }

  @Override
  public void release() {
    if (lacksHeapToRelease) {
      lacksHeapToRelease = false;
      throw new OutOfMemoryError("as this test wants it");
    }
    calls.add("release");
    if (failsToRelease) {
      throw new IllegalStateException("as this test wants it");
    }
  }

  @Override
  public void giveUp(boolean isUsed) {
    calls.add("give up used=" + isUsed);
  }

  @Override
  public Engine engine() {
    return Engine.MSGRC;
  }

  @Override
  public Terms create() {
    return Objects.requireNonNull(terms, "this link only ends");
  }

  /** Waits for the network, as a device may. */
  @Override
  public void connect(Terms peer) {
    try {
      if (!reachable.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("nobody has this address");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    calls.add("connected");
  }

  @Override
  public boolean sayReady() {
    calls.add(hasRoom ? "ready" : "no room");
    return hasRoom;
  }

  @Override
  public void peerLost() {
    calls.add("peer lost");
  }

  @Override
  public void apply(int interests) {
    if (lacksHeap) {
      lacksHeap = false;
      throw new OutOfMemoryError("as this test wants it");
    }
    if (interests != EngineThread.CLOSE && interests != EngineThread.LIMIT) {
      calls.add("apply " + interests);
    }
  }

  @Override
  public boolean resume() {
    if (lacksHeapToResume) {
      lacksHeapToResume = false;
      throw new OutOfMemoryError("as this test wants it");
    }
    if (shared.get() == 0) {
      return false;
    }
    shared.decrementAndGet();
    calls.add("resume");
    if (starvesAgain) {
      thread.starve(this);
    }
    return true;
  }

  @Override
  public boolean write(OutboundSource source) {
    throw new UnsupportedOperationException("this link only ends");
  }
}
