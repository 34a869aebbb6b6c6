package org.ringwire.ring;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.ringwire.wire.FrameLayout;

/** What an {@link OutboundRing} must do, said with lists, for one thread. */
final class RingModel {

  /** Kinds of frames. */
  enum Kind {
    MESSAGE,
    RESPONSE,
    PADDING,
    DETACHED
  }

  /** A claimed frame. */
  static final class Frame {
    final long position;
    final int length;
    final long occupied;
    final boolean charged;
    final long word;
    Kind kind;
    boolean committed;

    Frame(long position, int length, boolean charged, long word, Kind kind, boolean committed) {
      this.position = position;
      this.length = length;
      this.occupied = FrameLayout.occupied(length);
      this.charged = charged;
      this.word = word;
      this.kind = kind;
      this.committed = committed;
    }
  }

  final long capacity;
  long tail;
  long chargedElsewhere;
  long chargedBytes;
  long released;
  long sent;
  long sentMessages;
  final List<Long> arrived = new ArrayList<>();

  /** Claimed and not wholly sent or skipped. */
  final Deque<Frame> frames = new ArrayDeque<>();

  /** Sent or skipped and not released: position, bytes, and 1 if skipped. */
  private final Deque<long[]> unreleased = new ArrayDeque<>();

  private long words;

  RingModel(long capacity) {
    this.capacity = capacity;
  }

  long nextLap(long position) {
    return (position / capacity + 1) * capacity;
  }

  /** Claims a frame, or says why not, as the ring should. */
  long claim(int length, boolean charged, long granted) {
    long occupied = FrameLayout.occupied(length);
    long start = tail + occupied <= nextLap(tail) ? tail : nextLap(tail);
    if (charged && chargedBytes + chargedElsewhere + occupied > granted) {
      return OutboundRing.NO_CREDIT;
    }
    if (start + occupied - released > capacity) {
      return OutboundRing.FULL;
    }
    if (start != tail) {
      addPadding(start - tail);
    }
    frames.add(new Frame(start, length, charged, ++words, Kind.MESSAGE, false));
    tail = start + occupied;
    chargedBytes += charged ? occupied : 0;
    return start;
  }

  boolean charge(long bytes, long granted) {
    if (chargedBytes + chargedElsewhere + bytes > granted || tail + 8 - released > capacity) {
      return false;
    }
    addPadding(8);
    tail += 8;
    chargedElsewhere += bytes;
    return true;
  }

  private void addPadding(long length) {
    frames.add(new Frame(tail, (int) length, false, 0, Kind.PADDING, true));
  }

  List<Frame> open() {
    return frames.stream().filter(frame -> !frame.committed).toList();
  }

  void commit(Frame frame, Kind kind) {
    frame.kind = kind;
    frame.committed = true;
    if (kind == Kind.PADDING && frame.charged) {
      chargedBytes -= frame.occupied;
    }
  }

  /** Skips padding in front, and says how much may be sent. */
  long scan(long maxBytes, long scannedBefore) {
    while (!frames.isEmpty() && next().position == sent && isNext(Kind.PADDING)) {
      skip();
    }
    long bytes = 0;
    long lap = nextLap(sent);
    for (Frame frame : frames) {
      boolean known = frame.position < scannedBefore;
      boolean end = frame.kind == Kind.PADDING || frame.kind == Kind.DETACHED;
      if (!frame.committed
          || end
          || frame.position >= lap
          || (!known && ends(bytes, frame, maxBytes))) {
        break;
      }
      bytes = frame.position + frame.occupied - sent;
    }
    return bytes;
  }

  private boolean ends(long bytes, Frame frame, long maxBytes) {
    return bytes >= maxBytes || (bytes > 0 && frame.position + frame.occupied - sent > maxBytes);
  }

  boolean isNext(Kind kind) {
    return !frames.isEmpty() && next().committed && next().kind == kind && next().position == sent;
  }

  private Frame next() {
    return frames.getFirst();
  }

  void skip() {
    Frame frame = frames.removeFirst();
    unreleased.add(new long[] {frame.occupied, 1});
    sent += frame.occupied;
    releaseSkips();
  }

  void send(long bytes) {
    sent += bytes;
    unreleased.add(new long[] {bytes, 0});
    for (Iterator<Frame> all = frames.iterator(); all.hasNext(); ) {
      Frame frame = all.next();
      if (frame.position + frame.occupied > sent) {
        break;
      }
      sentMessages += frame.kind == Kind.MESSAGE ? 1 : 0;
      arrived.add(frame.length < 16 ? 0 : frame.word);
      all.remove();
    }
  }

  long unsentMessages() {
    return frames.stream()
        .filter(frame -> frame.position >= sent && frame.committed && frame.kind == Kind.MESSAGE)
        .count();
  }

  long inFlight() {
    return unreleased.stream().filter(run -> run[1] == 0).mapToLong(run -> run[0]).sum();
  }

  void complete(long bytes) {
    long rest = bytes;
    while (rest > 0) {
      releaseSkips();
      long[] run = unreleased.getFirst();
      long part = Math.min(rest, run[0]);
      run[0] -= part;
      rest -= part;
      released += part;
      if (run[0] == 0) {
        unreleased.removeFirst();
      }
    }
    releaseSkips();
  }

  private void releaseSkips() {
    while (!unreleased.isEmpty() && unreleased.getFirst()[1] == 1) {
      released += unreleased.removeFirst()[0];
    }
  }

  boolean restart(long threshold) {
    if (tail != sent || sent != released || sent % capacity < threshold) {
      return false;
    }
    tail = nextLap(tail);
    sent = tail;
    released = tail;
    return true;
  }

  boolean restartAhead(long threshold) {
    long lap = nextLap(sent) - capacity;
    boolean skips = unreleased.stream().anyMatch(run -> run[1] == 1);
    if (tail != sent
        || sent == released
        || sent - released > threshold / 2
        || released - lap < threshold
        || skips) {
      return false;
    }
    tail = nextLap(tail);
    unreleased.add(new long[] {tail - sent, 1});
    sent = tail;
    return true;
  }

  /** A random open frame, or null. */
  Frame anyOpen(SplittableRandom random) {
    List<Frame> open = open();
    return open.isEmpty() ? null : open.get(random.nextInt(open.size()));
  }
}
