package org.ringwire.benchmarks.reference;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.ringwire.benchmarks.reference.Settings.Kind;
import org.ringwire.benchmarks.reference.Settings.PeerSystem;

/** The same two processes with Netty 4.2 and its ordinary tools. */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach exceptionCaught or a listener
final class NettyProgram {
  private NettyProgram() {}

  /** The receiving process: the handler runs on the event loop, which is Netty's fast way. */
  static void receive(Settings settings, IntConsumer portReady) throws Exception {
    NettyEngine engine = NettyEngine.of(settings);
    EventLoopGroup group = engine.newGroup();
    CountDownLatch disconnected = new CountDownLatch(1);
    try {
      Channel server =
          new ServerBootstrap()
              .group(group)
              .channel(engine.serverChannel())
              .childHandler(
                  NettyCodec.pipeline(
                      settings.payloadLength(), new Receiver(settings, disconnected)))
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .sync()
              .channel();
      portReady.accept(((InetSocketAddress) server.localAddress()).getPort());
      disconnected.await();
    } finally {
      shutDown(group);
    }
  }

  /** The sending process. */
  static Result send(Settings settings, int port, int cpus) throws Exception {
    NettyEngine engine = NettyEngine.of(settings);
    Measurement measurement = new Measurement(settings, engine.system().label(), cpus);
    EventLoopGroup group = engine.newGroup();
    NettyPingPong pingPong = new NettyPingPong(settings.payloadLength());
    NettyClient client = new NettyClient(settings);
    boolean isPingPong = settings.kind() == Kind.PINGPONG;
    try {
      Channel channel =
          new Bootstrap()
              .group(group)
              .channel(engine.channel())
              .handler(
                  NettyCodec.pipeline(
                      settings.payloadLength(), isPingPong ? pingPong : client.handler()))
              .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
              .sync()
              .channel();
      if (isPingPong) {
        pingPong.connected(channel);
        return measurement.roundTrips(pingPong);
      }
      client.connected(channel);
      if (settings.kind() == Kind.REQUESTS) {
        return measurement.roundTrips(new ThreadedRoundTrips(client, settings));
      }
      return measurement.stream(
          settings.system() == PeerSystem.NETTY_IO_URING
              ? new NettyAggregation(channel, client, settings.payloadLength())
              : client);
    } finally {
      shutDown(group);
    }
  }

  /** Without the default quiet period of two seconds; all replies have come. */
  private static void shutDown(EventLoopGroup group) throws InterruptedException {
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).await();
  }

  private static final class Receiver extends SimpleChannelInboundHandler<Sample> {
    private final ReceiverHandler handler;
    private final CountDownLatch disconnected;

    Receiver(Settings settings, CountDownLatch disconnected) {
      handler = new ReceiverHandler(settings);
      this.disconnected = disconnected;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Sample sample) {
      Sample reply = handler.handle(sample);
      if (reply != null) {
        context.write(reply, context.voidPromise());
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush(); // the replies to all that one read brought, Netty's recommended place
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      disconnected.countDown();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      cause.printStackTrace();
      context.close();
    }
  }
}
