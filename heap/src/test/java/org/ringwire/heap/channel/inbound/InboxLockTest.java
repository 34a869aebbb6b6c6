package org.ringwire.heap.channel.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.heap.channel.OwnThreads;
import org.ringwire.testing.NodeWatcher;

/** What is left to others by whoever releases the lock of an inbox. */
@ExtendWith(NodeWatcher.class)
class InboxLockTest {

  @Test
  void shouldLeaveToTheNextWhatNoThreadCanBeHadFor() {
    List<ReceiveSegment> revoked = new ArrayList<>();
    InboxLock lock =
        new InboxLock(
            revoked::addAll,
            _ -> {
              throw new OutOfMemoryError("on purpose");
            });
    NoDecoders none = new NoDecoders();
    InStream stream = new InStream(1, _ -> none.make(), none);
    ReceiveSegment segment = new ReceiveSegment(stream, 1, MemorySegment.NULL);
    lock.lock();
    lock.retire(segment);

    lock.unlockAtOnce();
    assertThat(lock.lock.isLocked()).isFalse();
    assertThat(revoked).isEmpty();
    lock.lock();
    lock.unlock();

    assertThat(revoked).containsExactly(segment);
  }

  @Test
  void shouldTellEachWhyNobodyAnswersThoughOneCannotBeTold() {
    List<ReceiveSegment> revoked = new ArrayList<>();
    InboxLock lock = new InboxLock(revoked::addAll, new OwnThreads());
    NoDecoders none = new NoDecoders();
    ReceiveSegment segment =
        new ReceiveSegment(new InStream(1, _ -> none.make(), none), 1, MemorySegment.NULL);
    List<KeptRequest> all = new ArrayList<>();
    for (Throwable failure :
        List.of(
            new IllegalStateException("on purpose"),
            new OutOfMemoryError("on purpose"),
            new AssertionError("a defect"))) {
      all.add(new KeptRequest(1, null, failure));
      all.add(new KeptRequest(1, null, null));
    }
    lock.lock();
    all.forEach(waiting -> lock.end(waiting, "over"));
    lock.retire(segment);

    assertThatThrownBy(lock::unlock).hasMessage("a defect");

    assertThat(all).allMatch(waiting -> waiting.isClosed() && waiting.told().equals("over"));
    assertThat(all).allMatch(waiting -> waiting.replies().isEmpty());
    lock.lock();
    lock.unlock();
    assertThat(revoked).containsExactly(segment);
  }
}
