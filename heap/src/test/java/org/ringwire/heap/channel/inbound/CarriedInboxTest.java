package org.ringwire.heap.channel.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.MessagingException;
import org.ringwire.heap.BlockCarrier;
import org.ringwire.heap.channel.BlockFront;
import org.ringwire.heap.channel.CarriedBlock;
import org.ringwire.heap.channel.ChannelMessages;
import org.ringwire.heap.channel.ChannelMessages.Announced;
import org.ringwire.heap.channel.ChannelMessages.HeapRequest;
import org.ringwire.heap.channel.ChannelMessages.Offer;
import org.ringwire.heap.channel.ChannelMessages.Open;
import org.ringwire.heap.channel.OwnThreads;
import org.ringwire.testing.NodeWatcher;

/** What a sender is announced that asks for memory. */
@ExtendWith(NodeWatcher.class)
class CarriedInboxTest {
  private static final int WINDOW = 1 << 16;
  private static final String KIND = "counting";

  private final NoDecoders none = new NoDecoders();
  private final Inbox inbox =
      new Inbox(1, WINDOW, ChunkPool.of(4096, WINDOW), _ -> none.make(), none, new OwnThreads());
  private final CountingCarrier carrier = new CountingCarrier();
  private final CarriedInbox carried =
      CarriedInbox.of(inbox, 1, WINDOW, carrier, CarriedInbox.segments(WINDOW));
  private final KeptRequest sender = new KeptRequest(1, null, null);

  /** Announces some memory, and then none. */
  private static final class CountingCarrier implements BlockCarrier {
    private int left = Integer.MAX_VALUE;
    private @Nullable Listener listener; // of the last

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public Announcement announce(MemorySegment memory, Listener listener) {
      if (left-- == 0) {
        throw new MessagingException("no more may be locked");
      }
      this.listener = listener;
      return new EmptyAnnouncement();
    }

    @Override
    public Target open(int nodeId, byte[] descriptor) {
      throw new AssertionError("nothing is sent");
    }
  }

  @BeforeEach
  void open() {
    inbox.open(new Open(1, ChannelMessages.VERSION), sender);
  }

  @AfterEach
  void close() {
    inbox.close();
  }

  private List<Integer> announced(long bytes, boolean isUrgent, int known) {
    carried.request(new HeapRequest(1, KIND, bytes, isUrgent, known), sender);
    Announced last = (Announced) sender.replies().getLast();
    return last.offers().stream().map(Offer::number).toList();
  }

  /** Less may be locked than the window has, for example. */
  @Test
  void shouldAnnounceAsMuchAsTheCarrierDoes() {
    carrier.left = 3;

    assertThat(announced(WINDOW, false, 0)).containsExactly(1, 2, 3);

    assertThat(inbox.window().room()).isEqualTo(WINDOW / 4);
    KeptRequest refused = new KeptRequest(1, null, null);
    carrier.left = 0;
    carried.request(new HeapRequest(1, KIND, 1, true, 3), refused);
    assertThat(refused.told()).contains("no more may be locked");
  }

  /** Requests of a sender are handled in any order; what it writes into is not taken from it. */
  @Test
  void shouldKeepWhatWasAnnouncedThoughAnOlderRequestIsHandledLater() {
    InStream stream = Objects.requireNonNull(inbox.streams().find(1));
    assertThat(announced(1, true, 0)).containsExactly(1);

    assertThat(announced(1, false, 0)).isEmpty();

    assertThat(stream.segments).containsOnlyKeys(1);
    assertThat(announced(1, false, 1)).containsExactly(2);
    assertThat(stream.segments).containsOnlyKeys(1, 2);
  }

  /** Also one of which the sender does not wait for the answer any more, and that asked as well. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepWhatItsSenderHasHeardOf(boolean isUrgent) {
    InStream stream = Objects.requireNonNull(inbox.streams().find(1));
    assertThat(announced(1, isUrgent, 0)).containsExactly(1);
    assertThat(announced(1, false, 1)).containsExactly(2);

    assertThat(announced(1, isUrgent, 0)).isEmpty();

    assertThat(stream.segments).containsOnlyKeys(1, 2);
  }

  /** What it writes into it has heard of, though it has not asked again. */
  @Test
  void shouldKeepWhatItsSenderWritesInto() {
    InStream stream = Objects.requireNonNull(inbox.streams().find(1));
    assertThat(announced(1, true, 0)).containsExactly(1);
    ReceiveSegment written = Objects.requireNonNull(stream.segments.get(1));
    CarriedBlock.write(written.memory, new BlockFront(1, 0, 0), 1);
    Objects.requireNonNull(carrier.listener).written(1, CarriedBlock.tag(0));

    assertThat(announced(1, true, 0)).isEmpty();

    assertThat(stream.segments).containsOnlyKeys(1);
  }
}
