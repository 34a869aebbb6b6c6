package org.ringwire.benchmarks.reference.aeron;

import io.aeron.ChannelUri;
import io.aeron.Subscription;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.agrona.concurrent.IdleStrategy;
import org.ringwire.benchmarks.reference.harness.JavaContender;
import org.ringwire.benchmarks.reference.harness.Measurement;
import org.ringwire.benchmarks.reference.harness.Result;
import org.ringwire.benchmarks.reference.harness.Settings;
import org.ringwire.benchmarks.reference.harness.Settings.Kind;
import org.ringwire.benchmarks.reference.harness.Settings.Mode;
import org.ringwire.benchmarks.reference.harness.ThreadedRoundTrips;

/** Aeron, as its guide for best practices and its own samples for measuring use it. */
public final class AeronProgram implements JavaContender {
  /** There. */
  static final int DATA = 1;

  /** And back. */
  static final int REPLIES = 2;

  /** Of a message, half of the longest term. */
  private static final int MAX_PAYLOAD = 8 * 1024 * 1024;

  private final AeronMedium medium;

  private AeronProgram(AeronMedium medium) {
    this.medium = medium;
  }

  /** Over shared memory. */
  public static AeronProgram ipc() {
    return new AeronProgram(AeronMedium.IPC);
  }

  /** Over UDP. */
  public static AeronProgram udp() {
    return new AeronProgram(AeronMedium.UDP);
  }

  @Override
  public String medium() {
    return medium.label();
  }

  /** Its samples for throughput ask without a pause; a parked thread looks only now and then. */
  @Override
  public Mode defaultMode(Kind kind) {
    return kind == Kind.STREAM ? Mode.SPIN : Mode.PARK;
  }

  @Override
  public void requireSupported(Settings settings) {
    Settings.require(
        settings.payloadLength() <= MAX_PAYLOAD, "aeron takes messages of up to 8 MiB: --payload");
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
    Path folder = place.folder().resolve("receiver");
    try (AeronNode node = AeronNode.withDriver(medium, folder, settings, place.cpus());
        Subscription data = node.aeron().addSubscription(medium.subscription(), DATA)) {
      listening.accept(
          medium == AeronMedium.IPC ? folder.toString() : endpoint(data, node.newIdle()));
      new AeronReceiver(node, medium, settings).run(data);
    }
  }

  @Override
  public Result send(Settings settings, Place place, String address) throws Exception {
    Measurement measurement = new Measurement(settings, settings.system(), medium(), place.cpus());
    try (AeronNode node =
            medium == AeronMedium.IPC
                ? AeronNode.withDriverOf(Path.of(address), settings, place.cpus())
                : AeronNode.withDriver(
                    medium, place.folder().resolve("sender"), settings, place.cpus());
        AeronClient client = new AeronClient(node, medium, settings, address)) {
      return settings.kind() == Kind.STREAM
          ? measurement.stream(client)
          : measurement.roundTrips(new ThreadedRoundTrips(client, settings));
    }
  }

  /** Address and port that a subscription got, which takes a moment. */
  static String endpoint(Subscription subscription, IdleStrategy idle) {
    String channel = subscription.tryResolveChannelEndpointPort();
    while (channel == null) {
      idle.idle();
      channel = subscription.tryResolveChannelEndpointPort();
    }
    return Objects.requireNonNullElse(ChannelUri.parse(channel).get("endpoint"), "");
  }
}
