package org.ringwire.heap.channel.inbound;

import org.ringwire.heap.image.Decoder;
import org.ringwire.heap.image.Pool;

/** Where nobody reads. */
final class NoDecoders extends Pool<Decoder> {
  @Override
  protected Decoder make() {
    throw new AssertionError("nobody reads");
  }
}
