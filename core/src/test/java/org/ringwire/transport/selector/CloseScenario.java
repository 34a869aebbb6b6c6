package org.ringwire.transport.selector;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.ringwire.IdleStrategy;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;
import org.ringwire.transport.tcp.TcpTransportProvider;

/** Closes a link; whether its channel is closed then, while its transport is open. */
public final class CloseScenario implements BooleanSupplier {

  private static final TransportConfig CONFIG =
      new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(10));

  /** For the loader. */
  public CloseScenario() {}

  @Override
  public boolean getAsBoolean() {
    ProbeHandler server = new ProbeHandler();
    ProbeHandler client = new ProbeHandler();
    try (Transport transport = new TcpTransportProvider().open(CONFIG)) {
      transport.connect(transport.listen("127.0.0.1:0", remote -> server), client);
      ChannelLink link = (ChannelLink) client.link();
      server.link();
      link.close();
      client.cause();
      return !isOpenForLong(link);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOpenForLong(ChannelLink link) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    while (link.channel.isOpen() && System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    return link.channel.isOpen();
  }
}
