package org.ringwire.engine.outbound;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.SendStatus;
import org.ringwire.codec.Codec;
import org.ringwire.codec.MessageType;

/**
 * What a thread found when it sent a type to a node last: threads mostly do so again, and then need
 * not look for sender, type and codec, nor whether the peer was told of the type. Confined to its
 * thread. When a node is closed, threads that have sent lately are given new ones; another thread
 * that lives on holds on to that node until it sends again.
 */
public final class Route {

  private @Nullable Object node;
  private @Nullable Class<?> messageClass;
  private @Nullable MessageSender sender;
  private @Nullable MessageType<?> type;
  private int nodeId = -1;
  private Contention contention;

  /** Leads nowhere. */
  Route(Contention contention) {
    this.contention = contention;
  }

  /** Whether this was the way of a message of this class to a node of this id. */
  boolean isOf(int to, Class<?> ofClass) {
    return nodeId == to && messageClass == ofClass;
  }

  /**
   * Whether this was the way of a message of the same class between the same nodes. The sender may
   * have been closed since, and says so when it is used.
   *
   * @param from the node that sends
   * @param to id of the node that receives
   */
  @SuppressWarnings("ReferenceEquality") // the same node, whatever it thinks of equality
  public boolean leads(Object from, int to, Class<?> ofClass) {
    return nodeId == to && node == from && messageClass == ofClass;
  }

  /** A sender has accepted a message of this class; by the thread of the context. */
  public void remember(
      SendContext context,
      Object from,
      int to,
      Class<?> ofClass,
      MessageType<?> ofType,
      MessageSender by) {
    node = from;
    nodeId = to;
    messageClass = ofClass;
    type = ofType;
    sender = by;
    contention = context.contention(to);
  }

  /**
   * Sends a message for which this route {@link #leads}, if that can be done at once.
   *
   * @param waits whether the caller waits for room next if this was not ACCEPTED
   * @return ACCEPTED, BACK_PRESSURED or CLOSED
   */
  @SuppressWarnings("unchecked") // the codec belongs to the class of the message
  public SendStatus send(SendContext context, Object message, boolean waits) {
    MessageType<?> known = Objects.requireNonNull(type);
    return Objects.requireNonNull(sender)
        .sendAgain(context, this, known, (Codec<Object>) known.codec(), message, waits);
  }

  /** The sender has claimed a frame for a message of this thread. */
  void claimed(SendContext context, long position, int length) {
    contention.claimed(Objects.requireNonNull(sender), position, length, context.otherClaims());
  }

  /**
   * After a message, for who may wait: offers the thread's core to others if they send there at the
   * same time.
   */
  public void offerCore(SendContext context) {
    contention.offerCore(context);
  }
}
