package org.ringwire.infiniband.verbs.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** What becomes of what a call into a library throws. */
@ExtendWith(NodeWatcher.class)
class DowncallTest {

  @Test
  void shouldTellWantOfHeapFromAnythingElse() {
    OutOfMemoryError error = new OutOfMemoryError("as this test wants it");
    assertThat(Downcall.threw(error)).isSameAs(error);
    IOException exception = new IOException("as this test wants it");
    assertThat(Downcall.threw(exception)).isInstanceOf(AssertionError.class).hasCause(exception);
  }
}
