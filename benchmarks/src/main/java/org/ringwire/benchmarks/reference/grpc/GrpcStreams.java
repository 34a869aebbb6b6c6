package org.ringwire.benchmarks.reference.grpc;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.ReceiverReport;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.StreamClient;

/** An open call per sending thread, since a call is not for sharing. */
final class GrpcStreams implements StreamClient {
  private static final long PATIENCE_SECONDS = 60;

  private final List<Outgoing> streams = new ArrayList<>();

  GrpcStreams(ManagedChannel channel, int threads) {
    for (int i = 0; i < threads; i++) {
      Outgoing stream = new Outgoing();
      ClientCalls.asyncBidiStreamingCall(
          channel.newCall(Methods.STREAM, CallOptions.DEFAULT), stream);
      streams.add(stream);
    }
  }

  @Override
  public void send(Sample sample, boolean flush) throws IOException {
    streams.get(sample.sender()).send(sample);
  }

  /** The answer to the last one counts what all streams had. */
  @Override
  public ReceiverReport barrier() throws Exception {
    Sample answer = new Sample(0, Sample.BARRIER, new byte[0]);
    for (Outgoing stream : streams) {
      answer = stream.ask();
    }
    return ReceiverReport.fromSample(answer);
  }

  /** One stream; it sends on one thread and is called back on the loop of the connection. */
  private static final class Outgoing implements ClientResponseObserver<Sample, Sample> {
    private @Nullable ClientCallStreamObserver<Sample> call;
    private volatile CompletableFuture<Sample> answer = new CompletableFuture<>();

    @Override
    public void beforeStart(ClientCallStreamObserver<Sample> stream) {
      call = stream;
      stream.setOnReadyHandler(this::wake);
    }

    private synchronized void wake() {
      notifyAll();
    }

    /** Waits while the library says that enough is on its way, as its guide asks for. */
    void send(Sample sample) throws IOException {
      ClientCallStreamObserver<Sample> stream = Objects.requireNonNull(call);
      if (!stream.isReady()) {
        awaitReady(stream);
      }
      stream.onNext(sample);
    }

    private synchronized void awaitReady(ClientCallStreamObserver<Sample> stream)
        throws IOException {
      while (!stream.isReady()) {
        if (answer.isCompletedExceptionally()) {
          throw new IOException("the stream has ended");
        }
        try {
          wait(100); // the end of the stream wakes nobody
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted", e);
        }
      }
    }

    Sample ask() throws IOException, InterruptedException {
      answer = new CompletableFuture<>();
      send(new Sample(0, Sample.BARRIER, new byte[0]));
      try {
        return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException("no answer from the receiving process", e);
      }
    }

    @Override
    public void onNext(Sample report) {
      answer.complete(report);
    }

    @Override
    public void onError(Throwable error) {
      answer.completeExceptionally(error);
    }

    @Override
    public void onCompleted() {
      answer.completeExceptionally(new IOException("the receiving process ended the stream"));
    }
  }
}
