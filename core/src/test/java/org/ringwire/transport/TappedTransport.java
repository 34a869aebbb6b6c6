package org.ringwire.transport;

import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;

/** Another transport, between whose links and their handlers a test stands: {@link Tap}. */
@SuppressWarnings("exports") // of annotations, to tests
public final class TappedTransport implements Transport {

  private final Transport real;
  private final Supplier<Tap> taps;

  private TappedTransport(Transport real, Supplier<Tap> taps) {
    this.real = real;
    this.taps = taps;
  }

  /** A provider of such transports; each link gets a tap of its own. */
  public static TransportProvider provider(TransportProvider real, Supplier<Tap> taps) {
    return new TransportProvider() {
      @Override
      public String name() {
        return real.name();
      }

      @Override
      public Transport open(TransportConfig config) {
        return new TappedTransport(real.open(config), taps);
      }
    };
  }

  @Override
  public String listen(String address, LinkAcceptor acceptor) throws IOException {
    return real.listen(
        address,
        remote -> {
          LinkHandler handler = acceptor.accept(remote);
          return handler == null ? null : taps.get().before(handler);
        });
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    real.connect(address, taps.get().before(handler));
  }

  @Override
  public Map<String, Long> counters() {
    return real.counters();
  }

  @Override
  public void stopListening() {
    real.stopListening();
  }

  @Override
  public void close() {
    real.close();
  }
}
