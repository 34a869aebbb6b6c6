package org.ringwire.transport;

import java.io.IOException;
import java.util.function.Supplier;

/** Another transport, between whose links and their handlers a test stands: {@link Tap}. */
@SuppressWarnings("exports") // of annotations, to tests
public final class TappedTransport extends ForwardingTransport {

  private final Supplier<Tap> taps;

  private TappedTransport(Transport real, Supplier<Tap> taps) {
    super(real);
    this.taps = taps;
  }

  /** A provider of such transports; each link gets a tap of its own. */
  public static TransportProvider provider(TransportProvider real, Supplier<Tap> taps) {
    return provider(real.name(), config -> new TappedTransport(real.open(config), taps));
  }

  @Override
  public String listen(String address, LinkAcceptor acceptor) throws IOException {
    return super.listen(
        address,
        remote -> {
          LinkHandler handler = acceptor.accept(remote);
          return handler == null ? null : taps.get().before(handler);
        });
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    super.connect(address, taps.get().before(handler));
  }
}
