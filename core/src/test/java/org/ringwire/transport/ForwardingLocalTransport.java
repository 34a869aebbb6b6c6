package org.ringwire.transport;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Another local transport, of which tests change something. */
@SuppressWarnings("exports") // of annotations, to tests
public class ForwardingLocalTransport extends ForwardingTransport implements LocalTransport {

  private final LocalTransport real;

  /** All as it is there. */
  public ForwardingLocalTransport(Transport real) {
    super(real);
    this.real = (LocalTransport) real;
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
  public void connect(String address, LinkHandler handler, Consumer<Throwable> failed) {
    real.connect(address, handler, failed);
  }

  @Override
  public boolean owns(Link link) {
    return real.owns(link);
  }

  @Override
  public void beginClose() {
    real.beginClose();
  }
}
