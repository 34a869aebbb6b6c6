package org.ringwire.transport;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Another transport, of which tests change something. */
public class ForwardingTransport implements Transport {

  private final Transport real;

  /** All as it is there. */
  public ForwardingTransport(Transport real) {
    this.real = real;
  }

  /** A provider of transports that a test makes. */
  public static TransportProvider provider(
      String name, Function<TransportConfig, Transport> opener) {
    return new TransportProvider() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Transport open(TransportConfig config) {
        return opener.apply(config);
      }
    };
  }

  @Override
  public String listen(String address, LinkAcceptor acceptor) throws IOException {
    return real.listen(address, acceptor);
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    real.connect(address, handler);
  }

  @Override
  public boolean mayLookUp(String address) {
    return real.mayLookUp(address);
  }

  @Override
  public boolean isLocal(String address) {
    return real.isLocal(address);
  }

  @Override
  public List<String> localNames(String address) {
    return real.localNames(address);
  }

  @Override
  public MemorySegment allocateRing(Link link, Arena arena, long capacity) {
    return real.allocateRing(link, arena, capacity);
  }

  @Override
  public void trim() {
    real.trim();
  }

  @Override
  public void upkeep() {
    real.upkeep();
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
