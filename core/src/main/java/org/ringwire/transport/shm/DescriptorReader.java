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
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.support.Handover;

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
 */
final class DescriptorReader implements AutoCloseable {

  /** Descriptors in a row, before others have their turn; more than there can be at a time. */
  private static final int MOST_IN_A_ROW = 1024;

  /** After so many bytes a peer that waits is rung for. */
  private static final long BYTES_PER_RING = 256 << 10;

  /** After so many bytes the peer is told, or descriptors. */
  private static final long BYTES_PER_CONSUME = 16 << 10;

  private static final int MOST_UNTOLD = SideLayout.SLOTS / 4;

  private final OwnSide own;
  private final PeerSide peer;
  private final Doorbell.Button bell;
  private final LinkHandler handler;
  private final SharedFolder folder;
  private final Path peerFolder;
  private final BooleanSupplier closing;
  private long consumed;
  private long told; // of what was consumed
  private long untold; // bytes
  private long unrung; // bytes; not 0 if something was consumed since the last look at STALL
  private NativeMemory.@Nullable Scope ringScope;
  private MemorySegment ring = MemorySegment.NULL;

  /**
   * A reader that has read nothing.
   *
   * @param closing whether the rest is not wanted any more
   */
  DescriptorReader(Sides sides, Doorbell bell, LinkHandler handler, BooleanSupplier closing) {
    own = sides.own();
    peer = sides.peer();
    folder = sides.folder();
    peerFolder = sides.peerFolder();
    this.bell = bell.new Button();
    this.handler = handler;
    this.closing = closing;
  }

  /** Whether there is something to read. */
  boolean isPending() {
    return SideLayout.isOf(peer.word(consumed), consumed);
  }

  /**
   * Reads what has been published by now, up to a limit.
   *
   * @return number of bytes, names of rings included
   * @throws IOException if the peer describes what it does not have
   */
  long read() throws IOException {
    long total = 0;
    for (int count = 0; count < MOST_IN_A_ROW && !closing.getAsBoolean(); count++) {
      long word = peer.word(consumed); // pairs with OwnSide.publish
      if (!SideLayout.isOf(word, consumed)) {
        break;
      }
      long length = SideLayout.length(word);
      take(SideLayout.kind(word), peer.offset(consumed), length);
      consumed++;
      total += length;
      count(length);
    }
    if (total == 0 && unrung > 0) {
      settle();
    }
    return total;
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

  private void take(int kind, long offset, long length) throws IOException {
    switch (kind) {
      case SideLayout.COPIED -> {
        check(offset, length, SideLayout.COPIES_LENGTH);
        Handover.deliver(handler, peer.memory(), SideLayout.COPIES + offset, length);
      }
      case SideLayout.WITHIN_ITSELF -> {
        check(0, length, SideLayout.WITHIN_LENGTH);
        Handover.deliver(handler, peer.memory(), SideLayout.within(consumed), length);
      }
      case SideLayout.IN_RING -> {
        check(offset, length, ring.byteSize());
        Handover.deliver(handler, ring, offset, length);
      }
      case SideLayout.NEW_RING -> {
        check(offset, length, SideLayout.COPIES_LENGTH);
        mapRing(offset, (int) length);
      }
      default -> throw new IOException("the peer describes bytes of an unknown kind: " + kind);
    }
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
  private void mapRing(long offset, int length) throws IOException {
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
    close();
    NativeMemory.Scope scope = NativeMemory.open("shm peer ring");
    ringScope = scope;
    ring =
        folder.map(
            file, "ring", OutboundRing.MIN_CAPACITY, OutboundRing.MAX_CAPACITY, scope.arena());
  }

  /** Lets go of the peer's ring. */
  @Override
  public void close() {
    NativeMemory.Scope scope = ringScope;
    ringScope = null;
    ring = MemorySegment.NULL;
    if (scope != null) {
      scope.close();
    }
  }
}
