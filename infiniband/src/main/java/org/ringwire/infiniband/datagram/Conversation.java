package org.ringwire.infiniband.datagram;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One end of a link over datagrams. The caller asks {@link #maySend}, fills the segment that {@link
 * #prepare} returns, and sends it; gives datagrams that have arrived to {@link #heard} and then, if
 * they have a number, to {@link #look}; and calls {@link #answer} and {@link #expire} in between.
 * Nothing here waits, and memory is bounded whatever the peer sends. One thread at a time: the
 * caller guards it.
 */
public final class Conversation<S extends Segment> {

  /** No time limit. */
  public static final long NEVER = SendWindow.NEVER;

  private final DatagramPort<S> port;
  private final SendWindow<S> sending;
  private final ReceiveWindow receiving = new ReceiveWindow();
  private final Acknowledgements acknowledgements = new Acknowledgements();
  private final Datagram head;
  private final int peerNumber;
  private int window;

  /**
   * Nothing is sent yet.
   *
   * @param head for what is sent; may be shared with others that send at another time
   * @param peerNumber what the peer calls the link
   * @param maker of segments
   * @param window see {@link #window}
   */
  public Conversation(
      DatagramPort<S> port, Datagram head, int peerNumber, Supplier<S> maker, int window) {
    this.port = port;
    this.head = head;
    this.peerNumber = peerNumber;
    this.window = window;
    sending = new SendWindow<>(maker);
  }

  /** How many segments the peer may have on the way from now on; a wish. */
  public void window(int segments) {
    window = segments;
  }

  // Sending.

  /** Whether a new segment may be sent now. */
  public boolean maySend() {
    return sending.maySend() && port.hasRoom();
  }

  /** As {@link #maySend}, whatever room the port has. */
  public boolean windowAllows() {
    return sending.maySend();
  }

  /** The segment that is sent next, for its content. */
  public S prepare() {
    return sending.prepare();
  }

  /** Sends the prepared segment. */
  public void send(S segment, int kind, long nowNs) {
    sending.sent(segment, kind, nowNs);
    transmit(segment, nowNs);
  }

  private void transmit(S segment, long nowNs) {
    head.kind = segment.kind;
    head.number = (int) segment.number;
    head.wordCount = 0;
    fill(segment.length(), nowNs);
    acknowledgements.carried();
    port.send(head, segment);
  }

  private void fill(int length, long nowNs) {
    head.address(peerNumber, length);
    head.next = (int) receiving.next();
    head.window = window;
    head.sentUs = RoundTrip.stampUs(nowNs);
    head.echoUs = acknowledgements.echoUs();
  }

  /** Whether {@link #answer} would send something. */
  public boolean isDue(long nowNs) {
    return acknowledgements.isDue(nowNs) || sending.repeatable() != null;
  }

  /**
   * Sends what is due: segments again that are lost, and an acknowledgement.
   *
   * @return false if the port has no room for all of it
   */
  public boolean answer(long nowNs) {
    for (S lost = sending.repeatable(); lost != null; lost = sending.repeatable()) {
      if (!port.hasRoom()) {
        return false;
      }
      sending.repeated(lost, nowNs);
      transmit(lost, nowNs);
    }
    if (acknowledgements.isDue(nowNs)) {
      if (!port.hasRoom()) {
        return false;
      }
      receiving.write(head);
      head.kind = Datagram.ACKNOWLEDGEMENT;
      head.number = 0;
      fill(head.wordCount * Long.BYTES, nowNs);
      acknowledgements.sent();
      port.send(head, null);
    }
    return true;
  }

  // What arrives.

  /**
   * A datagram tells what the peer has.
   *
   * @return false if that cannot be true
   */
  public boolean heard(Datagram datagram, long nowNs) {
    return sending.acknowledge(datagram, !datagram.isNumbered(), nowNs);
  }

  /** Where a datagram with a number stands; {@link #advance} or {@link #hold} follows. */
  public Arrival look(Datagram datagram, long nowNs) {
    Arrival arrival = receiving.look(datagram.number);
    boolean plain = arrival == Arrival.NEXT && datagram.kind == Datagram.DATA;
    if (arrival != Arrival.BEYOND) {
      acknowledgements.arrived(datagram.sentUs, !plain || receiving.hasGaps(), nowNs);
    }
    return arrival;
  }

  /** Takes the one that is {@link Arrival#NEXT}. */
  public void advance() {
    receiving.advance();
  }

  /**
   * Keeps one that is {@link Arrival#AHEAD}; who does not may forget it.
   *
   * @param holder comes back from {@link #takeHeld}
   */
  public void hold(Datagram datagram, int holder) {
    receiving.hold(datagram.number, holder);
  }

  /** Takes the next one if it is held: its holder, else -1. */
  public int takeHeld() {
    int holder = receiving.takeNext();
    if (holder >= 0) {
      receiving.advance();
    }
    return holder;
  }

  /** Takes any one that is held, which will not be used: its holder, or -1. */
  public int dropHeld() {
    return receiving.takeAny();
  }

  // Time.

  /** When {@link #expire} and {@link #answer} should be called at the latest. */
  public long deadlineNs() {
    return Math.min(sending.deadlineNs(), acknowledgements.deadlineNs());
  }

  /** Looks at the time; {@link #answer} follows. */
  public void expire(long nowNs) {
    sending.expire(nowNs);
  }

  /**
   * For how long the peer has acknowledged nothing though something is outstanding. A pause of this
   * side does not count once {@link #expire} was called after it.
   */
  public long silenceNs(long nowNs) {
    return sending.silenceNs(nowNs);
  }

  // Releasing.

  /** The oldest segment if it is acknowledged; {@link #release} follows. */
  public @Nullable S releasable() {
    return sending.releasable();
  }

  /** The oldest segment may be used for another one. */
  public void release() {
    sending.release();
  }

  /** Sends nothing again: all segments can be released. */
  public void abandon() {
    sending.abandon();
  }

  /** Whether all that was sent is acknowledged. */
  public boolean isQuiet() {
    return sending.isIdle();
  }

  /** Whether the peer has acknowledged anything. */
  public boolean isAnswered() {
    return sending.acknowledged() > 0;
  }

  /** Segments that are not released. */
  public int outstanding() {
    return sending.outstanding();
  }

  /** Segments that were sent again, as often as that. */
  public long repetitions() {
    return sending.repetitions();
  }

  /** Segments for which there is memory now. */
  public int slots() {
    return sending.slots();
  }
}
