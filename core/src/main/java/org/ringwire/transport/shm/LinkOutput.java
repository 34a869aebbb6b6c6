package org.ringwire.transport.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/**
 * Offers to the peer what a link writes: bytes in the ring by describing where they are, and all
 * others, and few at a time, by copying them. The peer reads them where they are, and says when it
 * is done; only then are they completed, in the order of writing (design rule 5).
 *
 * <p><b>Threads.</b> {@link #write} is called by one thread at a time, {@link #complete} by any. A
 * descriptor is completed only after its bytes were reported as sent, because {@code offered},
 * which {@code complete} acquires, is released after that. Its slot is written again only after
 * {@code completed}, which the writer reads, has passed it (volatile). What {@code complete}
 * changes is guarded by {@code completion}. Descriptors are published one by one, and all are
 * counted in {@code published} before the first of them is: so whoever sees that the peer is done
 * with one sees that it was there to be read.
 *
 * <p><b>Copies</b> need the source's memory no more. Unless a descriptor of the ring before them is
 * not completed, they are completed as soon as they were offered, by the writer, and their
 * descriptors complete nothing: so of a link that carries little, the ring stays in the cache of
 * its own processor, and nobody has to come back for what was written last. Bytes are completed in
 * the order of sending: that the last descriptor of the ring is done with the writer finds in
 * {@code completed}, which is written after the source was told. Who completes what comes later may
 * have copies to tell of that were offered before that; if nothing is outstanding nobody has, until
 * the writer offers some from the ring. Such copies alone are neither counted as sent nor as
 * completed here.
 *
 * <p><b>Cache lines.</b> Who completes many bytes of the ring at a time takes their lines back from
 * the processor of the peer, which has read them ({@link RingFiles.RingFile#takeLines}): before the
 * source is told, hence while nobody else may be there. Where two processors are far from each
 * other, senders would spend most of their time waiting for single lines.
 *
 * <p><b>First what is waited for.</b> A write completes what the peer is done with after it has
 * offered, unless room is getting scarce: the peer's word that says so is in the cache of its
 * processor, and takes as long to come as the descriptor takes to get there.
 *
 * <p><b>Full.</b> When the peer is far behind, the writer stalls: it asks to be rung, and then
 * looks once more; the peer says that it is done and then looks whether it is to ring. A full fence
 * lies between each two, so one of them sees the other.
 */
final class LinkOutput {

  /** Bytes of the ring in one descriptor: the peer gives them back piece by piece. */
  private static final long PIECE = 64 << 10;

  /** Bytes that are copied in one piece. */
  private static final long COPY_PIECE = 16 << 10;

  /**
   * Of fewer bytes of the ring at a time, the lines are left where they are: a peer that reads as
   * soon as a little is written fetches lines ahead, and takes them away again.
   */
  private static final int LEAST_TAKEN = 16 << 10;

  private static final int MAX_RANGES = 16;

  /** A descriptor by which the peer is told of a ring, whose name goes when it is done with it. */
  private record Told(long number, Path file) {}

  private final OwnSide own;
  private final PeerSide peer;
  private final RingFiles rings;
  private final Doorbell.Button bell;
  private final long mostOutstanding;
  private final OutboundRanges ranges = new OutboundRanges(MAX_RANGES); // the writer only
  private final long[] words = new long[SideLayout.SLOTS]; // the writer only
  private final int[] lengths = new int[SideLayout.SLOTS];
  private final int[] offsets = new int[SideLayout.SLOTS]; // in the ring; negative if elsewhere
  private final long[] copyEnds = new long[SideLayout.SLOTS];
  private long written; // descriptors; the writer only
  private long copied; // end of the copies; the writer only, as the next two
  private long ringEnd; // number after the last descriptor of the ring
  private long leading; // bytes of the offer that were copied, before any descriptor of the ring
  private RingFiles.@Nullable RingFile ring; // that the peer knows of; written by the writer
  private final AtomicLong published = new AtomicLong(); // written by the writer
  private final AtomicLong sentBytes = new AtomicLong(); // written by the writer
  private final AtomicLong offered = new AtomicLong(); // written by the writer
  private volatile @Nullable OutboundSource source;

  private final Object completion = new Object();
  private volatile long completed; // written under completion, as all that follow
  private volatile long completedBytes;
  private volatile long copiesFreed;
  private long lastClaim;
  private final Deque<Told> told = new ArrayDeque<>();
  private volatile int toldCount; // length of told

  /**
   * An output that has written nothing.
   *
   * @param mostOutstanding bytes that the peer may not be done with; beyond, the medium is full
   */
  LinkOutput(OwnSide own, PeerSide peer, RingFiles rings, Doorbell bell, long mostOutstanding) {
    this.own = own;
    this.peer = peer;
    this.rings = rings;
    this.bell = bell.new Button();
    this.mostOutstanding = mostOutstanding;
  }

  /**
   * Writes what the source offers.
   *
   * @return whether all of it was taken, and the peer is not far behind
   * @throws IOException if the peer claims what cannot be
   */
  boolean write(OutboundSource from) throws IOException {
    if (!from.equals(source)) { // it hardly ever changes, and storing it costs a fence
      source = from;
    }
    if (isScarce()) {
      complete();
    }
    try {
      for (long bytes = next(from); bytes > 0; bytes = next(from)) {
        if (offer(from) < bytes) {
          return false;
        }
      }
    } finally {
      ranges.clear();
    }
    if (outstanding() > 0) {
      complete();
    }
    return outstanding() <= mostOutstanding;
  }

  /** Whether there may soon be no room for what comes, as far as known. */
  private boolean isScarce() {
    return written - completed > SideLayout.SLOTS / 2
        || copied - copiesFreed > SideLayout.COPIES_LENGTH / 2
        || outstanding() > mostOutstanding / 2;
  }

  private long next(OutboundSource from) {
    ranges.clear();
    return from.next(ranges);
  }

  /** Offers as much of the ranges as there is room for. */
  private long offer(OutboundSource from) {
    long taken = 0;
    for (int i = 0; i < ranges.count(); i++) {
      long part = offer(ranges.segment(i), ranges.offset(i), ranges.length(i));
      taken += part;
      if (part < ranges.length(i)) {
        break;
      }
    }
    if (written != published.getPlain()) {
      publish();
      long copies = leading;
      leading = 0;
      if (taken > copies) {
        sentBytes.setRelease(sentBytes.getPlain() + taken - copies);
        from.sent(taken);
      }
      offered.setRelease(written); // pairs with complete()
      VarHandle.fullFence(); // before the look; pairs with the one in DescriptorReader.rest
      bell.press(peer.sleep());
      complete(from, taken, copies);
    }
    return taken;
  }

  /** What was copied, and has nothing before it that the peer is not done with. */
  private void complete(OutboundSource from, long taken, long copies) {
    if (copies == 0) {
      return;
    }
    if (taken == copies && outstanding() == 0) {
      from.sentAndCompleted(copies);
      return;
    }
    if (taken == copies) {
      from.sent(copies);
    }
    synchronized (completion) {
      from.completed(copies);
    }
  }

  private void publish() {
    long from = published.getPlain();
    published.setRelease(written); // before the peer can claim to have read it
    for (long number = from; number < written; number++) {
      own.publish(number, words[(int) (number & (SideLayout.SLOTS - 1))]);
    }
  }

  private long offer(MemorySegment memory, long offset, long length) {
    if (length <= SideLayout.WITHIN_LENGTH) {
      return write(memory, offset, length);
    }
    if ((ring != null && ring.isAt(memory)) || isNewRing(memory)) {
      return describe(offset, length);
    }
    return copy(memory, offset, length);
  }

  /** Into the descriptor itself, so that the peer need not fetch it from elsewhere. */
  private long write(MemorySegment memory, long offset, long length) {
    if (!hasSlot()) {
      return 0;
    }
    own.copyWithin(memory, offset, written, length);
    add(SideLayout.WITHIN_ITSELF, 0, length, length, 0);
    return length;
  }

  /** Whether the memory is a ring, which the peer then knows of, or will be told when it can. */
  private boolean isNewRing(MemorySegment memory) {
    RingFiles.RingFile file = rings.find(memory);
    if (file == null || !hasSlot()) {
      return false;
    }
    boolean told = tell(file.file());
    ring = told ? file : ring;
    return told;
  }

  /** Describes the file that is the ring from now on; false if there is no room for its name. */
  private boolean tell(Path file) {
    byte[] name = file.toString().getBytes(StandardCharsets.UTF_8);
    long at = copied & (SideLayout.COPIES_LENGTH - 1);
    if (roomForCopy(at) < name.length) {
      if (roomForCopy(at) == SideLayout.COPIES_LENGTH - at) {
        copied += SideLayout.COPIES_LENGTH - at; // what is left at the end is too short
      }
      return false;
    }
    own.copy(MemorySegment.ofArray(name), 0, at, name.length);
    synchronized (completion) {
      told.add(new Told(written, file));
      toldCount = told.size();
    }
    add(SideLayout.NEW_RING, at, name.length, 0, name.length);
    return true;
  }

  /**
   * The ring gives its memory back, with whose last byte the peer is done: another one, as short as
   * one may be, takes its place, so that the peer lets go of that memory, too. By who may write.
   */
  void rest() throws IOException {
    if (ring == null) {
      return; // the peer has none, or was told before
    }
    complete();
    if (!hasSlot() || isRingTold()) {
      return; // it is far behind, and keeps what it has
    }
    if (tellOfShortest()) {
      ring = null;
      publish();
      offered.setRelease(written); // pairs with complete()
      VarHandle.fullFence(); // before the look; pairs with the one in DescriptorReader.rest
      bell.press(peer.sleep());
    }
  }

  /** False if there is no file for it, or no heap: the next ring has the same trouble, and says. */
  private boolean tellOfShortest() {
    boolean described = false;
    try {
      Path shortest = rings.shortest();
      try {
        described = tell(shortest);
        if (!described) { // where the copies end its name has to begin anew
          described = tell(shortest);
        }
      } finally {
        if (!described) {
          SharedFolder.delete(shortest);
        }
      }
    } catch (IOException | OutOfMemoryError e) {
      return false; // nothing was described
    }
    return described;
  }

  /**
   * Whether the peer is still to say that it has mapped a ring, whose name goes then; any thread.
   */
  boolean isRingTold() {
    return toldCount > 0;
  }

  /** The link has ended; nobody is inside any more. */
  void close() {
    synchronized (completion) {
      for (Told each : told) {
        rings.forget(each.file);
      }
    }
  }

  private long describe(long offset, long length) {
    long done = 0;
    while (done < length && hasSlot()) {
      long part = Math.min(PIECE, length - done);
      add(SideLayout.IN_RING, offset + done, part, part, 0);
      done += part;
    }
    return done;
  }

  private long copy(MemorySegment memory, long offset, long length) {
    long done = 0;
    while (done < length && hasSlot()) {
      long at = copied & (SideLayout.COPIES_LENGTH - 1);
      long part = Math.min(Math.min(COPY_PIECE, length - done), roomForCopy(at));
      if (part == 0) {
        break;
      }
      own.copy(memory, offset + done, at, part);
      add(SideLayout.COPIED, at, part, part, part);
      done += part;
    }
    return done;
  }

  private boolean hasSlot() {
    return written - completed < SideLayout.SLOTS;
  }

  /** Bytes that may be copied there in one piece. */
  private long roomForCopy(long at) {
    return Math.min(
        SideLayout.COPIES_LENGTH - at, SideLayout.COPIES_LENGTH - (copied - copiesFreed));
  }

  private void add(int kind, long offset, long length, long bytes, long copies) {
    int slot = (int) (written & (SideLayout.SLOTS - 1));
    copied += copies;
    boolean leads = kind != SideLayout.IN_RING && completed >= ringEnd;
    lengths[slot] = leads ? 0 : (int) bytes;
    offsets[slot] = kind == SideLayout.IN_RING ? (int) offset : -1;
    leading += leads ? bytes : 0;
    ringEnd = kind == SideLayout.IN_RING ? written + 1 : ringEnd;
    copyEnds[slot] = copied;
    words[slot] = SideLayout.word(written, kind, length);
    own.describe(written, offset);
    written++;
  }

  /**
   * Completes what the peer is done with. Any thread.
   *
   * @return whether that was anything
   * @throws IOException if the peer claims what cannot be
   */
  boolean complete() throws IOException {
    synchronized (completion) {
      OutboundSource from = source;
      long claim = peer.consumed();
      if (claim < lastClaim || claim > published.getAcquire()) {
        throw new IOException("the peer claims to have read what was not written: " + claim);
      }
      lastClaim = claim;
      long end = Math.min(claim, offered.getAcquire()); // of what was reported as sent
      if (end == completed || from == null) {
        return false;
      }
      long bytes = 0;
      for (long number = completed; number < end; number++) {
        bytes += takeBack((int) (number & (SideLayout.SLOTS - 1)));
      }
      if (toldCount > 0) {
        removeNames(end);
      }
      copiesFreed = copyEnds[(int) (end - 1 & (SideLayout.SLOTS - 1))];
      if (bytes > 0) {
        from.completed(bytes);
        completedBytes = completedBytes + bytes;
      }
      completed = end; // after the source was told; pairs with add()
      return true;
    }
  }

  /**
   * Bytes that a descriptor completes; of the ring, with their cache lines. With the lock held. The
   * ring is the one that the descriptor was written for: it is another one only after all of that
   * is completed.
   */
  private int takeBack(int slot) {
    int length = lengths[slot];
    RingFiles.RingFile of = ring;
    if (length >= LEAST_TAKEN && offsets[slot] >= 0 && of != null) {
      of.takeLines(offsets[slot], length);
    }
    return length;
  }

  /** Of rings that the peer has mapped; with the lock held. */
  private void removeNames(long end) {
    for (Told first = told.peek(); first != null && first.number < end; first = told.peek()) {
      SharedFolder.delete(first.file);
      told.remove();
    }
    toldCount = told.size();
  }

  /** Descriptors that the peer is done with; any thread. */
  long completed() {
    return completed;
  }

  /** Bytes that were sent and that the peer may still read; any thread. */
  long outstanding() {
    long done = completedBytes; // before sentBytes, which is never less
    return sentBytes.get() - done;
  }
}
