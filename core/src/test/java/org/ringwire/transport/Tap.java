package org.ringwire.transport;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Stands between a link and its handler and passes everything on, but for what tests override. */
@SuppressWarnings("exports") // of annotations, to tests
public class Tap implements Link, LinkHandler {

  private @Nullable LinkHandler handler;
  private volatile @Nullable Link real;

  /** For one link. */
  public Tap() {}

  Tap before(LinkHandler tapped) {
    handler = tapped;
    return this;
  }

  /** What is tapped. */
  protected final LinkHandler handler() {
    LinkHandler tapped = handler;
    if (tapped == null) {
      throw new IllegalStateException("not at a link");
    }
    return tapped;
  }

  private Link real() {
    Link link = real;
    if (link == null) {
      throw new IllegalStateException("not open");
    }
    return link;
  }

  @Override
  public void opened(Link link) {
    real = link;
    handler().opened(this);
  }

  @Override
  public void received(MemorySegment memory, long offset, long length) {
    handler().received(memory, offset, length);
  }

  @Override
  public @Nullable ByteBuffer destination() {
    return null;
  }

  @Override
  public void receivedInDestination(int length) {
    throw new IllegalStateException("there was no destination");
  }

  @Override
  public void writable() {
    handler().writable();
  }

  @Override
  public void closed(@Nullable Throwable cause) {
    handler().closed(cause);
  }

  @Override
  public boolean write(OutboundSource source) throws IOException {
    return real().write(source);
  }

  @Override
  public void resumeReading() {
    real().resumeReading();
  }

  @Override
  public void resumeWriting() {
    real().resumeWriting();
  }

  @Override
  public void close() {
    real().close();
  }

  @Override
  public String remote() {
    return real().remote();
  }
}
