package org.ringwire.transport.tls;

import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * Bounds what the peer of an open link may send that carries no data. A record may ask for new
 * keys, whose answer the engine keeps until it is wrapped; or be a ticket, which the engine keeps
 * as long as the link is there. The engine has no bound for either, so a peer that says such things
 * without end, and does not read, would fill the heap.
 *
 * <p>Answers to this side's own requests are not held against a peer: there is at most one for
 * each. The engine asks by itself, too, as often as the user of the JDK wants it ({@code
 * jdk.tls.keyLimits}). So all records are counted that this side sends without data, but for the
 * answers among them.
 */
final class EmptyRecords {

  /** Bytes of requests without answer; the shortest that there are keep some 5 MB of heap. */
  private static final long MOST_UNANSWERED = 128 << 10;

  /** Bytes that need no answer: more than the tickets that a JDK gives at most. */
  private static final long MOST_SILENT = 1 << 20;

  /** Bytes of an answer, at most. */
  private static final long ANSWER = 32;

  private final SSLEngine engine;
  private final AtomicLong said = new AtomicLong(); // by this side
  private long owed; // of that; the reader, as the next
  private long unanswered;
  private long silent;

  EmptyRecords(SSLEngine engine) {
    this.engine = engine;
  }

  /** Holder of the role of writing: a record without data was wrapped. */
  void says() {
    said.incrementAndGet();
  }

  /**
   * The reader: a record without data has come, and what the engine had to say was written, if the
   * medium took it.
   *
   * @param answerDue whether the engine had something to say
   * @throws SSLException if there were too many
   */
  void came(long length, boolean answerDue) throws SSLException {
    if (!answerDue) {
      silent += length;
    } else {
      owed++;
      countUnanswered(length);
    }
    long asked = Math.max(0, said.get() - owed);
    if (unanswered > MOST_UNANSWERED || silent > MOST_SILENT + ANSWER * asked) {
      throw new SSLException(
          "the peer sends records that carry nothing, without end: silentBytes="
              + silent
              + " unansweredBytes="
              + unanswered);
    }
  }

  private void countUnanswered(long length) {
    if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      unanswered += length;
    } else {
      unanswered = 0;
    }
  }
}
