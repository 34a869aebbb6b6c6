package org.ringwire.engine.outbound;

import org.ringwire.engine.outbound.detached.LargeFrames;
import org.ringwire.engine.outbound.room.SendWindow;
import org.ringwire.engine.outbound.room.SpaceWaiters;
import org.ringwire.ring.OutboundRing;

/**
 * What those who send over one link share, once data may flow. All of it may be used by any thread,
 * each part as it says.
 *
 * @param ring where frames are claimed
 * @param pipe who writes the ring, told of each commit
 * @param stream what is written, frames beside the ring included
 * @param window what the peer grants
 * @param waiters who waits for room
 * @param largeFrames grants for frames that are longer than the window allows
 */
public record OutboundParts(
    OutboundRing ring,
    OutboundPipe pipe,
    OutboundStream stream,
    SendWindow window,
    SpaceWaiters waiters,
    LargeFrames largeFrames) {}
