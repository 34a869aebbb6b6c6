package org.ringwire.heap.channel.inbound;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.RetainedExchange;

/**
 * The lock of an {@link Inbox}, and what is found out with it but must be done without: requests
 * that nobody will answer are ended, and memory is revoked, which may take time.
 *
 * <p>The lock is the monitor of this: that is left however a thread ends, also where its stack
 * does. Who has had it {@linkplain #settle settles} then.
 */
final class InboxLock {
  private final Consumer<List<ReceiveSegment>> revoked;
  private final Executor elsewhere;
  private final List<Ended> ended = new ArrayList<>();

  /** The last, which leads to those before it: nothing that has to grow when there is no heap. */
  private @Nullable ReceiveSegment retired;

  /** A request that nobody will answer, and why. */
  private record Ended(RetainedExchange request, String reason) {
    void tell() {
      try (request) {
        request.fail(reason);
      }
    }
  }

  /**
   * A lock that nobody has.
   *
   * @param revoked is told what was revoked, without the lock
   * @param elsewhere runs what threads that may not wait leave to others
   */
  InboxLock(Consumer<List<ReceiveSegment>> revoked, Executor elsewhere) {
    this.revoked = revoked;
    this.elsewhere = elsewhere;
  }

  /**
   * Answers who has waited, without the lock. What that ends with is no error of whoever made room:
   * the node tells the requester, whose deadline ends what cannot be told.
   */
  static void answer(RetainedExchange waiting, Object response) {
    try (waiting) {
      waiting.reply(response);
    } catch (RuntimeException | OutOfMemoryError e) {
      // told, as above
    }
  }

  // With the lock.

  /** Nobody will answer a request, which is told why. */
  void end(RetainedExchange request, String reason) {
    ended.add(new Ended(request, reason));
  }

  /** Nobody may write into a segment any more; it is free if nobody reads in it. */
  void retire(ReceiveSegment segment) {
    if (!segment.isRetired) {
      segment.isRetired = true;
      segment.retiredBefore = retired;
      retired = segment;
    }
  }

  private List<ReceiveSegment> listRetired() {
    if (retired == null) {
      return List.of();
    }
    List<ReceiveSegment> all = new ArrayList<>();
    for (ReceiveSegment segment = retired; segment != null; segment = segment.retiredBefore) {
      all.add(segment);
    }
    return all;
  }

  private void forgetRetired() {
    while (retired != null) {
      ReceiveSegment segment = retired;
      retired = segment.retiredBefore;
      segment.retiredBefore = null;
      segment.isRetired = false;
    }
  }

  /** Does what has to be done without the lock; to be called without it. */
  void settle() {
    List<ReceiveSegment> leaving = leave();
    if (!leaving.isEmpty()) {
      revoke(leaving);
    }
  }

  /** As {@link #settle}, on a thread that may not wait. */
  void settleAtOnce() {
    List<ReceiveSegment> leaving = leave();
    if (leaving.isEmpty()) {
      return;
    }
    try {
      elsewhere.execute(() -> tryRevoke(leaving));
    } catch (OutOfMemoryError e) { // no thread can be had
      putBack(leaving);
    }
  }

  /** Without heap the lists stay as they are: whoever has the lock next does what they say. */
  private List<ReceiveSegment> leave() {
    List<Ended> unanswered = List.of();
    List<ReceiveSegment> leaving = List.of();
    synchronized (this) {
      try {
        List<Ended> requests = ended.isEmpty() ? List.of() : List.copyOf(ended);
        leaving = listRetired();
        unanswered = requests;
        ended.clear();
        forgetRetired();
      } catch (OutOfMemoryError e) {
        // later
      }
    }
    Error defect = tell(unanswered);
    if (defect != null) {
      putBack(leaving);
      throw defect;
    }
    return leaving;
  }

  /** Each of them, whatever that ends with for another; as {@link #answer}. */
  private static @Nullable Error tell(List<Ended> unanswered) {
    Error defect = null;
    for (int i = 0; i < unanswered.size(); i++) { // an iterator would need heap
      try {
        unanswered.get(i).tell();
      } catch (RuntimeException | OutOfMemoryError e) {
        // its deadline ends what cannot be told
      } catch (Error e) {
        defect = e;
      }
    }
    return defect;
  }

  private void tryRevoke(List<ReceiveSegment> segments) {
    try {
      revoke(segments);
    } catch (OutOfMemoryError e) {
      // they were put back, and this thread has nobody to tell
    }
  }

  private void revoke(List<ReceiveSegment> segments) {
    try {
      List<ReceiveSegment> free = new ArrayList<>();
      for (int i = 0; i < segments.size(); i++) {
        ReceiveSegment segment = segments.get(i);
        if (segment.revoke()) {
          free.add(segment);
        }
      }
      revoked.accept(free);
    } catch (OutOfMemoryError e) { // another time does no harm
      putBack(segments);
      throw e;
    }
  }

  private void putBack(List<ReceiveSegment> segments) {
    synchronized (this) {
      for (int i = 0; i < segments.size(); i++) { // an iterator would need heap
        retire(segments.get(i));
      }
    }
  }
}
