package org.ringwire.infiniband.link;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.infiniband.connect.Engine;
import org.ringwire.infiniband.connect.Terms;

/** A link without a device: its state is set by hand, and it notes what its end does with it. */
final class EndingLink implements LinkParty, LinkData {

  static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(3); // beyond all that an end waits for

  final List<String> calls = new ArrayList<>();
  final LinkEnd end;
  boolean opened = true;
  boolean closed = true;
  boolean abrupt;
  boolean connected = true;
  boolean drained;
  boolean givenBack;
  boolean failsToRelease;
  Farewell farewell = Farewell.SAID;
  private final LinkSetUp setUp = new LinkSetUp(this, null, "peer");

  EndingLink(LinkRegister<EndingLink> register, Duration connectTimeout) {
    end = new LinkEnd(this, this, register, connectTimeout);
  }

  @Override
  public boolean isConnected() {
    return connected;
  }

  @Override
  public boolean isDrained() {
    return drained;
  }

  @Override
  public Farewell sayFarewell() {
    calls.add("farewell " + farewell);
    return farewell;
  }

  @Override
  public void stop() {
    calls.add("stop");
  }

  @Override
  public boolean isGivenBack(boolean late) {
    return late || givenBack;
  }

  @Override
  public void release() {
    calls.add("release");
    if (failsToRelease) {
      throw new IllegalStateException("as this test wants it");
    }
  }

  @Override
  public void giveUp(boolean isUsed) {
    calls.add("give up used=" + isUsed);
  }

  @Override
  public Engine engine() {
    return Engine.MSGRC;
  }

  @Override
  public LinkSetUp setUp() {
    return setUp;
  }

  @Override
  public boolean enter() {
    return !closed;
  }

  @Override
  public void leave() {}

  @Override
  public Terms create() {
    throw new UnsupportedOperationException("this link only ends");
  }

  @Override
  public void connect(Terms peer) {}

  @Override
  public void sayReady() {}

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public void fail(Throwable failure) {
    calls.add("fail " + failure.getMessage());
    abrupt = true;
    close();
  }

  @Override
  public void setUpEnded(@Nullable Throwable failure) {}

  @Override
  public LinkEnd end() {
    return end;
  }

  @Override
  public String remote() {
    return setUp.remote();
  }

  @Override
  public boolean isOpened() {
    return opened;
  }

  @Override
  public boolean isClosing() {
    return closed;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public boolean endsAbruptly() {
    return abrupt;
  }

  @Override
  public void tellEnd() {
    calls.add("tell");
  }
}
