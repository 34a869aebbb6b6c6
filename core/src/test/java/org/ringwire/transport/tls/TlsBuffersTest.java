package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** Memory that links share. */
@ExtendWith(NodeWatcher.class)
class TlsBuffersTest {

  @Test
  void shouldLendWhatWasGivenBackAsIfItWereNew() {
    try (TlsBuffers buffers = new TlsBuffers()) {
      ByteBuffer record = buffers.record();
      buffers.giveBack(record.position(5).limit(10));

      assertThat(buffers.record()).isSameAs(record);
      assertThat(record.position()).isZero();
      assertThat(record.remaining()).isEqualTo(TlsBuffers.RECORD);
    }
  }
}
