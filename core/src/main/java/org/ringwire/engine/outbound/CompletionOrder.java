package org.ringwire.engine.outbound;

import org.jspecify.annotations.Nullable;
import org.ringwire.ring.OutboundRing;

/**
 * Which memory the bytes came from that a medium has taken and may still read: completions come in
 * the order of sending, in any portions, possibly from another thread (design rule 5). Guarded by
 * itself; used once or twice per write, not per message.
 */
public final class CompletionOrder {

  private long[] lengths = new long[4];
  private boolean[] ofRing = new boolean[4];
  private @Nullable Runnable[] releases = new Runnable[4];
  private int head;
  private int count;

  /** So many bytes of the ring were taken. */
  public synchronized void ring(long bytes) {
    if (count > 0 && ofRing[index(count - 1)]) {
      lengths[index(count - 1)] += bytes;
    } else {
      add(bytes, true, null);
    }
  }

  /** So many bytes of other memory were taken; the action, if any, is run after them. */
  public synchronized void other(long bytes, @Nullable Runnable release) {
    add(bytes, false, release);
  }

  public synchronized void completed(long bytes, @Nullable OutboundRing ring) {
    long left = bytes;
    while (left > 0 && count > 0) {
      int index = head;
      long part = Math.min(left, lengths[index]);
      lengths[index] -= part;
      left -= part;
      if (ofRing[index] && ring != null) {
        ring.consumer().completed(part);
      }
      if (lengths[index] == 0) {
        Runnable release = releases[index];
        releases[index] = null;
        head = index(1);
        count--;
        if (release != null) {
          release.run();
        }
      }
    }
  }

  /** Releases what never completed; after the medium has let go of everything. */
  public synchronized void close() {
    while (count > 0) {
      Runnable release = releases[head];
      releases[head] = null;
      head = index(1);
      count--; // first: what fails is not tried again for ever
      if (release != null) {
        release.run();
      }
    }
  }

  private void add(long bytes, boolean isRing, @Nullable Runnable release) {
    if (count == lengths.length) {
      grow();
    }
    int index = index(count++);
    lengths[index] = bytes;
    ofRing[index] = isRing;
    releases[index] = release;
  }

  private int index(int distance) {
    return (head + distance) & (lengths.length - 1);
  }

  private void grow() {
    int size = lengths.length;
    long[] newLengths = new long[2 * size];
    boolean[] newOfRing = new boolean[2 * size];
    @Nullable Runnable[] newReleases = new Runnable[2 * size];
    for (int distance = 0; distance < count; distance++) {
      int index = (head + distance) & (size - 1);
      newLengths[distance] = lengths[index];
      newOfRing[distance] = ofRing[index];
      newReleases[distance] = releases[index];
    }
    lengths = newLengths;
    ofRing = newOfRing;
    releases = newReleases;
    head = 0;
  }
}
