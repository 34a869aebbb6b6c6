package org.ringwire.heap.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.ringwire.RetainedExchange;

/**
 * The lock of an {@link Inbox}, and what is found out with it but must be done without: requests
 * that nobody will answer are ended, and memory is revoked, which may take time.
 */
final class InboxLock {
  /** For those that wait for what it guards. */
  final ReentrantLock lock = new ReentrantLock();

  private final Consumer<List<ReceiveSegment>> revoked;
  private final List<RetainedExchange> ended = new ArrayList<>();
  private final List<ReceiveSegment> retired = new ArrayList<>();

  /**
   * A lock that nobody has.
   *
   * @param revoked is told what was revoked, without the lock
   */
  InboxLock(Consumer<List<ReceiveSegment>> revoked) {
    this.revoked = revoked;
  }

  void lock() {
    lock.lock();
  }

  // With the lock.

  /** Nobody will answer a request. */
  void end(RetainedExchange request) {
    ended.add(request);
  }

  /** Nobody may write into a segment any more; it is free if nobody reads in it. */
  void retire(ReceiveSegment segment) {
    retired.add(segment);
  }

  /** Releases the lock, then does what has to be done without it. */
  void unlock() {
    List<ReceiveSegment> leaving = leave();
    if (!leaving.isEmpty()) {
      revoke(leaving);
    }
  }

  /** As {@link #unlock}, on a thread that may not wait. */
  void unlockAtOnce() {
    List<ReceiveSegment> leaving = leave();
    if (!leaving.isEmpty()) {
      Thread _ = Thread.startVirtualThread(() -> revoke(leaving));
    }
  }

  private List<ReceiveSegment> leave() {
    List<RetainedExchange> unanswered = ended.isEmpty() ? List.of() : List.copyOf(ended);
    List<ReceiveSegment> leaving = retired.isEmpty() ? List.of() : List.copyOf(retired);
    ended.clear();
    retired.clear();
    lock.unlock();
    unanswered.forEach(RetainedExchange::close);
    return leaving;
  }

  private void revoke(List<ReceiveSegment> segments) {
    revoked.accept(segments.stream().filter(ReceiveSegment::revoke).toList());
  }
}
