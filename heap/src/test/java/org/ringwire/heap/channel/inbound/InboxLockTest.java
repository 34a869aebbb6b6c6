package org.ringwire.heap.channel.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.heap.channel.ChannelMessages.Check;
import org.ringwire.heap.channel.OwnThreads;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.StackEnd;

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
    synchronized (lock) {
      lock.retire(segment);
    }

    lock.settleAtOnce();
    assertThat(revoked).isEmpty();
    lock.settle();

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
    synchronized (lock) {
      all.forEach(waiting -> lock.end(waiting, "over"));
      lock.retire(segment);
    }

    assertThatThrownBy(lock::settle).hasMessage("a defect");

    assertThat(all).allMatch(waiting -> waiting.isClosed() && waiting.told().equals("over"));
    assertThat(all).allMatch(waiting -> waiting.replies().isEmpty());
    lock.settle();
    assertThat(revoked).containsExactly(segment);
  }

  /** As that of a thread which waits for an answer, and handles what else comes meanwhile. */
  @Test
  void shouldBeLeftWhereAStackEnds() throws Exception {
    NoDecoders none = new NoDecoders();
    Inbox inbox =
        new Inbox(
            1, 1 << 20, ChunkPool.of(4096, 1 << 20), _ -> none.make(), none, new OwnThreads());
    KeptRequest asking = new KeptRequest(1, null, null);
    StackEnd.runAt(() -> inbox.check(new Check(1), asking));
    CompletableFuture<Boolean> looked = CompletableFuture.supplyAsync(inbox::isReadable);
    Awaiting.await("there is no graph", looked::isDone);
    assertThat(looked.join()).isFalse();
  }
}
