package org.ringwire.benchmarks.reference.grpc;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.JavaContender;
import org.ringwire.benchmarks.reference.harness.Measurement;
import org.ringwire.benchmarks.reference.harness.ReceiverHandler;
import org.ringwire.benchmarks.reference.harness.RequestClient;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;
import org.ringwire.benchmarks.reference.harness.ThreadedRoundTrips;

/**
 * gRPC over one HTTP/2 connection. Round trips are blocking unary calls; a stream is a call per
 * sending thread that stays open.
 */
public final class GrpcProgram implements JavaContender {
  /** The largest message that the settings allow, and its header. */
  private static final int MAX_MESSAGE = (1 << 26) + 1024;

  /** Bytes on their way, so that the default of 1 MiB is not what limits large messages. */
  private static final int WINDOW = 4 * 1024 * 1024;

  /** For one measurement. */
  public GrpcProgram() {}

  @Override
  public String medium() {
    return "tcp";
  }

  @Override
  public void requireSupported(Settings settings) {
    Settings.require(settings.mode() == Mode.PARK, "grpc waits in its own threads; it cannot spin");
  }

  /** Its native transport and Unsafe, as for Netty alone. */
  @Override
  public List<String> jvmFlags(Settings settings) {
    return List.of(
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-Dio.grpc.netty.shaded.io.netty.leakDetection.level=disabled");
  }

  @Override
  public void receive(Settings settings, Place place, Consumer<String> listening) throws Exception {
    ReceiverHandler handler = new ReceiverHandler(settings); // on the one loop of the connection
    CountDownLatch ended = new CountDownLatch(1);
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .directExecutor() // recommended where handlers do not block: no hop to a pool
            .flowControlWindow(WINDOW)
            .maxInboundMessageSize(MAX_MESSAGE)
            .addService(
                ServerServiceDefinition.builder(Methods.SERVICE)
                    .addMethod(
                        Methods.EXCHANGE,
                        ServerCalls.asyncUnaryCall((sample, answers) -> {
                          if (sample.sender() == Sample.BYE) {
                            ended.countDown();
                          }
                          answers.onNext(answer(handler, sample));
                          answers.onCompleted();
                        }))
                    .addMethod(
                        Methods.STREAM,
                        ServerCalls.asyncBidiStreamingCall(
                            answers -> new Incoming(handler, answers)))
                    .build())
            .build()
            .start();
    listening.accept(Integer.toString(server.getPort()));
    ended.await();
    server.shutdown().awaitTermination(10, TimeUnit.SECONDS);
  }

  private static Sample answer(ReceiverHandler handler, Sample sample) {
    Sample reply = sample.sender() == Sample.BYE ? sample : handler.handle(sample);
    return reply == null ? sample : reply;
  }

  @Override
  public Result send(Settings settings, Place place, String address) throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(address)))
            .usePlaintext()
            .directExecutor()
            .flowControlWindow(WINDOW)
            .maxInboundMessageSize(MAX_MESSAGE)
            .build();
    RequestClient client = sample -> call(channel, sample);
    Measurement measurement = new Measurement(settings, settings.system(), medium(), place.cpus());
    try {
      Result result =
          settings.kind() == Kind.STREAM
              ? measurement.stream(new GrpcStreams(channel, settings.threads()))
              : measurement.roundTrips(new ThreadedRoundTrips(client, settings));
      call(channel, new Sample(0, Sample.BYE, new byte[0]));
      return result;
    } finally {
      channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  private static Sample call(ManagedChannel channel, Sample sample) {
    return ClientCalls.blockingUnaryCall(
        channel, Methods.EXCHANGE, io.grpc.CallOptions.DEFAULT, sample);
  }

  /** One stream at the receiver. */
  private record Incoming(ReceiverHandler handler, StreamObserver<Sample> answers)
      implements StreamObserver<Sample> {
    @Override
    public void onNext(Sample sample) {
      @Nullable Sample reply = handler.handle(sample);
      if (reply != null) {
        answers.onNext(reply);
      }
    }

    @Override
    public void onError(Throwable error) {
      // the connection ended: the other process says why
    }

    @Override
    public void onCompleted() {
      answers.onCompleted();
    }
  }
}
