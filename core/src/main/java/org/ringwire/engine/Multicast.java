package org.ringwire.engine;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.ringwire.EncodingException;
import org.ringwire.MemoryLimitException;
import org.ringwire.MulticastResult;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeUnreachableException;
import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.connection.ConnectResult;
import org.ringwire.engine.connection.Connections;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.engine.outbound.SendContext;
import org.ringwire.engine.outbound.detached.FrameMemory;
import org.ringwire.engine.outbound.encoding.EncodedMessage;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.ring.ReceiveBuffer;
import org.ringwire.wire.FrameLayout;

/**
 * One message to several nodes (design rule 18): encoded once, copied into the ring of each, with
 * an answer for each. Any thread; waits as long as the node's timeout for sending, for all
 * together.
 */
final class Multicast {

  private final NodeServices services;
  private final Connections connections;
  private final Connecting connecting;
  private final MessagingNode node;
  private final FrameMemory memory;

  Multicast(
      NodeServices services, Connections connections, Connecting connecting, MessagingNode node) {
    this.services = services;
    this.connections = connections;
    this.connecting = connecting;
    this.node = node;
    memory = new FrameMemory(services.buffers());
  }

  MulticastResult send(Set<Integer> nodeIds, Object message) {
    node.requireOpen();
    Map<Integer, SendStatus> statuses = new TreeMap<>();
    MessageType<?> type = services.config().catalog().typeOf(message.getClass());
    Codec<Object> codec = MessagingNode.codec(type);
    int length =
        FrameEncoder.lengthOf(
            "message", type, codec, message, services.config().maxMessageLength());
    ReceiveBuffer scratch = scratch(length);
    MulticastRest held = null;
    try {
      held = new MulticastRest(services, () -> release(scratch, length));
      MemorySegment copy = scratch.segment();
      long startNs = System.nanoTime();
      FrameEncoder.encode(SendContext.current(), type, codec, message, copy, 0, length);
      long endNs = System.nanoTime();
      services.slowEncoders().encodedApart(type.id(), endNs - startNs, endNs); // if it is set apart
      EncodedMessage encoded = new EncodedMessage(copy, length, held::isOver);
      long deadlineNs = System.nanoTime() + services.config().sendTimeout().toNanos();
      for (int nodeId : nodeIds) { // first all that are connected: the others may take their time
        if (connecting.senderTo(nodeId) != null) {
          statuses.put(nodeId, trySendEncoded(nodeId, type, encoded));
        }
      }
      for (int nodeId : nodeIds) {
        if (!statuses.containsKey(nodeId)) {
          beginConnecting(nodeId); // all attempts run at the same time
        }
      }
      for (int nodeId : nodeIds) { // then all that need not be waited for
        if (!statuses.containsKey(nodeId)) {
          statuses.put(nodeId, trySendEncoded(nodeId, type, encoded));
        }
      }
      if (!SendContext.current().isInline()) { // which may not wait
        statuses.replaceAll(this::unlessInVain);
        held.sendToRest(statuses, nodeId -> sendEncoded(nodeId, type, encoded, deadlineNs));
      }
    } finally {
      if (held == null) { // there was no heap for it
        release(scratch, length);
      } else {
        held.release();
      }
    }
    return new MulticastResult(statuses);
  }

  /**
   * Memory to encode in, which counts in what the process may commit unless it is little; and what
   * would go into rings is refused here no more than there.
   */
  private ReceiveBuffer scratch(int length) {
    try {
      if (length <= FrameMemory.ALWAYS_ALLOWED) {
        return services.buffers().acquire(Math.max(1, length));
      }
      return length <= services.config().ringCapacity() / 4
          ? memory.acquireInAnyCase(length)
          : memory.acquire(length);
    } catch (IllegalStateException e) { // the pool is closed, and so is the node meanwhile
      node.requireOpen();
      throw e;
    }
  }

  private void release(ReceiveBuffer scratch, int length) {
    try {
      scratch.release();
    } finally {
      if (length > FrameMemory.ALWAYS_ALLOWED) {
        memory.released(length);
      }
    }
  }

  private void beginConnecting(int nodeId) {
    try {
      ConnectResult _ = connections.connect(nodeId);
    } catch (MemoryLimitException e) {
      // the others are not concerned; sendEncoded says it of this one
    }
  }

  /** Looked at by the calling thread, as it may be another one that waits for this receiver. */
  private SendStatus unlessInVain(int nodeId, SendStatus status) {
    return status == SendStatus.NOT_CONNECTED && !connecting.mayWaitFor(nodeId)
        ? SendStatus.UNREACHABLE
        : status;
  }

  private SendStatus trySendEncoded(int nodeId, MessageType<?> type, EncodedMessage encoded) {
    return told(() -> node.trySend(nodeId, type, EncodedMessage.COPY, encoded));
  }

  private SendStatus sendEncoded(
      int nodeId, MessageType<?> type, EncodedMessage encoded, long deadlineNs) {
    return told(() -> {
      SendStatus status;
      do {
        status =
            connecting
                .awaitSender(nodeId, deadlineNs)
                .send(type, EncodedMessage.COPY, encoded, FrameLayout.MESSAGE, 0, deadlineNs);
      } while (status == SendStatus.CLOSED && System.nanoTime() - deadlineNs < 0);
      return status;
    });
  }

  /** What is thrown concerns one receiver, and is told as its status. */
  private static SendStatus told(Supplier<SendStatus> attempt) {
    try {
      return attempt.get();
    } catch (EncodingException e) { // encoded it is: so it is longer than this receiver allows
      return SendStatus.TOO_LONG;
    } catch (NodeUnreachableException | MemoryLimitException e) {
      return SendStatus.UNREACHABLE;
    } catch (NodeClosedException e) {
      return SendStatus.CLOSED;
    }
  }
}
