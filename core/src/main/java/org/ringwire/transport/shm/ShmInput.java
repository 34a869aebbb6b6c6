package org.ringwire.transport.shm;

import java.io.IOException;
import org.ringwire.transport.selector.LeaderSeat;
import org.ringwire.transport.selector.LinkInput;
import org.ringwire.transport.selector.ReadBuffer;
import org.ringwire.transport.selector.SelectorEntry;
import org.ringwire.transport.support.LostMemory;

/**
 * The input of a link, in memory that the peer writes; the owner of the role of reading only, one
 * thread at a time.
 *
 * <p><em>Sleeping.</em> Who has the role and looks has taken SLEEP back, so no byte is sent to it.
 * Who waits, or leaves without anybody who looks, announces SLEEP and then looks once more; the
 * peer publishes, and then looks at SLEEP ({@link DescriptorReader#rest}). So either the look finds
 * what was published, or the peer rings, once for each announcement. The byte is read by who has
 * the role, and only after SLEEP was taken back: if it was rung for by an announcement that still
 * holds, it is still there, for the selector of the I/O thread and for the one of a leader.
 *
 * <p><em>The end of the peer</em> is found in the socket. A thread that spins looks at it once in a
 * while.
 */
final class ShmInput implements LinkInput {

  /** Looks at memory before one at the clock: a few microseconds. */
  static final int LOOKS = 32;

  /** Looks at memory before one at the socket. */
  private static final int LOOKS_PER_LISTEN = 8192;

  private final OwnSide own;
  private final DescriptorReader descriptors;
  private final Doorbell bell;
  private final Completions completions;
  private int looks;
  private boolean gone;
  private boolean ended;

  ShmInput(OwnSide own, DescriptorReader descriptors, Doorbell bell, Completions completions) {
    this.own = own;
    this.descriptors = descriptors;
    this.bell = bell;
    this.completions = completions;
  }

  @Override
  public long read(ReadBuffer unused) throws IOException {
    own.wake();
    long total = descriptors.read();
    if (total == NO_ROOM) {
      return total;
    }
    if (total == 0 && ++looks >= LOOKS_PER_LISTEN) {
      listen();
    }
    if (gone && !ended) { // whoever is gone writes nothing more
      descriptors.peerIsGone();
      total += total == 0 ? descriptors.read() : 0;
      ended = !descriptors.isPending();
    }
    return total;
  }

  @Override
  public void heard() {
    own.wake();
    listen();
  }

  private void listen() {
    looks = 0;
    gone |= !bell.listen();
    if (completions.isBlocked()) {
      completions.signal(SelectorEntry.READ); // it may be what was rung for
    }
  }

  @Override
  public int looks() {
    return LOOKS;
  }

  @Override
  public void await(LeaderSeat seat, long timeoutNs) throws IOException {
    if (descriptors.rest()) {
      LostMemory.check();
      seat.await(timeoutNs);
    }
    heard();
  }

  @Override
  public boolean rest() {
    boolean rested = descriptors.rest();
    LostMemory.check(); // who leads leaves the link next, and so after isPending()
    return rested;
  }

  @Override
  public boolean isPending() {
    boolean pending = descriptors.isPending();
    LostMemory.check();
    return pending;
  }

  @Override
  public boolean wakesOnlyWhoWaits() {
    return true;
  }

  @Override
  public boolean isEnded() {
    return ended;
  }
}
