package org.ringwire.engine.outbound;

import java.util.function.BooleanSupplier;
import org.ringwire.ring.NativeMemory;
import org.ringwire.ring.OutboundRing;
import org.ringwire.wire.FrameLayout;

/** A sender that goes on until it is refused. */
public final class CreditScenario implements BooleanSupplier {

  private static final long GRANTED = 160;

  /** By reflection. */
  public CreditScenario() {}

  /** Whether it was refused at the bound. */
  @Override
  public boolean getAsBoolean() {
    try (NativeMemory.Scope scope = NativeMemory.open("scenario")) {
      OutboundRing ring = OutboundRing.over(scope.allocate(4096, 128));
      long position = ring.tryClaim(16, GRANTED);
      while (position >= 0) {
        ring.commit(position, FrameLayout.header(FrameLayout.MESSAGE, 0, 16));
        position = ring.tryClaim(16, GRANTED);
      }
      return position == OutboundRing.NO_CREDIT && ring.chargedBytes() == GRANTED;
    }
  }
}
