package org.ringwire.transport.shm;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.TransportThreads;

/**
 * Opens files of peers, on threads of its own, which end when there is nothing to do: how long that
 * takes is not for this side to say. Who holds a lease on a file lets others who open it wait for
 * most of a minute, and the JDK has no way to open one without waiting. Any thread.
 *
 * <p>Who waits for a file waits as for a peer that says nothing: there is the time of an attempt to
 * connect, and later that of a connection without a sign of life. Nobody waits for the threads, not
 * even when the transport is closed: what they open then they close.
 */
final class PeerFiles implements AutoCloseable {

  /** A few peers that do this keep nobody else waiting. */
  private static final int MOST_THREADS = 16;

  private final SharedFolder folder;
  private final ThreadPoolExecutor threads;

  /** Of a transport with this folder. */
  PeerFiles(TransportConfig config, SharedFolder folder) {
    this.folder = folder;
    AtomicInteger number = new AtomicInteger();
    String name = "ringwire-" + config.nodeId() + "-shm-open-";
    threads =
        new ThreadPoolExecutor(
            MOST_THREADS,
            MOST_THREADS,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            body -> TransportThreads.create(config, name + number.getAndIncrement(), body));
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Begins to open a file.
   *
   * @param opened called by another thread when that is over, whether it has come to anything or
   *     not; it may be while this is called
   */
  PeerFile open(PeerFile.Wanted wanted, Runnable opened) {
    PeerFile file = new PeerFile(folder, wanted, opened);
    try {
      threads.execute(file);
    } catch (OutOfMemoryError e) { // no thread can be started: a link is not to end for that
      file.run();
    }
    return file;
  }

  /** Lets go of a file; if no thread has come to it yet none does. */
  void close(PeerFile file) {
    file.close();
    boolean _ = threads.remove(file);
  }

  /** Opens no more. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
