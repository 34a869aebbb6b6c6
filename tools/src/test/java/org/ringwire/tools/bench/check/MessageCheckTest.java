package org.ringwire.tools.bench.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MessageCheckTest {

  private static final int LENGTH = 24;
  private static final long COUNT = 5000;

  static Stream<MessageCheck> checks() {
    return Stream.of(
        new InOrderCheck(2, LENGTH),
        new LockedCheck(new InOrderCheck(2, LENGTH)),
        new ExactlyOnceCheck(2, LENGTH));
  }

  @ParameterizedTest
  @MethodSource("checks")
  void shouldAcceptEachMessageOnce(MessageCheck check) {
    for (long i = 0; i < COUNT; i++) {
      check.accept(message(i, 0));
      check.accept(message(i, 1));
    }

    CheckResult result = check.result(new long[] {COUNT, COUNT});

    assertThat(result.isGood()).isTrue();
    assertThat(result.handled()).isEqualTo(2 * COUNT).isEqualTo(check.handled());
    assertThat(check.suspicious()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("checks")
  void shouldCountLostMessages(MessageCheck check) {
    for (long i = 0; i < COUNT; i++) {
      if (i != 700 && i != 701 && i != COUNT - 1) {
        check.accept(message(i, 0));
      }
    }

    CheckResult result = check.result(new long[] {COUNT, 0});

    assertThat(result.lost()).isEqualTo(3);
    assertThat(result.duplicated()).isZero();
    assertThat(result.isGood()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("checks")
  void shouldCountDuplicates(MessageCheck check) {
    for (long i = 0; i < COUNT; i++) {
      check.accept(message(i, 0));
      if (i == 32 || i == 4000) {
        check.accept(message(i, 0));
      }
      if (i == 3000) {
        check.accept(message(7, 0));
      }
    }

    CheckResult result = check.result(new long[] {COUNT, 0});

    assertThat(result.duplicated()).isEqualTo(3);
    assertThat(result.lost()).isZero();
    assertThat(result.handled()).isEqualTo(COUNT + 3);
  }

  @ParameterizedTest
  @MethodSource("checks")
  void shouldNoticeAlteredContent(MessageCheck check) {
    for (long i = 0; i < COUNT; i++) {
      Numbered message = message(i, 0);
      if (i == 2 * MessageCheck.SAMPLE) {
        message.content()[3] ^= 1;
      }
      if (i == MessageCheck.SAMPLE) {
        Content.stamp(message.content(), i + 1);
      }
      if (i == 5) {
        message = new Message(i, 0, new byte[LENGTH - 1]);
      }
      check.accept(message);
    }

    assertThat(check.suspicious()).isTrue();
    assertThat(check.result(new long[] {COUNT, 0}).lost()).isEqualTo(3);
  }

  @Test
  void shouldCountMessagesThatWereOvertaken() {
    InOrderCheck check = new InOrderCheck(1, LENGTH);
    for (long i : new long[] {0, 4, 2, 1, 3, 5}) {
      check.accept(message(i, 0));
    }

    CheckResult result = check.result(new long[] {6});

    assertThat(result.outOfOrder()).isEqualTo(3);
    assertThat(result.lost()).isZero();
    assertThat(result.duplicated()).isZero();
  }

  @Test
  void shouldNotJudgeOrderWhereHandlersOvertake() {
    ExactlyOnceCheck check = new ExactlyOnceCheck(1, LENGTH);
    for (long i : new long[] {0, 4, 2, 1, 3, 5}) {
      check.accept(message(i, 0));
    }

    assertThat(check.result(new long[] {6})).isEqualTo(new CheckResult(6, 0, 0, null));
  }

  @Test
  void shouldCheckMessagesOfManyHandlers() throws InterruptedException {
    ExactlyOnceCheck check = new ExactlyOnceCheck(1, LENGTH);
    int handlers = 4;
    CountDownLatch done = new CountDownLatch(2 * handlers);
    for (int h = 0; h < handlers; h++) {
      long from = h * COUNT;
      // Each half of a handler's messages, interleaved: once on a platform thread, once virtually.
      Thread.ofPlatform().daemon().start(() -> acceptEverySecond(check, from, done));
      Thread.ofVirtual().start(() -> acceptEverySecond(check, from + 1, done));
    }
    done.await();

    CheckResult result = check.result(new long[] {handlers * COUNT});

    assertThat(result).isEqualTo(new CheckResult(handlers * COUNT, 0, 0, null));
  }

  @Test
  void shouldMoveItsWindowOn() {
    SeenWindow window = new SeenWindow(2);
    for (long word = 0; word < 1000; word++) {
      window.mark(word, word == 17 ? -2 : -1);
    }
    window.mark(998, 1);
    window.mark(3, 1);

    assertThat(window.seen()).isEqualTo(32 * 1000 - 1);
    assertThat(window.duplicated()).isEqualTo(2);
  }

  @Test
  void shouldTellContentsApart() {
    for (int length : List.of(0, 1, 7, 8, 9, 64)) {
      byte[] expected = Content.of(1, length);
      byte[] content = expected.clone();
      Content.stamp(content, 77);

      assertThat(Content.matches(content, expected, 77)).as("length " + length).isTrue();
      if (length >= 8) {
        assertThat(Content.matches(content, expected, 78)).isFalse();
      }
      if (length > 0) {
        content[length - 1] ^= 1;
        assertThat(Content.matches(content, expected, 77)).isFalse();
      }
    }
  }

  private static void acceptEverySecond(ExactlyOnceCheck check, long from, CountDownLatch done) {
    for (long i = 0; i < COUNT; i += 2) {
      check.accept(message(from + i, 0));
    }
    done.countDown();
  }

  private static Numbered message(long sequence, int sender) {
    byte[] content = Content.of(sender, LENGTH);
    Content.stamp(content, sequence);
    return new Message(sequence, sender, content);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Message(long sequence, int sender, byte[] content) implements Numbered {}
}
