package org.ringwire.benchmarks.reference.rmi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
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

/** Remote method invocation: one method, the object itself as parameter and result. */
public final class RmiProgram implements JavaContender {
  private static final Duration LAST_CALL = Duration.ofSeconds(10);

  /** What the receiver offers. */
  interface Receiver extends Remote {
    /** Handles the object and gives the answer. */
    Sample exchange(Sample sample) throws RemoteException;
  }

  /** For one measurement. */
  public RmiProgram() {}

  @Override
  public String medium() {
    return "tcp";
  }

  @Override
  public void requireSupported(Settings settings) {
    Settings.require(
        settings.kind() != Kind.STREAM, "rmi has no one-way messages: every call waits");
    Settings.require(settings.mode() == Mode.PARK, "rmi waits in the kernel; it cannot spin");
  }

  @Override
  public List<String> jvmFlags(Settings settings) {
    return List.of("-Djava.rmi.server.hostname=127.0.0.1");
  }

  @Override
  public void receive(Settings settings, Place place, Consumer<String> listening) throws Exception {
    ReceiverHandler handler = new ReceiverHandler(settings);
    CountDownLatch ended = new CountDownLatch(1);
    Receiver receiver =
        sample -> {
          if (sample.sender() == Sample.BYE) {
            ended.countDown();
            return sample;
          }
          synchronized (handler) { // calls come on a thread per connection
            return Objects.requireNonNull(handler.handle(sample));
          }
        };
    // Its sockets have TCP_NODELAY by themselves; only the address is chosen here.
    Remote stub =
        UnicastRemoteObject.exportObject(
            receiver, 0, null, port -> new ServerSocket(port, 0, InetAddress.getLoopbackAddress()));
    listening.accept(text(stub));
    ended.await();
    endAfterTheLastCall(receiver);
  }

  /**
   * The call that has said so still has to get its answer. RMI tells of the end of calls only when
   * it is asked, so this asks, with a bound.
   */
  private static void endAfterTheLastCall(Receiver receiver)
      throws NoSuchObjectException, InterruptedException {
    long deadlineNs = System.nanoTime() + LAST_CALL.toNanos();
    boolean ended = false;
    while (!ended) {
      Thread.sleep(1);
      boolean byForce = System.nanoTime() - deadlineNs >= 0;
      ended = UnicastRemoteObject.unexportObject(receiver, byForce);
    }
  }

  @Override
  public Result send(Settings settings, Place place, String address) throws Exception {
    Receiver receiver = receiver(address);
    RequestClient client = receiver::exchange;
    Measurement measurement = new Measurement(settings, settings.system(), medium(), place.cpus());
    Result result = measurement.roundTrips(new ThreadedRoundTrips(client, settings));
    receiver.exchange(new Sample(0, Sample.BYE, new byte[0]));
    return result;
  }

  /** The stub itself, so that no registry is needed. */
  private static String text(Remote stub) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(stub);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private static Receiver receiver(String address) throws IOException, ClassNotFoundException {
    byte[] bytes = Base64.getDecoder().decode(address);
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (Receiver) in.readObject();
    }
  }
}
