package org.ringwire.engine.services;

import org.ringwire.idle.FirstUse;

/**
 * The classes that a node first uses with its first peer, or with the first type of a kind, or when
 * something fails for the first time; see {@link FirstUse}. Only those that have something to
 * initialise: {@code FirstUseTest} says which is missing. Those of transports the transports know.
 */
final class FirstClasses {

  private static final String[] NAMES = {
    "CloseReport",
    "EndReason",
    "SendStatus",
    "codec.Reader",
    "codec.Utf8",
    "codec.generate.emit.ContainerCode",
    "codec.generate.emit.Iteration",
    "codec.generate.emit.KeyEmitter",
    "codec.generate.emit.MapEmitter$1",
    "codec.generate.emit.OptionalEmitter$1",
    "codec.generate.emit.PartMethod",
    "codec.generate.emit.SequenceEmitter$1",
    "codec.generate.emit.ValueEmitter$1",
    "codec.generate.emit.WordEmitter$1",
    "codec.generate.layout.DefaultValues$1",
    "codec.generate.layout.Layout$Container",
    "codec.runtime.Collisions",
    "codec.runtime.Fixed",
    "codec.runtime.KeyCosts",
    "engine.FutureRequests$LaterStart",
    "engine.Inquiry",
    "engine.Shutdown$1",
    "engine.Timeouts",
    "engine.connection.ConnectionState",
    "engine.connection.Dismissals$Turn",
    "engine.connection.PeerSession",
    "engine.connection.PeerSession$Phase",
    "engine.connection.SessionFrames$1",
    "engine.connection.Settlement",
    "engine.connection.Violations",
    "engine.connection.attempt.Attempt",
    "engine.connection.handshake.LinkAuthentication",
    "engine.connection.link.Pulse",
    "engine.connection.link.SessionEnd$Stage",
    "engine.connection.link.SessionTotals",
    "engine.dispatch.HandlingPace",
    "engine.dispatch.LaneTask$Left",
    "engine.inbound.LinkType",
    "engine.inbound.ReceiveWindow",
    "engine.inbound.workers.HandlerThread$1",
    "engine.inbound.workers.VirtualThreads",
    "engine.outbound.Announcer",
    "engine.outbound.ConsumerRole",
    "engine.outbound.Flusher$Tick",
    "engine.outbound.OutboundPipe",
    "engine.outbound.Outgoing",
    "engine.outbound.RoomNotices",
    "engine.outbound.SendContext",
    "engine.outbound.Waits",
    "engine.outbound.encoding.EncodedMessage",
    "engine.outbound.room.RoomSignal",
    "engine.outbound.room.SpaceWaiters",
    "engine.request.PendingRequest",
    "engine.request.WaitChoice$Phase",
    "idle.HeapRetry",
    "ring.FrameMarks",
    "ring.Lane",
    "ring.LazyMemory",
    "ring.NativeTrim",
    "ring.ReceiveBuffer",
    "ring.RingLayout",
    "ring.RingMemory",
    "ring.Slabs",
    "wire.CloseReason",
    "wire.CloseReason$1",
    "wire.FailureReason",
    "wire.ForeignProtocols",
    "wire.FrameLayout",
    "wire.FrameRules",
    "wire.ProtocolException$Reason",
    "wire.RefusalReason",
    "wire.RefusalReason$1",
    "wire.assembly.FrameAssembler",
  };

  private FirstClasses() {}

  /** Initialises them; costs next to nothing once they are. */
  static void prepare() {
    FirstUse.prepare(NAMES);
  }
}
