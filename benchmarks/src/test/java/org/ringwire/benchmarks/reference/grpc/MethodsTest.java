package org.ringwire.benchmarks.reference.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.ringwire.benchmarks.reference.harness.Sample;

class MethodsTest {

  private static final Sample SAMPLE = new Sample(7, 1, Sample.pattern(64));

  /**
   * What gRPC hands over for a message that is not compressed; it refuses to be read unmeasured.
   */
  private static final class Incoming extends ByteArrayInputStream implements KnownLength {
    Incoming(byte[] bytes) {
      super(bytes);
    }

    @Override
    public synchronized byte[] readAllBytes() {
      throw new AssertionError("takes 16 KiB, whatever the length");
    }
  }

  @Test
  void shouldDrainMessagesIntoTheBufferOfGrpc() throws IOException {
    InputStream stream = Methods.STREAM.streamRequest(SAMPLE);
    assertThat(stream).isInstanceOf(Drainable.class);
    ByteArrayOutputStream drained = new ByteArrayOutputStream();

    int length = ((Drainable) stream).drainTo(drained);

    assertThat(drained.toByteArray()).isEqualTo(SAMPLE.toBytes()).hasSize(length);
    assertThat(stream.available()).isZero();
  }

  @Test
  void shouldReadMessagesIntoAnArrayOfTheirLength() {
    Sample read = Methods.STREAM.parseRequest(new Incoming(SAMPLE.toBytes()));

    assertThat(read.sequence()).isEqualTo(7);
    assertThat(read.payload()).isEqualTo(SAMPLE.payload());
  }

  @Test
  void shouldReadMessagesOfUnknownLength() {
    Sample read = Methods.STREAM.parseRequest(new ByteArrayInputStream(SAMPLE.toBytes()));

    assertThat(read.payload()).isEqualTo(SAMPLE.payload());
  }
}
