package org.ringwire.infiniband.link;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.device.SetUpThreads;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.support.TransportThreads;

/**
 * The links of a transport, from the attempt until the end, and the transport for the connections
 * that set them up. Once it is closed there are no new ones. Any thread.
 *
 * @param <L> the links of an engine
 */
public final class LinkRegister<L extends EngineLink> implements Iterable<L> {

  private final Transport medium;
  private final Maker<L> maker;
  private final SetUpThreads setUpThreads;
  private final Set<L> links = ConcurrentHashMap.newKeySet();
  private volatile boolean closed; // written with the lock of this
  private volatile @Nullable Throwable failure;
  private long endedInOrderNs = System.nanoTime(); // the thread that drives ends only

  /**
   * Makes links.
   *
   * @param <L> the links of an engine
   */
  @FunctionalInterface
  public interface Maker<L> {

    /**
     * Makes an attempt.
     *
     * @param address that is connected to, or null on the accepting side
     * @param remote the peer's address, for people
     */
    L make(LinkHandler handler, @Nullable String address, String remote);
  }

  /**
   * Without links.
   *
   * @param medium closed by {@link #closeMedium}
   */
  public LinkRegister(TransportConfig config, Transport medium, Maker<L> maker) {
    this.medium = medium;
    this.maker = maker;
    setUpThreads =
        new SetUpThreads(
            "ringwire-" + config.nodeId() + "-ib",
            (name, body) -> TransportThreads.create(config, name, body));
  }

  /** What makes links ready. */
  SetUpThreads setUpThreads() {
    return setUpThreads;
  }

  /** As {@link Transport#listen}. */
  public String listen(String address, LinkAcceptor acceptor) throws IOException {
    return medium.listen(
        address,
        remote -> {
          LinkHandler handler = acceptor.accept(remote);
          return handler == null ? null : begin(handler, null, remote);
        });
  }

  /** As {@link Transport#connect}. */
  public void connect(String address, LinkHandler handler) {
    LinkSetUp setUp = begin(handler, address, address);
    if (setUp != null) {
      medium.connect(address, setUp);
    }
  }

  @Nullable LinkSetUp begin(LinkHandler handler, @Nullable String address, String remote) {
    L link = maker.make(handler, address, remote);
    if (!keep(link)) {
      Throwable why = failure;
      String what = why == null ? "the transport was closed" : "the transport has failed: " + why;
      handler.closed(link.life().setUp().describe(new IOException(what, why)));
      return null;
    }
    link.life().signal(EngineThread.LIMIT);
    return link.life().setUp();
  }

  private synchronized boolean keep(L link) {
    return !closed && links.add(link);
  }

  /** As {@link Transport#mayLookUp}: a link is set up over the other transport. */
  public boolean mayLookUp(String address) {
    return medium.mayLookUp(address);
  }

  /** As {@link Transport#isLocal}. */
  public boolean isLocal(String address) {
    return medium.isLocal(address);
  }

  /** As {@link Transport#localNames}. */
  public List<String> localNames(String address) {
    return medium.localNames(address);
  }

  /** As {@link Transport#trim}. */
  public void trim() {
    medium.trim();
  }

  /** As {@link Transport#stopListening}. */
  public void stopListening() {
    medium.stopListening();
  }

  /** Nothing comes any more; those that are there begin to end. */
  public void close() {
    medium.stopListening();
    keepNoMore();
    for (L link : links) {
      link.close();
    }
  }

  private synchronized void keepNoMore() {
    closed = true;
  }

  /** Whether it was closed. */
  public boolean isClosed() {
    return closed;
  }

  /** Ends every link because of a failure that concerns all. */
  public void failAll(Throwable failure) {
    for (L link : links) { // no lambda: to make one needs heap, which may be what has failed
      link.life().fail(failure);
    }
  }

  /** Ends every link because of a failure after which there can be no others. */
  public void fail(Throwable why) {
    if (failure == null) { // what comes after it comes of it
      failure = why;
    }
    keepNoMore(); // who hears of an end, and begins anew at once, is told why
    failAll(why);
    close();
  }

  /**
   * Ends those that have not ended at once, in spite of who is inside of them; see {@link LinkEnd}.
   */
  public void forceAll() {
    close();
    for (L link : links) {
      link.life().end().force();
    }
  }

  /** A link ends in order; by the thread that drives ends. */
  void endedInOrder(long nowNs) {
    endedInOrderNs = nowNs;
  }

  /** When one has done that last, or when this was made; for the thread that drives ends. */
  long endedInOrderNs() {
    return endedInOrderNs;
  }

  /** Forgets a link that ended. */
  public void remove(EngineLink link) {
    links.remove(link);
  }

  /** Whether all have ended. */
  public boolean isEmpty() {
    return links.isEmpty();
  }

  /** Those that have not ended; others may come and go meanwhile. */
  @Override
  public Iterator<L> iterator() {
    return links.iterator();
  }

  /** All have ended, and so do the connections that set them up. */
  public void closeMedium() {
    setUpThreads.close();
    medium.close();
  }
}
