package org.ringwire.transport.selector;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a thread that leads a link waits for its input: a selector with this one channel, made when
 * the link is led for the first time and kept until the link closes, so that leading costs no
 * registration. One thread at a time waits; any thread wakes it.
 */
public final class LeaderSeat {

  private final LeaderResources resources;
  private final Selector selector;
  private final Consumer<SelectionKey> ready = this::ready;

  private LeaderSeat(LeaderResources resources, Selector selector) {
    this.resources = resources;
    this.selector = selector;
  }

  /** A seat, or null if there are too many, or the process has no descriptors or no heap left. */
  static @Nullable LeaderSeat open(LeaderResources resources, SelectableChannel channel) {
    if (!resources.takeSeat()) {
      return null;
    }
    Selector selector = null;
    LeaderSeat seat = null;
    try {
      selector = Selector.open();
      channel.register(selector, SelectionKey.OP_READ);
      seat = new LeaderSeat(resources, selector);
    } catch (IOException | OutOfMemoryError e) {
      // the link is good, and the I/O thread reads it
    } finally {
      if (seat == null) {
        giveUp(resources, selector);
      }
    }
    return seat;
  }

  private static void giveUp(LeaderResources resources, @Nullable Selector selector) {
    resources.giveSeat();
    if (selector != null) {
      SelectorEntry.closeQuietly(selector);
    }
  }

  /** Waits for input, a wake-up, an interrupt, or the end of a time. */
  public void await(long timeoutNs) throws IOException {
    selector.select(ready, timeoutMs(timeoutNs));
  }

  /** Rounded up, for a selector: 0 would be for ever. */
  static int timeoutMs(long timeoutNs) {
    return Math.clamp(Math.ceilDiv(timeoutNs, 1_000_000), 1, Integer.MAX_VALUE);
  }

  /** There is one channel, and one thing to do then: whoever waited reads. */
  private void ready(SelectionKey key) {}

  /** Ends a wait, this one or the next. */
  void wake() {
    selector.wakeup();
  }

  /** Gives the seat up. */
  void close() {
    giveUp(resources, selector);
  }
}
