package org.ringwire.transport;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.ringwire.transport.support.TransportThreads;

/** Another transport with faults, added through the SPI alone. */
public final class FaultyTransport implements Transport {

  private final Transport real;
  private final Faults faults;
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final Thread thread;
  private boolean ended; // its thread only

  private FaultyTransport(Transport real, Faults faults, int nodeId) {
    this.real = real;
    this.faults = faults;
    thread = TransportThreads.create("ringwire-" + nodeId + "-faulty", this::runTasks);
    thread.start();
  }

  /** A provider whose transports are those of another with faults. */
  public static TransportProvider provider(TransportProvider real, Faults faults) {
    return new TransportProvider() {
      @Override
      public String name() {
        return "faulty-" + real.name();
      }

      @Override
      public Transport open(TransportConfig config) {
        return new FaultyTransport(real.open(config), faults, config.nodeId());
      }
    };
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

  /** Runs something on the thread of this transport. */
  void post(Runnable task) {
    tasks.add(task);
  }

  @Override
  public String listen(String address, LinkAcceptor acceptor) throws IOException {
    return real.listen(
        address,
        remote -> {
          LinkHandler handler = acceptor.accept(remote);
          return handler == null ? null : new FaultyLink(this, faults, handler);
        });
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    real.connect(address, new FaultyLink(this, faults, handler));
  }

  @Override
  public boolean isLocal(String address) {
    return real.isLocal(address);
  }

  @Override
  public MemorySegment allocateRing(Arena arena, long capacity) {
    return real.allocateRing(arena, capacity);
  }

  @Override
  public void stopListening() {
    real.stopListening();
  }

  @Override
  public void close() {
    real.close();
    post(() -> ended = true);
    TransportThreads.awaitEnd(thread, 5_000_000_000L);
  }
}
