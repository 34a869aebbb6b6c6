package org.ringwire.infiniband.datagram;

import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a link that were sent and are not released, and what has become of them.
 *
 * <p>Each transmission has a place in the order of all of the link, new ones and repetitions alike.
 * A segment is <em>lost</em> if a transmission that is later by {@value #REORDERING} has arrived,
 * or a later one at all and its time is over (RFC 9002, section 6.1; that finds repetitions that
 * are lost, too). If nothing comes back for a retransmission timeout (RFC 6298), the oldest is sent
 * again; at the second timeout all are taken for lost.
 *
 * <p>Slots grow with what is in flight, up to {@value #MOST}, and are fewer again when less was in
 * flight for a while: half as many each time that all is released and a quarter was enough since
 * the time before. One thread at a time.
 */
final class SendWindow<S extends Segment> {

  /** Segments that are not released, and numbers that a receiver looks ahead, at most. */
  static final int MOST = 256;

  static final long NEVER = Long.MAX_VALUE;

  private static final int REORDERING = 3;
  private static final int FIRST_SLOTS = 4;
  private static final int FIRST_PEER_WINDOW = 16;

  private final Supplier<S> maker;
  private final RoundTrip roundTrip = new RoundTrip();
  private final Congestion congestion = new Congestion();
  private @Nullable Segment[] slots = new Segment[FIRST_SLOTS];
  private long released;
  private long acknowledged;
  private long next;
  private int peerWindow = FIRST_PEER_WINDOW;
  private int inFlight;
  private int lost;
  private long transmissions = 1;
  private long newest; // order of the latest transmission that is known to have arrived
  private long recovery; // what was sent before this order does not reduce the window again
  private long lastRepeated = -1; // number
  private long progressNs; // the retransmission timer runs from here
  private long heardNs; // the peer's silence
  private long lossNs = NEVER;
  private int timeouts;
  private boolean probing;
  private long repetitions;
  private int mostOutstanding; // since all was released last

  SendWindow(Supplier<S> maker) {
    this.maker = maker;
  }

  // Sending.

  /** Whether a new segment may be sent now. */
  boolean maySend() {
    return lost == 0
        && inFlight < congestion.window()
        && next - acknowledged < peerWindow
        && next - released < MOST;
  }

  /** The segment that will have the next number, for its content. */
  S prepare() {
    if (next - released == slots.length) {
      grow();
    }
    int slot = slot(next);
    Segment segment = slots[slot];
    if (segment == null) {
      segment = maker.get();
      slots[slot] = segment;
    }
    return own(segment);
  }

  private void grow() {
    @Nullable Segment[] larger = Arrays.copyOf(slots, 2 * slots.length);
    Arrays.fill(larger, null);
    for (long number = released; number < next; number++) {
      larger[(int) number & (larger.length - 1)] = slots[slot(number)];
    }
    slots = larger;
  }

  private int slot(long number) {
    return (int) number & (slots.length - 1);
  }

  @SuppressWarnings("unchecked") // all come from the maker
  private S own(Segment segment) {
    return (S) segment;
  }

  private S get(long number) {
    Segment segment = slots[slot(number)];
    if (segment == null) {
      throw new IllegalStateException("no such segment: number=" + number);
    }
    return own(segment);
  }

  /** The prepared segment is on its way. */
  void sent(S segment, int kind, long nowNs) {
    if (inFlight == 0 && lost == 0) {
      progressNs = nowNs;
      heardNs = nowNs;
      timeouts = 0;
    }
    segment.number = next++;
    mostOutstanding = Math.max(mostOutstanding, outstanding());
    segment.kind = kind;
    segment.again = false;
    transmitted(segment, nowNs);
  }

  private void transmitted(S segment, long nowNs) {
    segment.state = Segment.IN_FLIGHT;
    segment.order = transmissions++;
    segment.sentNs = nowNs;
    inFlight++;
  }

  /** The oldest segment that is to be sent again, if that is allowed now. */
  @Nullable S repeatable() {
    if (lost == 0 || (inFlight >= congestion.window() && !probing)) {
      return null;
    }
    for (long number = acknowledged; number < next; number++) {
      S segment = get(number);
      if (segment.state == Segment.LOST) {
        return segment;
      }
    }
    throw new IllegalStateException("lost segments are missing: count=" + lost);
  }

  /** It is on its way again. */
  void repeated(S segment, long nowNs) {
    lost--;
    probing = false;
    repetitions++;
    lastRepeated = Math.max(lastRepeated, segment.number);
    segment.again = true;
    transmitted(segment, nowNs);
  }

  // What comes back.

  /**
   * The peer tells what it has.
   *
   * @param words whether the bitmap counts
   * @return false if that cannot be true; then nothing is changed
   */
  boolean acknowledge(Datagram from, boolean words, long nowNs) {
    long upTo = Sequence.expand(from.next, acknowledged);
    if (upTo > next || upTo < 0) {
      return false;
    }
    if (upTo >= acknowledged) {
      peerWindow = Math.clamp(from.window, 1, MOST);
    }
    if (from.echoUs != 0) {
      roundTrip.sample(from.echoUs, nowNs);
    }
    boolean used = 2 * inFlight >= congestion.window();
    int delivered = 0;
    for (; acknowledged < upTo; acknowledged++) {
      delivered += deliver(get(acknowledged), nowNs);
    }
    if (words) {
      delivered += acknowledgeAhead(from, upTo + 1, nowNs);
    }
    keepOldest(nowNs);
    if (delivered > 0) {
      progressNs = nowNs;
      heardNs = nowNs;
      timeouts = 0;
      if (used && newest >= recovery) {
        congestion.delivered(delivered);
      }
      findLosses(nowNs);
    }
    return true;
  }

  /**
   * What a bitmap says. The oldest that is not acknowledged stays outstanding though a bitmap that
   * comes late names it: only the number behind it releases it, and who has nothing outstanding
   * would not ask for that again.
   */
  private int acknowledgeAhead(Datagram from, long first, long nowNs) {
    int delivered = 0;
    int bits = from.wordCount * Long.SIZE;
    for (int bit = 0; bit < bits && first + bit < next; bit++) {
      if (first + bit > acknowledged && from.hasArrived(bit)) {
        delivered += deliver(get(first + bit), nowNs);
      }
    }
    return delivered;
  }

  /**
   * The oldest that is not acknowledged stays outstanding also if a bitmap has named it before it
   * was the oldest: the peer was about to go beyond it, and what says so may be lost.
   */
  private void keepOldest(long nowNs) {
    if (acknowledged < next && get(acknowledged).state == Segment.DELIVERED) {
      S oldest = get(acknowledged);
      oldest.state = Segment.IN_FLIGHT;
      oldest.sentNs = nowNs;
      oldest.order = newest; // nothing has overtaken it: only the timeout asks for it again
      inFlight++;
    }
  }

  private int deliver(S segment, long nowNs) {
    if (segment.state == Segment.DELIVERED) {
      return 0;
    }
    if (segment.state == Segment.LOST) {
      lost--;
    } else {
      inFlight--;
      // Too early for the repetition: it was the one before (RFC 8985, 6.2).
      if (!segment.again || nowNs - segment.sentNs >= roundTrip.shortestNs()) {
        newest = Math.max(newest, segment.order);
      }
    }
    segment.state = Segment.DELIVERED;
    return 1;
  }

  private void findLosses(long nowNs) {
    lossNs = NEVER;
    if (inFlight == 0 || (acknowledged > lastRepeated && get(acknowledged).order > newest)) {
      return; // without repetitions numbers are in the order of transmission
    }
    long delayNs = roundTrip.lossDelayNs();
    for (long number = acknowledged; number < next; number++) {
      S segment = get(number);
      if (segment.state == Segment.IN_FLIGHT && segment.order < newest) {
        if (newest - segment.order >= REORDERING || nowNs - segment.sentNs >= delayNs) {
          lose(segment);
        } else {
          lossNs = Math.min(lossNs, segment.sentNs + delayNs);
        }
      }
    }
  }

  private void lose(S segment) {
    setLost(segment);
    if (segment.order >= recovery) {
      congestion.reduce();
      recovery = transmissions;
    }
  }

  private void setLost(S segment) {
    segment.state = Segment.LOST;
    inFlight--;
    lost++;
  }

  // Time.

  /** When {@link #expire} has something to do; {@link #NEVER} if nothing is outstanding. */
  long deadlineNs() {
    return isIdle() ? NEVER : Math.min(lossNs, progressNs + roundTrip.timeoutNs(timeouts));
  }

  /** Looks at the time. */
  void expire(long nowNs) {
    if (isIdle()) {
      return;
    }
    if (lossNs != NEVER && nowNs - lossNs >= 0) {
      findLosses(nowNs);
    }
    long lateNs = nowNs - progressNs - roundTrip.timeoutNs(timeouts);
    if (lateNs >= 0) {
      heardNs += lateNs; // nobody has read either, and what the peer has said may lie here
      progressNs = nowNs;
      timeouts++;
      probing = true;
      loseByTimeout(timeouts > 1);
    }
  }

  private void loseByTimeout(boolean all) {
    for (long number = acknowledged; number < next; number++) {
      S segment = get(number);
      if (segment.state == Segment.IN_FLIGHT) {
        setLost(segment);
      }
      if (!all && segment.state == Segment.LOST) {
        return;
      }
    }
    congestion.collapse();
    recovery = transmissions;
    lossNs = NEVER;
  }

  /**
   * For how long the peer has acknowledged nothing though something is outstanding; without the
   * time in which nobody has looked here.
   */
  long silenceNs(long nowNs) {
    return isIdle() ? 0 : nowNs - heardNs;
  }

  // Releasing.

  /** The oldest segment if it is acknowledged, and so are all before it. */
  @Nullable S releasable() {
    return released < acknowledged ? get(released) : null;
  }

  /** Its slot may be used again. */
  void release() {
    get(released).state = Segment.FREE;
    released++;
    if (released == next) {
      shrink();
    }
  }

  private void shrink() {
    if (slots.length > FIRST_SLOTS && mostOutstanding <= slots.length / 4) {
      try {
        slots = Arrays.copyOf(slots, slots.length / 2);
      } catch (OutOfMemoryError e) {
        // as many as before do: who releases goes on, and reports what it has released
      }
    }
    mostOutstanding = 0;
  }

  /** The oldest segment that is not released, whatever became of it. */
  @Nullable S oldest() {
    return released < next ? get(released) : null;
  }

  /** Gives everything up. */
  void abandon() {
    acknowledged = next;
    inFlight = 0;
    lost = 0;
    lossNs = NEVER;
  }

  /** Whether all is acknowledged. */
  boolean isIdle() {
    return inFlight == 0 && lost == 0;
  }

  /** Segments that were acknowledged, with all before them. */
  long acknowledged() {
    return acknowledged;
  }

  /** Segments that are not released. */
  int outstanding() {
    return (int) (next - released);
  }

  /** Transmissions that were not the first. */
  long repetitions() {
    return repetitions;
  }

  /** Slots that there are. */
  int slots() {
    return slots.length;
  }
}
