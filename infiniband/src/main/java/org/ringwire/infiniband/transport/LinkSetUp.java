package org.ringwire.infiniband.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.connect.Exchange;
import org.ringwire.infiniband.connect.ExchangeException;
import org.ringwire.infiniband.connect.ExchangeFormat;
import org.ringwire.infiniband.connect.ExchangeReader;
import org.ringwire.infiniband.connect.Terms;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;
import org.ringwire.transport.PeerIdentity;

/**
 * The connection over TCP beside a link: carries the exchange that makes the link (paper 003,
 * section IV-A), and its end tells at once that the peer is gone.
 *
 * <p>Two phases. The opener offers its end; the other side makes its own queue pair ready for that,
 * and answers with its end. Now the opener makes its queue pair ready, and sends READY over it: its
 * completion shows that the way works, and its arrival tells the other side that it may send.
 *
 * <p>Input comes from one thread at a time, and is read inside of the link's gate: so the queue
 * pair is not destroyed under it. Output is one message per side, and guarded by this.
 */
final class LinkSetUp implements LinkHandler {

  private final IbTransport transport;
  private final IbLink link;
  private final @Nullable String address;
  private final String accepted;
  private final ExchangeReader reader = new ExchangeReader();
  private final Output output = new Output(); // guarded by this
  private volatile @Nullable Link medium;
  private @Nullable RcQueuePair queuePair; // inside of the link's gate, or after it, as the next
  private int number = -1;
  private @Nullable Terms own;
  private boolean answered;

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

  LinkSetUp(IbTransport transport, IbLink link, @Nullable String address, String remote) {
    this.transport = transport;
    this.link = link;
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
      if (!link.enter()) {
        opened.close();
      } else if (address != null) {
        send(new Exchange.Offer(create()));
      }
    } finally {
      link.leave();
    }
  }

  private Terms create() {
    int linkNumber = transport.links().add(link);
    if (linkNumber < 0) {
      throw new MessagingException("too many links: most=" + LinkTable.MOST);
    }
    number = linkNumber;
    RcQueuePair created = transport.adapter().createQueuePair();
    queuePair = created;
    int packetNumber = ThreadLocalRandom.current().nextInt(1 << 24);
    Terms terms = transport.adapter().terms(created, packetNumber, linkNumber, transport.nodeId());
    own = terms;
    return terms;
  }

  @Override
  public void received(MemorySegment memory, long offset, long length) {
    try {
      if (link.enter()) {
        reader.read(memory, offset, length, this::take);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } finally {
      link.leave();
    }
  }

  private void take(Exchange message) throws IOException {
    switch (message) {
      case Exchange.Offer(Terms peer) when address == null && !answered -> answer(peer);
      case Exchange.Answer(Terms peer) when address != null && !answered -> ready(peer);
      case Exchange.Refusal(String reason) when address != null && !answered ->
          throw new ExchangeException("the peer refuses: " + reason);
      default -> throw new ExchangeException("message of the exchange out of turn: " + message);
    }
  }

  private void answer(Terms peer) {
    answered = true;
    try {
      Terms terms = create();
      connect(terms, peer);
      send(new Exchange.Answer(terms));
    } catch (RuntimeException e) {
      send(new Exchange.Refusal(String.valueOf(e.getMessage())));
      throw e;
    }
  }

  private void ready(Terms peer) throws IOException {
    answered = true;
    connect(Objects.requireNonNull(own, "own terms"), peer);
    link.sayReady();
  }

  /** Makes the own queue pair ready. */
  private void connect(Terms terms, Terms peer) {
    RcQueuePair created = Objects.requireNonNull(queuePair, "queue pair");
    transport.adapter().connect(created, terms, peer);
    link.connected(transport.channel(created, number, peer));
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
      link.fail(e);
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
    link.setUpEnded(failure);
  }

  /** The queue pair that was made, perhaps for nothing; when nobody is inside of the link. */
  @Nullable RcQueuePair queuePair() {
    return queuePair;
  }

  /** The number of the link, or -1; when nobody is inside of the link. */
  int number() {
    return number;
  }

  /** Ends the connection over TCP; any thread. */
  void close() {
    Link current = medium;
    if (current != null) {
      current.close();
    }
  }
}
