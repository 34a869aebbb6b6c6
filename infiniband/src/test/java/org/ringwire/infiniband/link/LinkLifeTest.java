package org.ringwire.infiniband.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.connect.ExchangeException;
import org.ringwire.testing.NodeWatcher;

/** What links of all engines hear of their life, and when. */
@ExtendWith(NodeWatcher.class)
class LinkLifeTest {

  private final Engineless engineless = new Engineless();
  private final EndingLink link = engineless.newLink();
  private final LinkLife life = link.life;

  @AfterEach
  void close() {
    engineless.close();
  }

  @Test
  void shouldCloseForTheFirstFailure() {
    life.open();
    life.fail(new IOException("first"));
    life.fail(new IOException("second"));
    assertThat(life.ended()).hasMessage("first");
    link.broken = true;
    link.givenBack = true;
    link.proceed(System.nanoTime());
    assertThat(link.calls).containsExactly("stop", "release", "closed first");
  }

  @Test
  void shouldNotTakeForAFailureThatAWriterCameTooLate() {
    life.open();
    assertThat(life.enter()).isTrue();
    link.close();
    life.writeFailed(new IOException("closed meanwhile"));
    assertThat(life.isClosed()).isFalse(); // the writer is inside
    life.leave();
    assertThat(life.isClosed()).isTrue();
    link.connected = false;
    link.proceed(System.nanoTime());
    assertThat(link.calls).containsExactly("release", "closed in order");
  }

  @Test
  void shouldTellNothingMoreWhileItCloses() {
    life.open();
    life.writable();
    life.handOver(MemorySegment.NULL, 0, 7);
    link.close();
    life.writable();
    life.handOver(MemorySegment.NULL, 0, 8);
    assertThat(link.calls).containsExactly("writable", "received 7");
  }

  @Test
  void shouldWaitForWhatALostPeerHasSent() {
    life.open();
    AfterInput lost = new AfterInput(8);
    life.setUpEnded(null);
    assertThat(link.calls).containsExactly("peer lost");
    lost.add(life.tellGone());
    assertThat(lost.hasNews()).isTrue();
    lost.take();
    assertThat(lost.hasNews()).isFalse();
    assertThat(life.isClosing()).isFalse();
    lost.handedOver(5);
    assertThat(lost.isEmpty()).isFalse();
    lost.handedOver(0);
    assertThat(lost.isEmpty()).isTrue();
    assertThat(life.isClosing()).isTrue();
    assertThat(life.ended()).hasMessageContaining("the peer is gone");
    assertThat(life.endsAbruptly()).isTrue();
  }

  /** Where the completion queue is never empty, too. */
  @Test
  void shouldHaveHandedOverAllThatHadArrivedWhenThatIsAsMuchAsTheQueueHolds() {
    List<String> told = new ArrayList<>();
    AfterInput after = new AfterInput(8);
    after.add(() -> told.add("first"));
    after.take();
    after.handedOver(7);
    after.add(() -> told.add("second"));
    after.take(); // counts anew
    after.handedOver(7);
    assertThat(told).isEmpty();
    after.handedOver(1);
    after.handedOver(0);
    assertThat(told).containsExactly("first", "second");
  }

  @Test
  void shouldFailAtOnceWhenThePeerIsLostBeforeThereIsAWay() {
    link.connected = false;
    life.setUpEnded(new IOException("refused"));
    assertThat(life.ended()).hasMessage("refused");
  }

  /** Else two threads would use the opener's end: who says READY, and who writes from then on. */
  @Test
  void shouldNotSayReadyToAPeerThatHasOpenedTheLinkBefore() {
    life.open(); // it has sent something
    assertThatThrownBy(life::sayReady)
        .isInstanceOf(ExchangeException.class)
        .hasMessageContaining("before");
    assertThat(link.calls).isEmpty();
    assertThat(life.isClosing()).isTrue();
    assertThat(life.ended()).hasMessageContaining("before the link was ready");
  }

  @Test
  void shouldSayReadyOnceBeforeItIsOpen() throws IOException {
    assertThat(life.sayReady()).isTrue();
    life.open();
    assertThat(link.calls).containsExactly("ready");
  }

  @Test
  void shouldEndInOrderAfterAFarewell() {
    life.open();
    life.farewell();
    assertThat(life.endsAbruptly()).isTrue(); // nobody is there who would hear another one
    life.failBroken("WR_FLUSH_ERR"); // what was outstanding then comes back
    link.givenBack = true;
    link.proceed(System.nanoTime());
    assertThat(link.calls).containsExactly("stop", "release", "closed in order");
  }
}
