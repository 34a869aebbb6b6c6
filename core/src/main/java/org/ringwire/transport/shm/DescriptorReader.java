package org.ringwire.transport.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringwire.ring.OutboundRing;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.selector.LinkInput;
import org.ringwire.transport.support.Handover;
import org.ringwire.transport.support.TurnPace;

/**
 * Reads what the peer describes, where it is. Every word of the peer is read once and checked; what
 * lies in its memory may change while it is read, which yields wrong bytes, never an access outside
 * of the memory that was mapped. The owner of the role of reading only.
 *
 * <p><em>What was read</em> the peer is told now and then, and else when there is nothing more to
 * read, or nobody looks any more: whoever waits for what was read does not wait until the cache
 * line that says so has come over from the peer's processor. A peer whose writer waits is rung for
 * after that, see {@link OwnSide#stall}: each time that {@link #settle} says what was read, it
 * looks, after a full fence, whether it is to ring, and it does so sometime after all that was
 * read.
 *
 * <p><em>A turn</em> is bounded by time, too ({@link TurnPace}), and may end within a descriptor.
 * What is left of that stays pending, and is the peer's to keep: only all of it is consumed.
 */
final class DescriptorReader implements AutoCloseable {

  /** Descriptors in a row, before others have their turn; more than there can be at a time. */
  private static final int MOST_IN_A_ROW = 1024;

  /** After so many bytes a peer that waits is rung for. */
  private static final long BYTES_PER_RING = 256 << 10;

  /** After so many bytes the peer is told, or descriptors. */
  private static final long BYTES_PER_CONSUME = 16 << 10;

  private static final int MOST_UNTOLD = SideLayout.SLOTS / 4;

  /**
   * The first descriptor of a turn, if it is as short, is handed over without a look at a clock.
   */
  private static final long UNTIMED_LENGTH = 1 << 10;

  /** Descriptors between two looks, however short they are. */
  private static final int MOST_UNTIMED = 64;

  private final OwnSide own;
  private final PeerSide peer;
  private final Doorbell.Button bell;
  private final LinkHandler handler;
  private final PeerFiles files;
  private final Path peerFolder;
  private final BooleanSupplier closing;
  private final TurnPace pace = new TurnPace();
  private long consumed;
  private long end = Long.MAX_VALUE; // of what there can be
  private long word; // of the descriptor that was begun, as the next two
  private long offset;
  private long taken; // bytes; 0 if none was begun
  private long told; // of what was consumed
  private long untold; // bytes
  private long unrung; // bytes; not 0 if something was consumed since the last look at STALL
  private @Nullable PeerFile ringFile;
  private boolean opening; // that
  private MemorySegment ring = MemorySegment.NULL;
  private Runnable ringOpened = () -> {}; // set before the link is used

  /**
   * A reader that has read nothing.
   *
   * @param closing whether the rest is not wanted any more
   */
  DescriptorReader(Sides sides, Doorbell bell, LinkHandler handler, BooleanSupplier closing) {
    own = sides.own();
    peer = sides.peer();
    files = sides.files();
    peerFolder = sides.peerFolder();
    this.bell = bell.new Button();
    this.handler = handler;
    this.closing = closing;
  }

  /** What is called by another thread when a ring can be read; before the link is used. */
  void resumeBy(Runnable resume) {
    ringOpened = resume;
  }

  /** Whether there is something to read, be it behind the name of a ring that is being opened. */
  boolean isPending() {
    return isBegun() || (consumed < end && SideLayout.isOf(peer.word(consumed), consumed));
  }

  private boolean isBegun() {
    return taken > 0 || opening;
  }

  /** The peer writes nothing more: there is no more than it can have written by now. */
  void peerIsGone() {
    if (end == Long.MAX_VALUE) {
      end = consumed + SideLayout.SLOTS;
    }
  }

  /**
   * Reads what has been published by now, up to a limit.
   *
   * @return number of bytes, names of rings included; {@link LinkInput#NO_ROOM} until a ring is
   *     open
   * @throws IOException if the peer describes what it does not have
   */
  long read() throws IOException {
    long total = 0;
    long untimed = 0;
    boolean timed = false;
    boolean more = true;
    for (int count = 0; more && count < MOST_IN_A_ROW && !closing.getAsBoolean(); count++) {
      if (!begin()) {
        break;
      }
      if (!timed && (count > 0 || SideLayout.length(word) > UNTIMED_LENGTH)) {
        timed = true;
        pace.begin(System.nanoTime());
      }
      long length = take();
      if (length == 0) {
        break; // until the ring is open
      }
      total += length;
      untimed += timed ? length : 0;
      if (untimed >= pace.amount() || (count + 1) % MOST_UNTIMED == 0) {
        more = pace.handled(untimed, System.nanoTime());
        untimed = 0;
      }
    }
    if (pace.isTimed(untimed)) {
      boolean _ = pace.handled(untimed, System.nanoTime());
    }
    if (total == 0 && unrung > 0) {
      settle();
    }
    return total == 0 && opening ? LinkInput.NO_ROOM : total;
  }

  /** Returns whether there is a descriptor, begun or not. */
  private boolean begin() {
    if (isBegun()) {
      return true;
    }
    if (consumed == end) {
      return false;
    }
    word = peer.word(consumed); // pairs with OwnSide.publish
    if (!SideLayout.isOf(word, consumed)) {
      return false;
    }
    offset = peer.offset(consumed);
    return true;
  }

  /**
   * Hands over what comes next of the descriptor that was begun; returns how many bytes, 0 if it is
   * a ring that is not open yet.
   */
  private long take() throws IOException {
    long length = SideLayout.length(word);
    long part = Math.min(length - taken, pace.amount());
    switch (SideLayout.kind(word)) {
      case SideLayout.COPIED -> {
        check(offset, length, SideLayout.COPIES_LENGTH);
        Handover.deliver(handler, peer.memory(), SideLayout.COPIES + offset + taken, part);
      }
      case SideLayout.WITHIN_ITSELF -> {
        check(0, length, SideLayout.WITHIN_LENGTH);
        Handover.deliver(handler, peer.memory(), SideLayout.within(consumed) + taken, part);
      }
      case SideLayout.IN_RING -> {
        check(offset, length, ring.byteSize());
        Handover.deliver(handler, ring, offset + taken, part);
      }
      case SideLayout.NEW_RING -> {
        check(offset, length, SideLayout.COPIES_LENGTH);
        if (!isRingOpen(offset, (int) length)) {
          return 0;
        }
        part = length;
      }
      default ->
          throw new IOException(
              "the peer describes bytes of an unknown kind: " + SideLayout.kind(word));
    }
    taken += part;
    if (taken == length) {
      taken = 0;
      consumed++;
      count(length);
    }
    return part;
  }

  private void count(long length) {
    untold += length;
    unrung += length;
    if (unrung >= BYTES_PER_RING) {
      settle();
    } else if (untold >= BYTES_PER_CONSUME || consumed - told >= MOST_UNTOLD) {
      tell();
    }
  }

  private void tell() {
    own.consume(consumed);
    told = consumed;
    untold = 0;
  }

  /** Tells the peer all that was read, and rings if its writer waits. */
  private void settle() {
    tell();
    VarHandle.fullFence(); // before the look; pairs with the one in OwnSide.stall
    ringIfStalled();
  }

  private void ringIfStalled() {
    unrung = 0;
    bell.press(peer.stall());
  }

  /**
   * Nobody looks from now on: the peer must ring.
   *
   * @return whether there is nothing to read; what comes after this call is rung for
   */
  boolean rest() {
    boolean unsettled = unrung > 0;
    if (unsettled) {
      tell();
    }
    if (own.sleep() || unsettled) {
      VarHandle.fullFence(); // before both looks; pairs with LinkOutput.offer, and OwnSide.stall
    }
    if (unsettled) {
      ringIfStalled();
    }
    return !isPending();
  }

  private static void check(long offset, long length, long end) throws IOException {
    if (length <= 0 || offset < 0 || length > end || offset > end - length) {
      throw new IOException(
          "the peer describes memory that it does not have: offset="
              + offset
              + " length="
              + length
              + " end="
              + end);
    }
  }

  /** The peer's last ring was read to its end: what comes now is in another. */
  private boolean isRingOpen(long offset, int length) throws IOException {
    PeerFile file = ringFile;
    if (!opening || file == null) {
      close();
      file = files.open(ringAt(offset, length), ringOpened);
      ringFile = file;
      opening = true;
    }
    if (!file.isDone()) {
      return false;
    }
    ring = file.memory();
    opening = false;
    return true;
  }

  private PeerFile.Wanted ringAt(long offset, int length) throws IOException {
    byte[] name = new byte[length];
    MemorySegment.copy(
        peer.memory(), ValueLayout.JAVA_BYTE, SideLayout.COPIES + offset, name, 0, length);
    Path file;
    try {
      file = Path.of(new String(name, StandardCharsets.UTF_8));
    } catch (InvalidPathException e) {
      throw new IOException("the peer's ring has no name", e);
    }
    if (!peerFolder.equals(file.getParent())) {
      throw new IOException("the peer's ring is not where its other file is: " + file);
    }
    return new PeerFile.Wanted(file, "ring", OutboundRing.MIN_CAPACITY, OutboundRing.MAX_CAPACITY);
  }

  /** Lets go of the peer's ring. */
  @Override
  public void close() {
    PeerFile file = ringFile;
    ringFile = null;
    opening = false;
    ring = MemorySegment.NULL;
    if (file != null) {
      files.close(file);
    }
  }
}
