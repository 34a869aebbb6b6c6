package org.ringwire.benchmarks.reference.harness;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where one requesting thread parks until the reading thread brings its response.
 *
 * <p>All three fields are volatile: the owner writes {@code owner} before it sends and the reader
 * looks at it after it has received, which the Java memory model does not order by itself.
 */
public final class ResponseSlot {
  private volatile @Nullable Thread owner;
  private volatile @Nullable Sample response;
  private volatile @Nullable Throwable failure;

  /** By the requesting thread, before it sends. */
  public void prepare() {
    response = null;
    owner = Thread.currentThread();
  }

  /** By the requesting thread, after it has sent. */
  public Sample await() throws IOException {
    while (true) {
      Sample arrived = response;
      if (arrived != null) {
        return arrived;
      }
      Throwable cause = failure;
      if (cause != null) {
        throw new IOException("connection lost while a request was outstanding", cause);
      }
      LockSupport.park(this);
    }
  }

  /** By the reading thread. */
  public void complete(Sample sample) {
    response = sample;
    LockSupport.unpark(owner);
  }

  /** By the reading thread when there will be no more responses. */
  public void fail(Throwable cause) {
    failure = cause;
    LockSupport.unpark(owner);
  }

  /** One slot per sender, and one more for barriers. */
  public static ResponseSlot[] create(int senders) {
    ResponseSlot[] slots = new ResponseSlot[senders + 1];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new ResponseSlot();
    }
    return slots;
  }

  /** The slot of this sender; barriers use the last one. */
  public static ResponseSlot of(ResponseSlot[] slots, int sender) {
    return slots[sender == Sample.BARRIER ? slots.length - 1 : sender];
  }
}
