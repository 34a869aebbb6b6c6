package org.ringwire.benchmarks.reference.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.ringwire.benchmarks.reference.harness.Sample;

/**
 * The service. The object is encoded by hand, as gRPC lets one do: what is measured is gRPC, and
 * not Protobuf on top of it.
 */
final class Methods {
  static final String SERVICE = "ringwire.Benchmark";

  /** One call, one answer. */
  static final MethodDescriptor<Sample, Sample> EXCHANGE = method("Exchange", MethodType.UNARY);

  /** Messages in one direction, reports in the other. */
  static final MethodDescriptor<Sample, Sample> STREAM =
      method("Stream", MethodType.BIDI_STREAMING);

  private Methods() {}

  private static MethodDescriptor<Sample, Sample> method(String name, MethodType type) {
    SampleMarshaller marshaller = new SampleMarshaller();
    return MethodDescriptor.<Sample, Sample>newBuilder(marshaller, marshaller)
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .build();
  }

  private static final class SampleMarshaller implements Marshaller<Sample> {
    @Override
    public InputStream stream(Sample sample) {
      return new Bytes(sample.toBytes());
    }

    @Override
    public Sample parse(InputStream stream) {
      try {
        return Sample.decode(ByteBuffer.wrap(bytesOf(stream)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** An array of the message's length: {@link InputStream#readAllBytes} begins with 16 KiB. */
    private static byte[] bytesOf(InputStream stream) throws IOException {
      if (!(stream instanceof KnownLength)) {
        return stream.readAllBytes(); // available() means the whole message only for the others
      }
      byte[] bytes = new byte[stream.available()];
      if (stream.readNBytes(bytes, 0, bytes.length) < bytes.length) {
        throw new EOFException("a message ended before its length of " + bytes.length);
      }
      return bytes;
    }
  }

  /**
   * Saves gRPC from copying to find out how long it is, and from an array of 8 KiB per message
   * through which it copies what does not drain itself.
   */
  private static final class Bytes extends ByteArrayInputStream implements KnownLength, Drainable {
    Bytes(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int length = count - pos;
      target.write(buf, pos, length);
      pos = count;
      return length;
    }
  }
}
