package org.ringwire.engine.outbound;

import org.ringwire.NodeConfig.DrainMode;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.outbound.encoding.SlowEncoders;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.metrics.ErrorLog;
import org.ringwire.transport.Link;
import org.ringwire.transport.OutboundRanges;
import org.ringwire.transport.OutboundSource;

/** A link that takes everything and leads nowhere; subclasses take less, or do something. */
class SinkLink implements Link {

  private final OutboundRanges ranges = new OutboundRanges(16);

  /** A pipe that nobody flushes and that must not fail; to be opened with a link. */
  static OutboundPipe pipe(OutboundStream stream) {
    return pipe(
        stream,
        cause -> {
          throw new AssertionError(cause);
        });
  }

  /** A pipe that nobody flushes, which says when it fails; to be opened with a link. */
  static OutboundPipe pipe(OutboundStream stream, OutboundPipe.SessionFailure failure) {
    return pipe(stream, new SpaceWaiters(), new Flusher("not started", _ -> {}, _ -> {}), failure);
  }

  /** A pipe with these. */
  static OutboundPipe pipe(
      OutboundStream stream,
      SpaceWaiters waiters,
      Flusher flusher,
      OutboundPipe.SessionFailure failure) {
    return new OutboundPipe(
        stream,
        waiters,
        flusher,
        DrainMode.ADAPTIVE,
        new SlowEncoders(Long.MAX_VALUE, new ErrorLog(0), new MessageCatalog()),
        failure);
  }

  /** How much of an offer is taken; 0 if the medium is full. */
  protected long take(long bytes) {
    return bytes;
  }

  /** Called after each offer of which something was taken. */
  protected void taken() {}

  @Override
  public boolean write(OutboundSource source) {
    for (long bytes = source.next(ranges); bytes > 0; bytes = source.next(ranges)) {
      long taken = take(bytes);
      if (taken == 0) {
        return false;
      }
      source.sent(taken);
      source.completed(taken);
      taken();
    }
    return true;
  }

  @Override
  public void close() {}

  @Override
  public String remote() {
    return "sink";
  }
}
