package org.ringwire.benchmarks.reference.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.MessageToByteEncoder;
import io.netty.handler.flush.FlushConsolidationHandler;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.Measurement;
import org.ringwire.benchmarks.reference.harness.Sample;

/** The pipeline of either side: Netty's length-field decoder, its encoder, and a handler. */
final class NettyCodec {
  private NettyCodec() {}

  /**
   * Flushes that are put together at most, where many threads ask: Netty's own default. It is more
   * than there are threads, so that what ends a batch is that no more is queued.
   */
  private static final int FLUSHES = FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES;

  /**
   * The pipeline of a client whose threads ask by themselves: their requests are flushed one by one
   * otherwise, a system call each, which is what Netty has this handler for.
   */
  static ChannelInitializer<Channel> gathering(int payloadLength, ChannelHandler handler) {
    return pipeline(payloadLength, handler, true);
  }

  static ChannelInitializer<Channel> pipeline(int payloadLength, ChannelHandler handler) {
    return pipeline(payloadLength, handler, false);
  }

  private static ChannelInitializer<Channel> pipeline(
      int payloadLength, ChannelHandler handler, boolean gathers) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.config().setOption(ChannelOption.TCP_NODELAY, true); // as in the other programs
        // One read may take as much as the other programs' buffers hold; Netty's own limit is 64
        // KiB.
        channel
            .config()
            .setRecvByteBufAllocator(
                new AdaptiveRecvByteBufAllocator(
                    64, Measurement.BUFFER_LENGTH / 2, Measurement.BUFFER_LENGTH));
        if (gathers) {
          channel.pipeline().addLast(new FlushConsolidationHandler(FLUSHES, true));
        }
        channel.pipeline().addLast(new Decoder(payloadLength), new Encoder(), handler);
      }
    };
  }

  static void encode(Sample sample, ByteBuf out) {
    out.writeInt(Sample.FIXED_BYTES + sample.payload().length);
    out.writeInt(sample.sender());
    out.writeLong(sample.sequence());
    out.writeBytes(sample.payload());
  }

  private static final class Encoder extends MessageToByteEncoder<Sample> {
    Encoder() {
      super(Sample.class);
    }

    @Override
    protected ByteBuf allocateBuffer(
        ChannelHandlerContext context, Sample sample, boolean preferDirect) {
      // The exact size: the default starts at 256 bytes and copies as it grows.
      return context.alloc().ioBuffer(sample.frameLength(), sample.frameLength());
    }

    @Override
    protected void encode(ChannelHandlerContext context, Sample sample, ByteBuf out) {
      NettyCodec.encode(sample, out);
    }
  }

  private static final class Decoder extends LengthFieldBasedFrameDecoder {
    /** A receiver's report is longer than an empty message. */
    private static final int SMALLEST_LIMIT = 1024;

    Decoder(int payloadLength) {
      // maximum, offset of the length, its bytes, no correction, drop the length itself
      super(
          Math.max(SMALLEST_LIMIT, Sample.frameLength(payloadLength)),
          0,
          Sample.LENGTH_BYTES,
          0,
          Sample.LENGTH_BYTES);
    }

    @Override
    protected @Nullable Object decode(ChannelHandlerContext context, ByteBuf in) throws Exception {
      ByteBuf frame = (ByteBuf) super.decode(context, in);
      if (frame == null) {
        return null;
      }
      try {
        byte[] payload = new byte[frame.readableBytes() - Sample.FIXED_BYTES];
        int sender = frame.readInt();
        long sequence = frame.readLong();
        frame.readBytes(payload);
        return new Sample(sequence, sender, payload);
      } finally {
        frame.release();
      }
    }
  }
}
