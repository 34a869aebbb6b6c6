package org.ringwire.transport;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Another local transport, of which tests change something. */
@SuppressWarnings("exports") // of annotations, to tests
public class ForwardingTransport implements LocalTransport {

  private final LocalTransport real;

  /** All as it is there. */
  public ForwardingTransport(Transport real) {
    this.real = (LocalTransport) real;
  }

  @Override
  public String listen(String address, LinkAcceptor acceptor) throws IOException {
    return real.listen(address, acceptor);
  }

  @Override
  public void announce(String name) throws IOException {
    real.announce(name);
  }

  @Override
  public @Nullable String find(String name) {
    return real.find(name);
  }

  @Override
  public void connect(String address, LinkHandler handler) {
    real.connect(address, handler);
  }

  @Override
  public void connect(String address, LinkHandler handler, Consumer<Throwable> failed) {
    real.connect(address, handler, failed);
  }

  @Override
  public boolean owns(Link link) {
    return real.owns(link);
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
