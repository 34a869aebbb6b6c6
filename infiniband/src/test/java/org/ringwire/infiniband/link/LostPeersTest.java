package org.ringwire.infiniband.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links whose peers are gone are told by a thread that serves all others. */
class LostPeersTest {

  /**
   * A lambda is made where it is first evaluated, and fails for ever if there was no heap for that
   * then; not with an {@code OutOfMemoryError}, so the thread ended. {@code IbNoHeapTest} has the
   * same with a device, now and then.
   */
  @Test
  void shouldHaveNothingToMakeWhenTheFirstPeerIsLost() {
    assertThat(Stream.of(LostPeers.class.getDeclaredMethods()).filter(Method::isSynthetic))
        .isEmpty();
  }
}
