package org.ringwire.benchmarks.reference.jeromq;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.ReceiverReport;
import org.ringwire.benchmarks.reference.harness.RequestClient;
import org.ringwire.benchmarks.reference.harness.ResponseSlot;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.StreamClient;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ.Socket;

/**
 * The sending side: a socket per thread, as sockets are not for sharing. With several threads that
 * wait for answers another one reads and wakes them; a single one reads for itself.
 */
final class JeroMqClient implements StreamClient, RequestClient, AutoCloseable {
  private final List<Socket> senders = new ArrayList<>();
  private final ResponseSlot[] slots;
  private final Socket replies;
  private final @Nullable Thread readingThread;

  /**
   * @param address where the receiver takes data, a blank, where it gives replies
   */
  JeroMqClient(ZContext context, Settings settings, String address) {
    int blank = address.indexOf(' ');
    slots = ResponseSlot.create(settings.threads());
    for (int i = 0; i < settings.threads(); i++) {
      Socket sender = JeroMqProgram.open(context, SocketType.PUSH, settings);
      sender.connect(address.substring(0, blank));
      senders.add(sender);
    }
    replies = JeroMqProgram.open(context, SocketType.PULL, settings);
    replies.connect(address.substring(blank + 1));
    readingThread =
        settings.kind() == Kind.REQUESTS
            ? Thread.ofPlatform().name("reader").daemon().start(this::readForAll)
            : null;
  }

  /** Ends with the answer to the message that ends the receiver. */
  private void readForAll() {
    try {
      while (true) {
        Sample sample = JeroMqProgram.next(replies);
        if (sample.sender() == Sample.BYE) {
          return;
        }
        ResponseSlot.of(slots, sample.sender()).complete(sample);
      }
    } catch (RuntimeException e) {
      for (ResponseSlot slot : slots) {
        slot.fail(e);
      }
    }
  }

  @Override
  public void send(Sample sample, boolean flush) {
    senders.get(sample.sender()).send(sample.toBytes(), 0);
  }

  @Override
  public Sample request(Sample sample) throws Exception {
    return request(senders.get(sample.sender()), sample);
  }

  private Sample request(Socket sender, Sample sample) throws Exception {
    if (readingThread == null) {
      sender.send(sample.toBytes(), 0);
      return JeroMqProgram.next(replies);
    }
    ResponseSlot slot = ResponseSlot.of(slots, sample.sender());
    slot.prepare();
    sender.send(sample.toBytes(), 0);
    return slot.await();
  }

  /** The answer to the last one counts what all sockets had. */
  @Override
  public ReceiverReport barrier() throws Exception {
    Sample question = new Sample(0, Sample.BARRIER, new byte[0]);
    Sample answer = question;
    for (Socket sender : senders) {
      answer = request(sender, question);
    }
    return ReceiverReport.fromSample(answer);
  }

  /** The receiver answers to the last message, too: then nobody uses a socket that is closed. */
  @Override
  public void close() throws IOException {
    senders.getFirst().send(new Sample(0, Sample.BYE, new byte[0]).toBytes(), 0);
    if (readingThread == null) {
      JeroMqProgram.next(replies);
      return;
    }
    try {
      readingThread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
