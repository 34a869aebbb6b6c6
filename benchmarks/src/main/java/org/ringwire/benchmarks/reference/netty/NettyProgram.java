package org.ringwire.benchmarks.reference.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ringwire.benchmarks.reference.harness.JavaContender;
import org.ringwire.benchmarks.reference.harness.Measurement;
import org.ringwire.benchmarks.reference.harness.ReceiverHandler;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;
import org.ringwire.benchmarks.reference.harness.ThreadedRoundTrips;

/** The same two processes with Netty 4.2 and its ordinary tools. */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach exceptionCaught or a listener
public final class NettyProgram implements JavaContender {
  private static final String AGGREGATED = "-aggregated";

  private final NettyEngine.Kind kind;
  private final boolean isAggregated;

  private NettyProgram(NettyEngine.Kind kind, boolean isAggregated) {
    this.kind = kind;
    this.isAggregated = isAggregated;
  }

  /** With this way to the kernel: over io_uring streams are aggregated, else written as usual. */
  public static NettyProgram of(NettyEngine.Kind kind) {
    return new NettyProgram(kind, kind == NettyEngine.Kind.IO_URING);
  }

  /** With this way to the kernel, and streams aggregated as those over io_uring. */
  public static NettyProgram aggregated(NettyEngine.Kind kind) {
    return new NettyProgram(kind, true);
  }

  @Override
  public String medium() {
    return "tcp";
  }

  @Override
  public void requireSupported(Settings settings) {
    Settings.require(
        settings.mode() == Mode.PARK || settings.kind() == Kind.PINGPONG,
        "only pingpong spins; the receiver of a stream never waits for long");
    Settings.require(
        settings.mode() == Mode.PARK || kind == NettyEngine.Kind.EPOLL,
        "only netty-epoll has a busy-waiting loop");
    Settings.require(
        settings.kind() == Kind.STREAM || !settings.system().endsWith(AGGREGATED),
        settings.system() + " is for streams: nothing else has messages to gather");
  }

  /** Netty at its best: its native library and Unsafe allowed, no sampling for leaks. */
  @Override
  public List<String> jvmFlags(Settings settings) {
    return List.of(
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-Dio.netty.leakDetection.level=disabled");
  }

  /** The receiving process: the handler runs on the event loop, which is Netty's fast way. */
  @Override
  public void receive(Settings settings, Place place, Consumer<String> listening) throws Exception {
    NettyEngine engine = NettyEngine.of(kind, settings.mode());
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
      int port = ((InetSocketAddress) server.localAddress()).getPort();
      listening.accept(Integer.toString(port));
      disconnected.await();
    } finally {
      shutDown(group);
    }
  }

  @Override
  public Result send(Settings settings, Place place, String address) throws Exception {
    NettyEngine engine = NettyEngine.of(kind, settings.mode());
    String system =
        engine.kind().label() + (settings.system().endsWith(AGGREGATED) ? AGGREGATED : "");
    Measurement measurement = new Measurement(settings, system, medium(), place.cpus());
    InetSocketAddress receiver =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address));
    EventLoopGroup group = engine.newGroup();
    NettyPingPong pingPong = new NettyPingPong(settings.payloadLength());
    NettyClient client = new NettyClient(settings);
    boolean isPingPong = settings.kind() == Kind.PINGPONG;
    int length = settings.payloadLength();
    try {
      Channel channel =
          new Bootstrap()
              .group(group)
              .channel(engine.channel())
              .handler(
                  settings.kind() == Kind.REQUESTS
                      ? NettyCodec.gathering(length, client.handler())
                      : NettyCodec.pipeline(length, isPingPong ? pingPong : client.handler()))
              .connect(receiver)
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
          isAggregated ? new NettyAggregation(channel, client, settings) : client);
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
