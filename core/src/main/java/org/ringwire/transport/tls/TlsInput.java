package org.ringwire.transport.tls;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.support.TurnPace;

/**
 * What a link reads: puts records together from pieces of any length, unwraps each when it is
 * complete, and hands on what was in them. Used by one thread at a time, who reads the link, and
 * who alone calls {@code unwrap}.
 *
 * <p>A record may have hundreds of messages. If their handlers are slow, what is left of what was
 * unwrapped is kept for the next turn, where the medium asks for it ({@link TurnPace}); nothing is
 * unwrapped before it was handed on.
 */
final class TlsInput {

  /** The peer's first bytes are not those of TLS. */
  static final class NotTlsException extends SSLException {
    private static final long serialVersionUID = 1;

    NotTlsException(String message) {
      super(message);
    }
  }

  private static final int HEADER = 5;
  private static final int ALERT = 21;
  private static final int HANDSHAKE = 22;
  private static final int MAJOR_VERSION = 3;
  private static final int SHOWN = 120;

  private final TlsLink link;
  private final LinkHandler handler;
  private final SSLEngine engine;
  private final TlsBuffers buffers;
  private final EmptyRecords empties;
  private final HandshakeRecords handshake = new HandshakeRecords();
  private @Nullable ByteBuffer record; // what has come is in its array
  private int filled;
  private int needed = HEADER;
  private boolean begun;
  private boolean ticketDue = true;
  private @Nullable ReceiveBuffer plain;
  private int plainLength;
  private int handedOn; // of that; less only between the turns of slow handlers
  private final TurnPace pace = new TurnPace();

  TlsInput(
      TlsLink link,
      LinkHandler handler,
      SSLEngine engine,
      TlsBuffers buffers,
      EmptyRecords empties) {
    this.link = link;
    this.handler = handler;
    this.engine = engine;
    this.buffers = buffers;
    this.empties = empties;
  }

  /** Runs what the engine wants to be run elsewhere than on a thread that reads. */
  static void runTasks(SSLEngine engine) {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  /**
   * Takes bytes of the medium.
   *
   * @param asked whether the medium asks for what is left
   * @return whether something is
   */
  boolean feed(MemorySegment memory, long offset, long length, boolean asked) throws SSLException {
    long at = offset;
    long end = offset + length;
    try {
      while (at < end && !link.isClosing()) {
        at += collect(memory, at, end - at);
        if (filled == HEADER && needed == HEADER) {
          readHeader(memory, offset, length);
        }
        if (filled == needed && needed > HEADER) {
          unwrap();
        }
      }
      if (asked) {
        deliverForATurn();
      } else {
        deliver();
      }
    } finally {
      giveBack(link.isClosing());
    }
    return hasRest();
  }

  /** Hands on more of what is left; returns whether something still is. */
  boolean handleRest() {
    try {
      deliverForATurn();
    } finally {
      giveBack(link.isClosing());
    }
    return hasRest();
  }

  private boolean hasRest() {
    return handedOn < plainLength;
  }

  private int collect(MemorySegment memory, long at, long available) {
    ByteBuffer current = record;
    if (current == null) {
      current = buffers.record();
      record = current;
    }
    int length = (int) Math.min(needed - filled, available);
    int index = current.arrayOffset() + filled;
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, current.array(), index, length);
    filled += length;
    return length;
  }

  private void readHeader(MemorySegment memory, long offset, long length) throws SSLException {
    byte[] header = Objects.requireNonNull(record).array();
    int kind = header[0];
    if (!begun && ((kind != HANDSHAKE && kind != ALERT) || header[1] != MAJOR_VERSION)) {
      throw new NotTlsException(foreign(memory, offset, length));
    }
    begun = true;
    needed = HEADER + ((header[3] & 0xFF) << 8 | (header[4] & 0xFF));
    if (needed == HEADER || needed > TlsBuffers.RECORD) {
      throw new SSLException("a TLS record of impossible length: length=" + (needed - HEADER));
    }
  }

  /** A sentence about bytes that are not TLS: they may be those of a node without. */
  private static String foreign(MemorySegment memory, long offset, long length) {
    byte[] bytes = new byte[(int) Math.min(length, SHOWN)];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, bytes, 0, bytes.length);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    boolean greets = LinkReference.mayBeGreeting(bytes);
    return (greets
            ? "the peer opens the link back of one that is not open here, or has one"
            : text.contains("RINGWIRE")
                ? "the peer is a node without TLS; this node demands it"
                : "the peer does not speak TLS, which this node demands")
        + ": firstBytes=\""
        + text.replaceAll("[^ -~]+", ".")
        + "\"";
  }

  private void unwrap() throws SSLException {
    if (!link.isOpen()) {
      handshake.came(Objects.requireNonNull(record).array(), filled);
    }
    ByteBuffer source = Objects.requireNonNull(record).position(0).limit(filled);
    boolean stuck = false;
    while (source.hasRemaining() && !link.isClosing()) {
      boolean open = link.isOpen();
      SSLEngineResult result = unwrap(source);
      switch (result.getStatus()) {
        case OK -> {}
        case CLOSED -> {
          deliver();
          link.peerCloses();
          return;
        }
        case BUFFER_OVERFLOW -> throw new SSLException("a TLS record longer than allowed");
        case BUFFER_UNDERFLOW ->
            throw new SSLException("a TLS record shorter than its header says");
      }
      HandshakeStatus status = result.getHandshakeStatus();
      if (status != HandshakeStatus.NOT_HANDSHAKING) {
        link.advance(status == HandshakeStatus.FINISHED);
      }
      if (open && ticketDue) {
        ticketDue = false;
        link.opening().ticketCame();
      }
      if (open && result.bytesProduced() == 0) {
        empties.came(result.bytesConsumed(), status == HandshakeStatus.NEED_WRAP);
      }
      if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
        if (stuck) {
          throw new SSLException("the engine does not unwrap: " + result);
        }
        stuck = true;
      }
    }
    filled = 0;
    needed = HEADER;
  }

  /** Straight to where the handler wants it, if that has room for any record of this length. */
  private SSLEngineResult unwrap(ByteBuffer source) throws SSLException {
    if (plainLength == 0 && link.isOpen()) {
      ByteBuffer destination = handler.destination();
      if (destination != null && destination.remaining() >= filled) {
        SSLEngineResult result = engine.unwrap(source, destination);
        if (result.bytesProduced() > 0) {
          handler.receivedInDestination(result.bytesProduced());
        }
        return result;
      }
    }
    ReceiveBuffer batch = plain;
    if (batch == null) {
      batch = buffers.batch();
      plain = batch;
    } else if (TlsBuffers.BATCH - plainLength < filled) {
      deliver();
    }
    ByteBuffer target = batch.buffer().limit(TlsBuffers.BATCH).position(plainLength);
    SSLEngineResult result = engine.unwrap(source, target);
    plainLength += result.bytesProduced();
    return result;
  }

  private void deliver() throws SSLException {
    int at = handedOn;
    int length = plainLength - at;
    ReceiveBuffer batch = plain;
    plainLength = 0;
    handedOn = 0;
    if (length > 0 && batch != null && !link.isClosing()) {
      if (!link.isOpen()) {
        throw new SSLException("data before the end of the handshake");
      }
      handler.received(batch.segment(), at, length);
    }
  }

  /** As {@link #deliver}, of an open link, as far as there is time. */
  private void deliverForATurn() {
    ReceiveBuffer batch = plain;
    boolean begun = false;
    boolean goesOn = batch != null;
    boolean intact = false;
    try {
      while (goesOn && hasRest() && !link.isClosing()) {
        int at = handedOn;
        int length = Math.min(plainLength - at, pace.amount());
        boolean timed = pace.isTimed(length);
        if (timed && !begun) {
          begun = true;
          pace.begin(System.nanoTime());
        }
        handedOn += length;
        handler.received(Objects.requireNonNull(batch).segment(), at, length);
        goesOn = !timed || pace.handled(length, System.nanoTime());
      }
      intact = true;
    } finally {
      if (!intact || !hasRest()) {
        plainLength = 0;
        handedOn = 0;
      }
    }
  }

  private void giveBack(boolean ends) {
    ReceiveBuffer batch = plain;
    if (batch != null && (ends || !hasRest())) {
      plain = null;
      plainLength = 0;
      handedOn = 0;
      batch.release();
    }
    ByteBuffer collected = record;
    if (collected != null && (ends || filled == 0)) {
      record = null;
      buffers.giveBack(collected);
    }
  }

  /** The last call, by whoever ends the link: gives everything back. */
  void free() {
    giveBack(true);
  }
}
