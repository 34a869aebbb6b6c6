package org.ringwire.benchmarks.reference.aeron;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;
import org.ringwire.benchmarks.reference.harness.JavaContender;
import org.ringwire.benchmarks.reference.harness.Measurement;
import org.ringwire.benchmarks.reference.harness.ReceiverHandler;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.reference.harness.Sample;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.ThreadedRoundTrips;

/** Aeron, as its guide for best practices and its own samples for measuring use it. */
public final class AeronProgram implements JavaContender {
  /** There. */
  static final int DATA = 1;

  /** And back. */
  static final int REPLIES = 2;

  /** Sender of the message that ends the receiving process. */
  static final int BYE = -2;

  private final AeronMedium medium;

  private AeronProgram(AeronMedium medium) {
    this.medium = medium;
  }

  /** Over shared memory. */
  public static AeronProgram ipc() {
    return new AeronProgram(AeronMedium.IPC);
  }

  @Override
  public String medium() {
    return medium.label();
  }

  @Override
  public void requireSupported(Settings settings) {
    Settings.require(
        settings.payloadLength() <= 1 << 23, "aeron takes messages of up to 16 MiB: --payload");
  }

  @Override
  public List<String> jvmFlags(Settings settings) {
    return List.of(
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", // Agrona's access to memory
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED", // the driver's selector
        "-Dagrona.disable.bounds.checks=true", // as its samples do
        "-Daeron.pre.touch.mapped.memory=true"); // no page fault is measured
  }

  @Override
  public void receive(Settings settings, Place place, Consumer<String> listening)
      throws IOException {
    Path folder = place.folder().resolve("driver");
    IdleStrategy idle = AeronMedium.idle(settings, place.cpus());
    try (MediaDriver driver = medium.launch(folder);
        Aeron aeron = connect(folder);
        Subscription data = aeron.addSubscription(medium.channel(settings), DATA);
        Publication replies = aeron.addExclusivePublication(medium.channel(settings), REPLIES)) {
      listening.accept(driver.aeronDirectoryName());
      AeronWriter writer = new AeronWriter(replies, AeronMedium.idle(settings, place.cpus()));
      ReceiverHandler handler = new ReceiverHandler(settings);
      AtomicBoolean ended = new AtomicBoolean();
      AeronReader reader =
          new AeronReader(
              data,
              idle,
              settings,
              false,
              sample -> {
                if (sample.sender() == BYE) {
                  ended.setPlain(true);
                } else {
                  reply(writer, handler.handle(sample));
                }
              });
      while (!ended.getPlain()) {
        reader.poll();
      }
    }
  }

  private static void reply(AeronWriter writer, @Nullable Sample sample) {
    if (sample != null) {
      try {
        writer.write(sample);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public Result send(Settings settings, Place place, String address) throws Exception {
    Measurement measurement = new Measurement(settings, settings.system(), medium(), place.cpus());
    try (Aeron aeron = connect(Path.of(address));
        AeronClient client = new AeronClient(aeron, medium, settings, place.cpus())) {
      return settings.kind() == Kind.STREAM
          ? measurement.stream(client)
          : measurement.roundTrips(new ThreadedRoundTrips(client, settings));
    }
  }

  static Aeron connect(Path folder) {
    return Aeron.connect(
        new Aeron.Context()
            .aeronDirectoryName(folder.toString())
            .driverTimeoutMs(60_000)
            .errorHandler(Throwable::printStackTrace));
  }
}
