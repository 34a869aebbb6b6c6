package org.ringwire.transport;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.ringwire.transport.support.TransportThreads;

/** Another transport with faults, added through the SPI alone. */
public final class FaultyTransport extends ForwardingTransport {

  private static final AtomicLong LINKS = new AtomicLong();

  private final Faults faults;
  private final BooleanSupplier healed;
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final Thread thread;
  private boolean ended; // its thread only

  private FaultyTransport(
      Transport real, Faults faults, BooleanSupplier healed, TransportConfig config) {
    super(real);
    this.faults = faults;
    this.healed = healed;
    thread =
        TransportThreads.create(config, "ringwire-" + config.nodeId() + "-faulty", this::runTasks);
    thread.start();
  }

  /** A provider whose transports are those of another with faults. */
  public static TransportProvider provider(TransportProvider real, Faults faults) {
    return provider(real, faults, () -> false);
  }

  /**
   * The same until all is well again.
   *
   * @param healed asked at each write and each piece of input
   */
  public static TransportProvider provider(
      TransportProvider real, Faults faults, BooleanSupplier healed) {
    return provider(
        "faulty-" + real.name(),
        config -> new FaultyTransport(real.open(config), faults, healed, config));
  }

  private void runTasks() {
    try {
      while (!ended) {
        tasks.take().run();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private FaultyLink newLink(LinkHandler handler) {
    return new FaultyLink(this, faults, handler, LINKS.incrementAndGet());
  }

  boolean isHealed() {
    return healed.getAsBoolean();
  }

  /** Runs something on the thread of this transport. */
  void post(Runnable task) {
    tasks.add(task);
  }

  @Override
  public String listen(String address, LinkAcceptor acceptor) throws IOException {
    return super.listen(
        address,
        remote -> {
          LinkHandler handler = acceptor.accept(remote);
          return handler == null ? null : newLink(handler);
        });
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    super.connect(address, newLink(handler));
  }

  @Override
  public MemorySegment allocateRing(Link link, Arena arena, long capacity) {
    return super.allocateRing(((FaultyLink) link).real(), arena, capacity);
  }

  @Override
  public void close() {
    super.close();
    post(() -> ended = true);
    TransportThreads.awaitEnd(thread, 5_000_000_000L);
  }
}
