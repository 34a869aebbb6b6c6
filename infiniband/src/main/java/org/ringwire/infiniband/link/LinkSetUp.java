package org.ringwire.infiniband.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.Pause;
import org.ringwire.infiniband.connect.Exchange;
import org.ringwire.infiniband.connect.ExchangeException;
import org.ringwire.infiniband.connect.ExchangeFormat;
import org.ringwire.infiniband.connect.ExchangeReader;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.device.IbOptions;
import org.ringwire.infiniband.device.SetUpThreads;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.PeerIdentity;

/**
 * The connection over TCP beside a link: carries the exchange that makes the link (Ibdxnet paper,
 * section IV-A), and its end tells at once that the peer is gone.
 *
 * <p>Two phases. The opener offers its end; the other side makes its own end ready for that, and
 * answers with it. Now the opener makes its end ready, and sends READY on the link: what comes back
 * shows that the way works, and its arrival tells the other side that it may send.
 *
 * <p>Input comes from one thread at a time, that of all connections over TCP, which makes the
 * opener's end; what may wait, making an end ready for the peer's and saying so, is left to {@link
 * SetUpThreads}, once for each link. All of it happens inside of the link's gate: so what the link
 * is made of is not destroyed under it. Output is one message per side, and guarded by this.
 */
final class LinkSetUp implements LinkHandler {

  private static final long NO_ROOM_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final LinkLife life;
  private final SetUpThreads threads;
  private final @Nullable String address;
  private final String accepted;
  private final ExchangeReader reader = new ExchangeReader();
  private final Output output = new Output(); // guarded by this
  private volatile @Nullable Link medium;
  private boolean answered; // who reads

  /** What is sent over TCP. */
  private static final class Output implements OutboundSource {
    private byte[] bytes = {};
    private int sent;

    void add(byte[] message) {
      byte[] all = new byte[bytes.length - sent + message.length];
      System.arraycopy(bytes, sent, all, 0, bytes.length - sent);
      System.arraycopy(message, 0, all, bytes.length - sent, message.length);
      bytes = all;
      sent = 0;
    }

    @Override
    public long next(OutboundRanges ranges) {
      if (sent < bytes.length) {
        ranges.add(MemorySegment.ofArray(bytes), ByteBuffer.wrap(bytes), sent, bytes.length - sent);
      }
      return ranges.bytes();
    }

    @Override
    public void sent(long count) {
      sent += (int) count;
    }

    @Override
    public void completed(long count) {}
  }

  /**
   * For an attempt.
   *
   * @param address that is connected to, or null on the accepting side
   */
  LinkSetUp(LinkLife life, SetUpThreads threads, @Nullable String address, String remote) {
    this.life = life;
    this.threads = threads;
    this.address = address;
    accepted = remote;
  }

  /** The peer's address, for people. */
  String remote() {
    Link current = medium;
    return current == null ? accepted : current.remote();
  }

  /** Who the peer has proved to be to TLS. */
  @Nullable PeerIdentity peer() {
    Link current = medium;
    return current == null ? null : current.peer();
  }

  /** Why there is no link, told with the address. */
  Throwable describe(Throwable failure) {
    if (address == null || String.valueOf(failure.getMessage()).startsWith("cannot connect")) {
      return failure;
    }
    return new IOException(
        "cannot connect: address=" + address + ": " + failure.getMessage(), failure);
  }

  @Override
  public void opened(Link opened) {
    medium = opened;
    try {
      if (!life.enter()) {
        opened.close();
      } else if (address != null) {
        send(new Exchange.Offer(life.link().create()));
      }
    } finally {
      life.leave();
    }
  }

  @Override
  public void received(MemorySegment memory, long offset, long length) {
    try {
      if (life.enter()) {
        reader.read(memory, offset, length, this::take);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } finally {
      life.leave();
    }
  }

  private void take(Exchange message) throws IOException {
    switch (message) {
      case Exchange.Offer(Terms peer) when address == null && !answered ->
          start(() -> answer(peer));
      case Exchange.Answer(Terms peer) when address != null && !answered ->
          start(() -> ready(peer));
      case Exchange.Refusal(String reason) when address != null && !answered ->
          throw new ExchangeException("the peer refuses: " + reason);
      default -> throw new ExchangeException("message of the exchange out of turn: " + message);
    }
  }

  /** What may wait: for the network, or for what all links share. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  private void start(Step step) {
    answered = true;
    threads.run(
        address != null,
        origin(),
        () -> {
          try {
            if (life.enter()) {
              step.run();
            }
          } catch (Throwable e) {
            life.fail(e);
          } finally {
            life.leave();
          }
        });
  }

  /** A machine, whatever its ports: anybody has many of those. */
  private String origin() {
    String remote = address == null ? accepted : address;
    int colon = remote.lastIndexOf(':');
    return colon < 0 ? remote : remote.substring(0, colon);
  }

  /** What is sent goes out before the connection over TCP ends: this thread is inside. */
  private void answer(Terms peer) {
    try {
      checkEngine(peer);
      Terms terms = life.link().create();
      life.link().connect(peer);
      send(new Exchange.Answer(terms));
    } catch (IOException | RuntimeException e) {
      life.fail(e); // the first failure: else it may be that the peer, who has heard it, is gone
      send(new Exchange.Refusal(String.valueOf(e.getMessage())));
    }
  }

  private void ready(Terms peer) throws IOException {
    checkEngine(peer);
    life.link().connect(peer);
    while (!life.isClosing() && !life.sayReady()) { // without a lock: others make room meanwhile
      Pause.blocked(this, NO_ROOM_PAUSE_NS);
    }
  }

  private void checkEngine(Terms peer) throws ExchangeException {
    if (peer.engine() != life.link().engine()) {
      throw new ExchangeException(
          "nodes have different engines, set -D"
              + IbOptions.PREFIX
              + "engine to the same for all: accepting="
              + (address == null ? life.link().engine() : peer.engine())
              + " connecting="
              + (address == null ? peer.engine() : life.link().engine()));
    }
  }

  private void send(Exchange message) {
    synchronized (this) {
      output.add(ExchangeFormat.encode(message));
    }
    writable();
  }

  @Override
  public void writable() {
    Link current = medium;
    if (current == null) {
      return;
    }
    try {
      synchronized (this) {
        boolean _ = current.write(output);
      }
    } catch (IOException e) {
      life.fail(e);
    }
  }

  @Override
  public @Nullable ByteBuffer destination() {
    return null;
  }

  @Override
  public void receivedInDestination(int length) {}

  @Override
  public void closed(@Nullable Throwable failure) {
    life.setUpEnded(failure);
  }

  /** Ends the connection over TCP; any thread. */
  void close() {
    Link current = medium;
    if (current != null) {
      current.close();
    }
  }
}
