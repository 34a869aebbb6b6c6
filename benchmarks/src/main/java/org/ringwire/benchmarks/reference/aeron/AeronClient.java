package org.ringwire.benchmarks.reference.aeron;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.ReceiverReport;
import org.ringwire.benchmarks.reference.harness.RequestClient;
import org.ringwire.benchmarks.reference.harness.ResponseSlot;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.StreamClient;

/**
 * The sending side. Each thread has a publication of its own ("exclusive": no compare-and-set), as
 * the guide recommends for throughput. With several threads that wait for answers another one reads
 * and wakes them; a single one reads for itself.
 */
final class AeronClient implements StreamClient, RequestClient, AutoCloseable {
  private static final long CONNECT_NS = 60_000_000_000L;

  private final List<AeronWriter> writers = new ArrayList<>();
  private final List<Publication> publications = new ArrayList<>();
  private final ResponseSlot[] slots;
  private final Subscription replies;
  private final AeronReader reader;
  private final @Nullable Thread readingThread;
  private @Nullable Sample arrived;
  private volatile boolean closed;

  AeronClient(AeronNode node, AeronMedium medium, Settings settings, String address)
      throws IOException {
    slots = ResponseSlot.create(settings.threads());
    Aeron aeron = node.aeron();
    replies = aeron.addSubscription(medium.subscription(), AeronProgram.REPLIES);
    for (int i = 0; i < settings.threads(); i++) {
      Publication publication =
          aeron.addExclusivePublication(
              medium.publication(settings, address, AeronProgram.DATA), AeronProgram.DATA);
      publications.add(publication);
      writers.add(new AeronWriter(publication, node.newIdle()));
    }
    IdleStrategy idle = node.newIdle();
    awaitConnected(idle, () -> publications.stream().allMatch(Publication::isConnected));
    String endpoint = medium == AeronMedium.IPC ? "" : AeronProgram.endpoint(replies, idle);
    byte[] hello = endpoint.getBytes(StandardCharsets.UTF_8);
    writers.getFirst().write(new Sample(0, AeronReceiver.HELLO, hello));
    awaitConnected(idle, replies::isConnected);
    if (settings.kind() == Kind.REQUESTS) {
      reader =
          new AeronReader(
              replies,
              idle,
              settings,
              true,
              sample -> ResponseSlot.of(slots, sample.sender()).complete(sample));
      readingThread = Thread.ofPlatform().name("reader").daemon().start(this::readUntilClosed);
    } else {
      reader = new AeronReader(replies, idle, settings, false, sample -> arrived = sample);
      readingThread = null;
    }
  }

  private static void awaitConnected(IdleStrategy idle, BooleanSupplier connected) {
    long deadline = System.nanoTime() + CONNECT_NS;
    while (!connected.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the receiving process cannot be reached within 60 s");
      }
      idle.idle();
    }
  }

  private void readUntilClosed() {
    while (!closed) {
      reader.poll();
    }
  }

  @Override
  public void send(Sample sample, boolean flush) throws Exception {
    writers.get(sample.sender()).write(sample); // it is on its way at once
  }

  @Override
  public Sample request(Sample sample) throws Exception {
    return request(writers.get(sample.sender()), sample);
  }

  private Sample request(AeronWriter writer, Sample sample) throws Exception {
    if (readingThread != null) {
      ResponseSlot slot = ResponseSlot.of(slots, sample.sender());
      slot.prepare();
      writer.write(sample);
      return slot.await();
    }
    arrived = null;
    writer.write(sample);
    Sample reply = arrived;
    while (reply == null) {
      reader.poll();
      reply = arrived;
    }
    return reply;
  }

  /** The answer to the last one counts what all publications had. */
  @Override
  public ReceiverReport barrier() throws Exception {
    Sample question = new Sample(0, Sample.BARRIER, new byte[0]);
    Sample answer = question;
    for (AeronWriter writer : writers) {
      answer = request(writer, question);
    }
    return ReceiverReport.fromSample(answer);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    if (readingThread != null) {
      awaitEnd(readingThread); // it uses what is closed next
    }
    writers.getFirst().write(new Sample(0, Sample.BYE, new byte[0]));
  }

  private static void awaitEnd(Thread thread) throws IOException {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
