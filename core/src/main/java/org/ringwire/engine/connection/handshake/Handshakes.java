package org.ringwire.engine.connection.handshake;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.MessageType;
import org.ringwire.engine.outbound.FrameEncoder;
import org.ringwire.engine.services.NodeServices;
import org.ringwire.wire.Bytes32;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.Incarnation;
import org.ringwire.wire.Limits;
import org.ringwire.wire.TypeAnnouncement;
import org.ringwire.wire.Welcome;

/** What this node says of itself at the beginning of a link. */
public final class Handshakes {

  /** Occupied bytes of a response that every requester has room for without a grant. */
  public static final long RESPONSE_RESERVATION = 64 << 10;

  /** Further types are announced when they are first used. */
  private static final int MOST_TYPES = 1024;

  private Handshakes() {}

  /**
   * The HELLO for a link to a node; expected incarnation 0 if none of its lives is known.
   *
   * @param listens whether this node can be reached, by now
   */
  public static Hello hello(
      NodeServices services,
      boolean listens,
      int nodeId,
      long expectedIncarnation,
      List<TypeAnnouncement> types) {
    byte[] secret = services.config().authentication().secret();
    return new Hello(
        Handshake.VERSION,
        Handshake.VERSION,
        Handshake.ALL_FEATURES,
        services.config().cluster(),
        services.config().nodeId(),
        nodeId,
        services.incarnation(),
        expectedIncarnation,
        listens,
        !listens,
        false,
        secret == null ? Handshake.NO_AUTHENTICATION : Handshake.SHARED_SECRET,
        LinkAuthentication.nonce(secret),
        limits(services, true),
        types);
  }

  /** The HELLO that asks who is there; whether this node can be reached is told as above. */
  public static Hello inquiry(NodeServices services, boolean listens) {
    byte[] secret = services.config().authentication().secret();
    return new Hello(
        Handshake.VERSION,
        Handshake.VERSION,
        0,
        services.config().cluster(),
        services.config().nodeId(),
        Handshake.ANY_NODE,
        services.incarnation(),
        Incarnation.UNKNOWN,
        listens,
        false,
        true,
        secret == null ? Handshake.NO_AUTHENTICATION : Handshake.SHARED_SECRET,
        LinkAuthentication.nonce(secret),
        limits(services, false),
        List.of());
  }

  /**
   * The WELCOME that answers a HELLO.
   *
   * @param grant whether data may come at once; if not, a CREDIT grants it later
   * @param proof that this node knows the cluster's secret, if it has one
   */
  public static Welcome welcome(
      NodeServices services,
      Hello hello,
      boolean shared,
      boolean grant,
      @Nullable Bytes32 proof,
      List<TypeAnnouncement> types) {
    return new Welcome(
        Handshake.VERSION,
        hello.features() & Handshake.ALL_FEATURES,
        services.config().nodeId(),
        services.incarnation(),
        hello.incarnation().id(),
        true,
        shared,
        proof,
        limits(services, grant),
        types);
  }

  /** The types that this side knows, as far as they fit; others are announced when first used. */
  public static List<TypeAnnouncement> announceTypes(NodeServices services) {
    List<TypeAnnouncement> types = new ArrayList<>();
    int most = Math.min(MOST_TYPES, services.config().maxAnnouncedTypes());
    int bytes = 0;
    for (MessageType<?> type : services.config().catalog().types()) {
      TypeAnnouncement announcement = FrameEncoder.announcementOf(type);
      bytes += announcement.fieldLength();
      if (bytes > Handshake.MAX_TYPES_LENGTH || types.size() == most) {
        break;
      }
      types.add(announcement);
    }
    return types;
  }

  private static Limits limits(NodeServices services, boolean grant) {
    return new Limits(
        services.config().maxMessageLength(),
        grant ? services.config().initialWindow() : 0,
        RESPONSE_RESERVATION);
  }
}
