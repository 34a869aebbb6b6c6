package org.ringwire.engine;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeUnreachableException;
import org.ringwire.WaitInterruptedException;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.connection.PeerSession;
import org.ringwire.engine.connection.handshake.Handshakes;
import org.ringwire.engine.connection.handshake.LinkAuthentication;
import org.ringwire.engine.connection.handshake.LinkPeer;
import org.ringwire.engine.connection.link.DataPath;
import org.ringwire.engine.outbound.OutboundPipe;
import org.ringwire.engine.outbound.detached.ControlQueue;
import org.ringwire.engine.services.Bounded;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.idle.HeapRetry;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.Refusal;
import org.ringwire.wire.Welcome;
import org.ringwire.wire.assembly.FrameAssembler;
import org.ringwire.wire.assembly.FrameConsumer;

/**
 * Asks an address which node is there: one HELLO that wants no more, its answer, and the end. The
 * connection comes later, by id, as if the directory had known the address; so it never gets in the
 * way of one that exists.
 */
final class Inquiry implements LinkHandler, FrameConsumer, OutboundPipe.SessionFailure {

  private static final long FREE_WAIT_NS = 5_000_000_000L;
  private static final byte[] NO_CREDIT = {};

  private final NodeServices services;
  private final Connections connections;
  private final String address;
  private final ControlQueue control = new ControlQueue();
  private final DataPath data;
  private final FrameAssembler assembler;
  private final LinkAuthentication authentication;
  private final CompletableFuture<Integer> answer = new CompletableFuture<>();
  private volatile @Nullable Link link;
  private volatile boolean ended;
  private final Runnable tellEnd = this::tellEnd; // made before, as there may be no heap for it
  private final Runnable connectHere = this::connectHere; // likewise
  private final Runnable free = this::free;
  private @Nullable Throwable failure; // of the one thread that connects

  private Inquiry(NodeServices services, Connections connections, String address) {
    this.services = services;
    this.connections = connections;
    this.address = address;
    data = new DataPath(services, control, () -> NO_CREDIT, this);
    authentication = new LinkAuthentication(services.config().authentication().secret());
    assembler = new FrameAssembler(this, Handshake.MAX_FRAME_LENGTH, services.buffers());
  }

  /**
   * Asks, and waits for the answer.
   *
   * @param closing ends when this node begins to close, and with it the wait
   * @return the id of the node
   * @throws NodeUnreachableException if there is none, or it refuses to say
   */
  static int ask(
      NodeServices services,
      Connections connections,
      CompletableFuture<Void> closing,
      String address,
      Duration timeout) {
    Inquiry inquiry = new Inquiry(services, connections, address);
    try {
      inquiry.connect();
    } catch (RuntimeException | Error e) {
      inquiry.notConnected(e);
    }
    try {
      Object _ =
          CompletableFuture.anyOf(inquiry.answer, closing)
              .get(Timeouts.nanos(timeout), TimeUnit.NANOSECONDS);
      inquiry.fail("this node closes", null); // unless it was the answer
      return inquiry.answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException(
          "interrupted while connecting: address=" + address, e, false);
    } catch (TimeoutException e) {
      throw inquiry.unreachable("no answer in time", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw inquiry.unreachable(String.valueOf(cause.getMessage()), cause);
    } finally {
      inquiry.end();
    }
  }

  /** Not on this thread if that may wait for a name server: who asks may have less time. */
  private void connect() {
    boolean left =
        services.transport().mayLookUp(address) && services.lookups().tryLeave(connectHere);
    if (!left) {
      connectHere();
    }
  }

  private void connectHere() {
    try {
      if (ended) { // while it was left to this thread
        closed(null);
      } else {
        services.transport().connect(address, this);
      }
    } catch (RuntimeException | Error e) {
      notConnected(e);
    }
  }

  /** Its end must come. */
  private void notConnected(Throwable why) {
    failure = why;
    HeapRetry.run(this, tellEnd);
  }

  private NodeUnreachableException unreachable(String why, Throwable cause) {
    return new NodeUnreachableException(
        "cannot reach node: address=" + address + ": " + why, cause);
  }

  /** Nobody wants to know any more. Any thread, idempotent. */
  private void end() {
    ended = true;
    Link current = link;
    if (current != null) {
      current.close();
    } else if (services.lookups().takeBack(connectHere)) { // else it would wait there for nobody
      connectHere();
    }
  }

  @Override
  public void opened(Link openedLink) {
    connections.begun(); // not before: a name server may not answer, and nothing is to be freed yet
    link = openedLink;
    data.pipe().open(openedLink);
    byte[] hello = Handshakes.inquiry(services, connections.isListening()).encode();
    authentication.hello(hello);
    send(hello);
    if (ended) {
      openedLink.close();
    }
  }

  private void send(byte[] frame) {
    if (!control.add(frame)) {
      throw new IllegalStateException("no room for a frame of the handshake");
    }
    data.pipe().drain();
  }

  @Override
  public void received(MemorySegment memory, long offset, long length) {
    try {
      assembler.received(memory, offset, length);
    } catch (ProtocolException e) {
      fail("the peer broke a rule: " + e.getMessage(), e);
    }
  }

  @Override
  public @Nullable ByteBuffer destination() {
    return null;
  }

  @Override
  public void receivedInDestination(int length) {
    throw new IllegalStateException("there was no destination");
  }

  @Override
  public void frame(MemorySegment memory, long offset, long header) {
    switch (FrameLayout.kind(header)) {
      case FrameLayout.CHALLENGE -> {
        authentication.challenged(ControlFrames.bytes32(memory, offset));
        send(ControlFrames.proof(authentication.openerProof()));
      }
      case FrameLayout.WELCOME -> {
        Welcome welcome = Welcome.parse(memory, offset, header);
        authentication.check(welcome);
        LinkPeer.require(link, welcome.nodeId());
        if (welcome.expectedIncarnation() != services.incarnation().id()) {
          throw new ProtocolException(Reason.VALUE, "WELCOME for another life of this node");
        }
        boolean _ = answer.complete(welcome.nodeId());
        end();
      }
      case FrameLayout.REFUSE -> {
        Refusal refusal = Refusal.parse(memory, offset, header);
        fail("refused by the peer: " + refusal.reason() + ": " + refusal.text(), null);
      }
      default -> throw new ProtocolException(Reason.FRAME_UNEXPECTED, "frame before WELCOME");
    }
  }

  private void fail(String why, @Nullable Throwable cause) {
    boolean _ = answer.completeExceptionally(new IOException(why, cause));
    end();
  }

  @Override
  public void writable() {
    data.pipe().writable();
  }

  @Override
  public void failed(Throwable cause) {
    fail(PeerSession.writeFailed(cause), cause);
  }

  @Override
  public void closed(@Nullable Throwable cause) {
    fail(cause == null ? "the peer closed the link" : String.valueOf(cause.getMessage()), cause);
    assembler.close();
    services.chore(free);
  }

  private void tellEnd() {
    closed(failure);
  }

  private void free() {
    if (Bounded.await(data.pipe()::tryRetire, System.nanoTime() + FREE_WAIT_NS)) {
      data.free();
    }
    if (link != null) {
      connections.over();
    }
  }
}
