package org.ringwire.infiniband.link;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ringwire.idle.Pause;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.TransportThreads;

/**
 * The end of a transport that does not wait any longer for who is inside of its links, such as a
 * handler that does not return: what it has of the device is closed when they have left. Until then
 * a thread looks now and then; it costs no more than the one that it waits for.
 *
 * @param <L> the links
 */
public final class LateClose<L extends EngineLink> implements Runnable {

  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final BooleanSupplier mayBegin;
  private final Consumer<L> closesLink;
  private final Runnable closesDevice;
  private final Queue<L> used = new ConcurrentLinkedQueue<>();

  /**
   * Of nothing yet. What closes is called again where there was no heap for it.
   *
   * @param mayBegin whether no thread of the transport uses the device any more
   * @param closesLink closes what a link has that somebody was inside of
   * @param closesDevice closes the rest
   */
  public LateClose(BooleanSupplier mayBegin, Consumer<L> closesLink, Runnable closesDevice) {
    this.mayBegin = mayBegin;
    this.closesLink = closesLink;
    this.closesDevice = closesDevice;
  }

  /** Somebody is inside of a link, and what that has of the device stays. */
  public void add(L link) {
    used.add(link);
  }

  /**
   * The last thread of the transport, as the last that it does: at once if everybody has left, else
   * a thread waits for that; this one itself if there is none to be had.
   */
  public void closeOrBegin(TransportConfig config) {
    if (tryClose()) {
      return;
    }
    try {
      String name = "ringwire-" + config.nodeId() + "-ib-close";
      TransportThreads.create(config, name, this).start();
    } catch (OutOfMemoryError e) {
      run();
    }
  }

  @Override
  public void run() {
    while (!tryClose()) {
      Pause.blocked(this, LOOK_NS);
    }
  }

  /**
   * Returns whether everybody has left, and all is closed; needs no heap to find that. Handlers
   * have heard of the end, and memory that was sent from is not theirs any more.
   */
  private boolean tryClose() {
    if (!mayBegin.getAsBoolean()) {
      return false;
    }
    try {
      for (L link = used.peek(); link != null; link = used.peek()) {
        if (!link.life().isClosed()) {
          return false;
        }
        closesLink.accept(link);
        L _ = used.poll(); // after it: it is tried again if there was no heap
      }
      closesDevice.run();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }
}
