package org.ringwire.testing;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkHandler;

/** Has no use for a link. */
public class Ignoring implements LinkHandler {

  @Override
  public void opened(Link link) {}

  @Override
  public void received(MemorySegment memory, long offset, long length) {}

  @Override
  public @Nullable ByteBuffer destination() {
    return null;
  }

  @Override
  public void receivedInDestination(int length) {}

  @Override
  public void writable() {}

  @Override
  public void closed(@Nullable Throwable cause) {}
}
