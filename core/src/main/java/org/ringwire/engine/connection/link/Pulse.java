package org.ringwire.engine.connection.link;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The signs of life of one link, or of a connection, as {@code engine.KeepAlive} counts them: in
 * looks, never by the clock, so that a pause of this process as a whole is nobody's silence. What
 * the clock says of a silence is for people.
 *
 * <p>{@code chunks} is written by the thread that reads the link, once when it begins with what the
 * transport has read and once when it is done, and read by the timer with opaque mode, without an
 * order to anything else: a late value makes the timer believe for one more look that this side is
 * busy, which only puts a verdict off. Suspicions and pings are guarded by the monitor. What a peer
 * had said when it was welcomed is written by the thread that welcomes it. All other fields are the
 * timer's.
 */
public final class Pulse {

  private static final VarHandle CHUNKS;

  static {
    try {
      CHUNKS = MethodHandles.lookup().findVarHandle(Pulse.class, "chunks", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long chunks; // odd while the reading thread is inside
  private long chunksSeen;
  private long chunksSeenByUpkeep;
  private long receivedSeen = -1;
  private long sentSeen = -1;
  private long heardNs;
  private int silentLooks;
  private volatile long welcomedBytes = -1;
  private volatile long patientUntilNs; // written before the other one
  private volatile long askedNs; // written before the next
  private volatile boolean awaitsAnswer;
  private volatile long answerNs = Long.MAX_VALUE; // written by the reading thread
  private boolean suspected;
  private long lastPing = ThreadLocalRandom.current().nextLong(1, 1L << 62);
  private long answeredPing = lastPing;
  private boolean signDue;
  private boolean turn;

  /** Reading thread: begins with a chunk of input, also if it never said that it left the last. */
  public void enter() {
    if (awaitsAnswer) {
      awaitsAnswer = false;
      answerNs = System.nanoTime() - askedNs;
    }
    CHUNKS.setOpaque(this, (chunks + 1) | 1); // read by isInside()
  }

  /** Reading thread: is done with it, handlers included, also if it never said that it begins. */
  public void leave() {
    CHUNKS.setOpaque(this, (chunks | 1) + 1); // read by isInside()
  }

  /** Whether the reading thread is at work on input of this link now; any thread. */
  public boolean isInside() {
    return ((long) CHUNKS.getOpaque(this) & 1) != 0;
  }

  /** Timer, once per look: whether the reading thread is where it was at the last look. */
  public boolean isStuck() {
    long seen = chunksSeen;
    chunksSeen = (long) CHUNKS.getOpaque(this);
    return (seen & 1) != 0 && seen == chunksSeen;
  }

  /** As {@link #isStuck}, of looks of another kind, which may be closer to each other. */
  public boolean isStuckForUpkeep() {
    long seen = chunksSeenByUpkeep;
    chunksSeenByUpkeep = (long) CHUNKS.getOpaque(this);
    return (seen & 1) != 0 && seen == chunksSeenByUpkeep;
  }

  /**
   * Timer, once per look: counts looks without input.
   *
   * @param receivedBytes that ever came
   * @param judged whether this side would have read input if there had been any
   * @return looks in a row that found nothing new
   */
  public int silentLooks(long receivedBytes, boolean judged, long nowNs) {
    if (receivedBytes != receivedSeen) {
      receivedSeen = receivedBytes;
      heardNs = nowNs;
      silentLooks = 0;
    } else if (judged) {
      silentLooks++;
    }
    return silentLooks;
  }

  /** Timer: the time since the last look that found input; nothing came in it. */
  public long silentNs(long nowNs) {
    return nowNs - heardNs;
  }

  /** Before something is said that the peer is going to answer, with the handshake; any thread. */
  public void asks() {
    askedNs = System.nanoTime();
    awaitsAnswer = true;
  }

  /**
   * How long the answer to what was said with the handshake has taken, which is at least a way
   * there and back; the greatest value if none has come. Any thread.
   */
  public long answerNs() {
    return answerNs;
  }

  /**
   * By who takes the peer in, before that is told: it says nothing more before it has heard of it,
   * however far away it is.
   *
   * @param receivedBytes that ever came
   * @param untilNs how long its first word may take
   */
  public void welcomes(long receivedBytes, long untilNs) {
    patientUntilNs = untilNs;
    welcomedBytes = receivedBytes;
  }

  /** Timer: whether the peer, just taken in, may not have heard of it: its silence says nothing. */
  public boolean awaitsFirstWord(long receivedBytes, long nowNs) {
    return receivedBytes == welcomedBytes && nowNs - patientUntilNs < 0;
  }

  /** Timer, once per look: whether anything was sent since the last one. */
  public boolean hasSent(long sentBytes) {
    boolean sent = sentBytes != sentSeen;
    sentSeen = sentBytes;
    return sent;
  }

  /**
   * Timer, once per look: whether to send a sign of life, which is when nothing was sent since the
   * last look, and at every second look whatever was.
   */
  public boolean isSignDue(boolean sent) {
    signDue = !sent || !signDue;
    return signDue;
  }

  /** Timer: whether it is the first link's turn to carry a sign of life, or the second's. */
  public boolean takeTurn() {
    turn = !turn;
    return turn;
  }

  /** The token of the next ping: one more than that of the one before. Any thread. */
  public synchronized long nextPing() {
    return ++lastPing;
  }

  /**
   * Reading thread: a PONG has come. One that answers no ping of this link, as those that nobody
   * asked for, says nothing about any.
   */
  public synchronized void answered(long token) {
    if (token > answeredPing && token <= lastPing) {
      answeredPing = token;
    }
  }

  /**
   * Whether this ping was answered, or one that was sent later: of several that wait a peer answers
   * only the last. What else came after it, or comes, changes nothing. Any thread.
   */
  public synchronized boolean hasAnswered(long ping) {
    return answeredPing >= ping;
  }

  /** Begins a suspicion; false if there is one already. */
  public synchronized boolean suspect() {
    boolean first = !suspected;
    suspected = true;
    return first;
  }

  /** The suspicion has ended. */
  public synchronized void acquit() {
    suspected = false;
  }
}
