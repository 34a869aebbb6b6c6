package org.ringwire.transport.tls;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/**
 * What a link writes: takes what the engine room above offers, all ranges of an offer into as few
 * records as possible, wraps them, and hands the records to the medium. Used by the holder of the
 * link's role of writing only, who alone calls {@code wrap}.
 *
 * <p>What was wrapped is reported to its source as sent, whether or not the medium has taken it by
 * then: it is not wrapped again, and may reach the peer, with the farewell if not before. Completed
 * is what the medium has taken to the last byte of the batch: so {@link #write} returns false while
 * there is some that is not.
 */
final class TlsOutput implements OutboundSource {

  private static final int MAX_RANGES = 16;

  /** Room that application data leaves to an alert or a change of keys. */
  private static final int RESERVE = TlsBuffers.RECORD;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int FAREWELL_ATTEMPTS = 4;

  /** A fatal alert in plain, twice, so that it is longer than the header of a frame. */
  private static final byte[] PLAIN_ALERT = {21, 3, 3, 0, 2, 2, 10, 21, 3, 3, 0, 2, 2, 10};

  private final SSLEngine engine;
  private final TlsBuffers buffers;
  private final Link medium;
  private final long keyUpdateBytes;
  private final LongAdder keyUpdates;
  private final EmptyRecords empties;
  private byte @Nullable [] greeting;
  private final OutboundRanges ranges = new OutboundRanges(MAX_RANGES);
  private @Nullable ReceiveBuffer batch;
  private int start; // in the batch: what the medium has not taken
  private int end;
  private long wrapped; // bytes of the source that it does not know as sent
  private long incomplete; // bytes of the source that are sent, and not completed
  private long underKeys; // bytes of the source since the keys were changed
  private boolean handshakeWrapped; // the last of it
  private volatile boolean finished; // only ever set

  /**
   * Prepares.
   *
   * @param greeting what goes before the first record, or null
   * @param keyUpdateBytes of data after which new keys are asked for, or 0: when the engine does
   * @param keyUpdates counts how often they were
   * @param empties hears what carries no data
   */
  TlsOutput(
      SSLEngine engine,
      TlsBuffers buffers,
      Link medium,
      byte @Nullable [] greeting,
      long keyUpdateBytes,
      LongAdder keyUpdates,
      EmptyRecords empties) {
    this.engine = engine;
    this.buffers = buffers;
    this.medium = medium;
    this.greeting = greeting;
    this.keyUpdateBytes = keyUpdateBytes;
    this.keyUpdates = keyUpdates;
    this.empties = empties;
  }

  /**
   * Whether wrapping has ended the handshake: of a client, whose last word the peer needs, once the
   * medium has been given it. A server then says nothing that the peer must have: what the peer has
   * said meanwhile counts, though it may have closed the medium since.
   */
  boolean isHandshakeFinished() {
    return finished;
  }

  /**
   * As {@link Link#write}.
   *
   * @return whether the source has nothing more, and the medium has taken all
   */
  boolean write(OutboundSource source) throws IOException {
    try {
      boolean taken = flush();
      if (taken && incomplete > 0) {
        long bytes = incomplete;
        incomplete = 0;
        source.completed(bytes);
      }
      while (taken) {
        ranges.clear();
        if (source.next(ranges) == 0) {
          return true;
        }
        taken = writeRanges(source);
      }
      return false;
    } finally {
      ranges.clear();
      giveBackIfEmpty();
    }
  }

  /** Whether all was taken; what was wrapped counts as sent also if that fails. */
  private boolean writeRanges(OutboundSource source) throws IOException {
    boolean taken = false;
    try {
      wrapRanges();
      taken = flush();
    } finally {
      long bytes = wrapped;
      wrapped = 0;
      if (bytes > 0 && taken) {
        source.sentAndCompleted(bytes);
      } else if (bytes > 0) {
        incomplete = bytes;
        source.sent(bytes);
      }
    }
    return taken;
  }

  /** Writes what the engine has to say by itself, and what is left; whether all was taken. */
  boolean flush() throws IOException {
    byte[] first = greeting;
    if (first != null) {
      greeting = null;
      append(first, 0, first.length);
    }
    while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && room() >= RESERVE) {
      wrap(new ByteBuffer[] {NOTHING}, 0, 1);
    }
    boolean all = start == end || medium.write(this);
    if (handshakeWrapped) {
      finished = true;
    }
    return all;
  }

  /** The same, and then holds no memory if nothing is left. */
  boolean flushAndRest() throws IOException {
    boolean all = flush();
    giveBackIfEmpty();
    return all;
  }

  private int room() {
    return TlsBuffers.BATCH - end;
  }

  private void wrapRanges() throws IOException {
    ByteBuffer[] sources = ranges.buffers();
    int count = ranges.count();
    int first = 0;
    if (keyUpdateBytes > 0 && underKeys >= keyUpdateBytes) {
      underKeys = 0;
      askForKeys();
    }
    while (first < count && room() >= 2 * RESERVE) {
      int consumed = wrap(sources, first, count - first);
      wrapped += consumed;
      underKeys += consumed;
      while (first < count && !sources[first].hasRemaining()) {
        first++;
      }
    }
  }

  /**
   * New keys, on both sides. An engine that has read the peer's close_notify makes none, and who
   * writes may be the first to find that out: then the link is about to end, which is no failure of
   * this side, and the reader tells how.
   */
  private void askForKeys() throws IOException {
    if (engine.isInboundDone()) {
      return; // what the peer may still read goes out under the keys that there are
    }
    keyUpdates.increment();
    try {
      engine.beginHandshake(); // after the handshake
    } catch (SSLException e) { // it was read only now
      ClosedChannelException closed = new ClosedChannelException();
      closed.initCause(e);
      throw closed;
    }
  }

  /** One record; returns the bytes that it took from the sources. */
  private int wrap(ByteBuffer[] sources, int first, int count) throws IOException {
    ByteBuffer record = buffers.record();
    try {
      SSLEngineResult result = engine.wrap(sources, first, count, record);
      if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
        handshakeWrapped = true;
        if (!engine.getUseClientMode()) {
          finished = true;
        }
      }
      append(record.array(), record.arrayOffset(), result.bytesProduced());
      if (result.bytesConsumed() == 0 && result.bytesProduced() > 0) {
        empties.says();
      }
      if (result.getStatus() == Status.CLOSED && result.bytesProduced() == 0) {
        throw new ClosedChannelException();
      }
      if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        TlsInput.runTasks(engine);
      } else if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
        throw new SSLException("the engine does not wrap: " + result);
      }
      return result.bytesConsumed();
    } finally {
      buffers.giveBack(record);
    }
  }

  private void append(byte[] array, int index, int length) {
    if (length > 0) {
      ReceiveBuffer current = batch;
      if (current == null) {
        current = buffers.batch();
        batch = current;
      }
      MemorySegment.copy(array, index, current.segment(), ValueLayout.JAVA_BYTE, end, length);
      end += length;
    }
  }

  /** For a peer that does not speak TLS. */
  void appendPlainAlert() {
    if (room() >= PLAIN_ALERT.length) {
      append(PLAIN_ALERT, 0, PLAIN_ALERT.length);
    }
  }

  /** Adds close_notify, or the alert that a failure demands. */
  void appendFarewell() {
    engine.closeOutbound();
    for (int i = 0; i < FAREWELL_ATTEMPTS && !engine.isOutboundDone() && room() >= RESERVE; i++) {
      try {
        wrap(new ByteBuffer[] {NOTHING}, 0, 1);
      } catch (IOException | RuntimeException e) {
        // the failure that is being told; the alert comes with the next call
      }
    }
  }

  private void giveBackIfEmpty() {
    ReceiveBuffer current = batch;
    if (start == end && current != null) {
      free();
    }
  }

  /** Gives the memory back, whatever is in it. */
  void free() {
    ReceiveBuffer current = batch;
    batch = null;
    start = 0;
    end = 0;
    if (current != null) {
      current.release();
    }
  }

  // Towards the medium.

  @Override
  public long next(OutboundRanges offered) {
    ReceiveBuffer current = batch;
    if (current != null && start < end) {
      offered.add(current.segment(), current.buffer(), start, end - start);
    }
    return offered.bytes();
  }

  @Override
  public void sent(long bytes) {
    start += (int) bytes;
    if (start == end) {
      start = 0;
      end = 0;
    }
  }

  /** Only media that have a copy once they have taken bytes are used with TLS. */
  @Override
  public void completed(long bytes) {}
}
