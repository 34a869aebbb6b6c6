package org.ringwire.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.testing.NodeWatcher;

/** What is not there is named where it is given, not where it is first used. */
@ExtendWith(NodeWatcher.class)
@SuppressWarnings("NullAway") // that is what it is about
class NullArgumentsTest {

  private final HeapCodec codec = HeapCodec.builder().accept(int[].class).build();

  private static void refuses(String name, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessage(name + " must not be null");
  }

  @Test
  void shouldNameWhatIsNotThereOfACodec() {
    refuses("target", () -> codec.encode("graph", (MemorySegment) null));
    refuses("target", () -> codec.encode("graph", (OutputStream) null));
    refuses("image", () -> codec.decode((MemorySegment) null));
    refuses("image", () -> codec.decode((byte[]) null));
    refuses("source", () -> codec.decode((InputStream) null));
    refuses("type", () -> codec.messageCodec(null));
    refuses("classes", () -> HeapCodec.builder().accept((Class<?>[]) null));
  }

  /** Once a node has channels it has them for good. */
  @Test
  void shouldGiveANodeNoChannelsThatLackSomething() {
    ChannelOptions options = ChannelOptions.DEFAULT;
    try (Node node = Node.open(NodeConfig.builder(1).listen("127.0.0.1:0").build())) {
      refuses("node", () -> HeapChannels.of(null, codec));
      refuses("codec", () -> HeapChannels.of(node, null));
      refuses("options", () -> HeapChannels.of(node, codec, null));
      refuses("carrier", () -> HeapChannels.of(node, codec, options, null));
      try (HeapChannels channels = HeapChannels.of(node, codec)) {
        refuses("handle", () -> channels.to(1).waitHandle(null));
        refuses("handle", () -> channels.to(1).testHandle(null));
        channels.to(1).writeObject(new int[] {7});
        assertThat(channels.to(1).readObject(Duration.ofSeconds(30))).isEqualTo(new int[] {7});
      }
    }
  }
}
