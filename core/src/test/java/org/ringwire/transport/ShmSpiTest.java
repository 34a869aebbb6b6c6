package org.ringwire.transport;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.transport.shm.ShmTransportProvider;

class ShmSpiTest extends TransportSpiTest {

  private static final AtomicInteger NAMES = new AtomicInteger();

  @TempDir Path folder;

  @Override
  protected TransportProvider provider() {
    return new ShmTransportProvider();
  }

  @Override
  protected String freeAddress() {
    return folder.resolve("socket-" + NAMES.incrementAndGet()).toString();
  }

  @Override
  protected String deadAddress() {
    return folder.resolve("nobody").toString();
  }
}
