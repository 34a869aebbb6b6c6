package org.ringwire.engine.connection;

import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/** Takes all that is to be sent, and leads nowhere. */
record TakingLink() implements Link {

  @Override
  public boolean write(OutboundSource source) {
    OutboundRanges ranges = new OutboundRanges(4);
    for (long bytes = source.next(ranges); bytes > 0; bytes = source.next(ranges)) {
      source.sentAndCompleted(bytes);
    }
    return true;
  }

  @Override
  public void close() {}

  @Override
  public String remote() {
    return "peer-2:1";
  }
}
