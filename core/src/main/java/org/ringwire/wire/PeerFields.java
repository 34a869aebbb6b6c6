package org.ringwire.wire;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.ProtocolException.Reason;

/** The fields that HELLO and WELCOME share, while they are read. One thread. */
final class PeerFields {

  private final FieldReader in;
  private final List<TypeAnnouncement> types = new ArrayList<>();
  private final BitSet typeIds = new BitSet();
  private @Nullable Incarnation incarnation;
  private long features;
  private int nodeId;
  private long expectedIncarnation = Incarnation.UNKNOWN;
  private int link;
  private int maxMessageLength;
  private long initialWindow;
  private long responseReservation;

  PeerFields(FieldReader in) {
    this.in = in;
  }

  /** Writes who the sender is, and whom it expects. */
  static void write(
      FieldWriter out,
      int nodeId,
      int expectedNodeId,
      Incarnation incarnation,
      long expectedIncarnation,
      int link) {
    out.number(FieldWriter.REQUIRED | Handshake.NODE, Short.BYTES, nodeId);
    if (expectedNodeId != Handshake.ANY_NODE) {
      out.number(FieldWriter.REQUIRED | Handshake.EXPECTED_NODE, Short.BYTES, expectedNodeId);
    }
    out.head(FieldWriter.REQUIRED | Handshake.INCARNATION, 2 * Long.BYTES)
        .raw(Long.BYTES, incarnation.id())
        .raw(Long.BYTES, incarnation.startMs());
    if (expectedIncarnation != Incarnation.UNKNOWN) {
      out.number(
          FieldWriter.REQUIRED | Handshake.EXPECTED_INCARNATION, Long.BYTES, expectedIncarnation);
    }
    out.number(FieldWriter.REQUIRED | Handshake.LINK, 1, link);
  }

  /** Writes limits and types. */
  static void write(FieldWriter out, Limits limits, List<TypeAnnouncement> types) {
    int flag = FieldWriter.REQUIRED;
    out.number(flag | Handshake.MAX_MESSAGE, Integer.BYTES, limits.maxMessageLength());
    out.number(flag | Handshake.WINDOW, Long.BYTES, limits.initialWindow());
    out.number(flag | Handshake.RESPONSE_RESERVATION, Long.BYTES, limits.responseReservation());
    types.forEach(type -> type.writeField(out));
  }

  /** Reads the current field if it is one of these, or may be skipped. */
  void read() {
    switch (in.tag()) {
      case Handshake.FEATURES -> features = in.number(Handshake.FEATURES, "features", Long.BYTES);
      case Handshake.NODE -> nodeId = in.nodeId(Handshake.NODE, "nodeId");
      case Handshake.INCARNATION -> incarnation = incarnation();
      case Handshake.EXPECTED_INCARNATION ->
          expectedIncarnation =
              in.number(Handshake.EXPECTED_INCARNATION, "expectedIncarnation", Long.BYTES);
      case Handshake.LINK ->
          link =
              (int)
                  in.number(
                      Handshake.LINK,
                      "link",
                      1,
                      0,
                      Handshake.LISTENS | Handshake.SHARED | Handshake.INQUIRY);
      case Handshake.MAX_MESSAGE ->
          maxMessageLength =
              (int)
                  in.number(
                      Handshake.MAX_MESSAGE,
                      "maxMessageLength",
                      Integer.BYTES,
                      1,
                      Limits.MAX_MESSAGE_LENGTH);
      case Handshake.WINDOW -> initialWindow = bytes(Handshake.WINDOW, "initialWindow");
      case Handshake.RESPONSE_RESERVATION ->
          responseReservation = bytes(Handshake.RESPONSE_RESERVATION, "responseReservation");
      case Handshake.TYPE -> type();
      default -> in.skipUnknown();
    }
  }

  private Incarnation incarnation() {
    in.checkOnce(Handshake.INCARNATION, "incarnation", 2 * Long.BYTES);
    long id = in.raw(Long.BYTES);
    long startMs = in.raw(Long.BYTES);
    if (id == Incarnation.UNKNOWN || startMs < 0) {
      throw new ProtocolException(
          Reason.VALUE, "incarnation out of range: id=" + id + " startMs=" + startMs);
    }
    return new Incarnation(id, startMs);
  }

  private long bytes(int tag, String name) {
    return in.number(tag, name, Long.BYTES, 0, Limits.MAX_WINDOW);
  }

  private void type() {
    TypeAnnouncement type = TypeAnnouncement.readField(in.fields("type announcement"));
    if (typeIds.get(type.id())) {
      throw new ProtocolException(
          Reason.FIELD_DUPLICATE, "type id announced twice: id=" + type.id());
    }
    typeIds.set(type.id());
    types.add(type);
  }

  long features() {
    return features;
  }

  int nodeId() {
    in.require(Handshake.NODE, "nodeId");
    return nodeId;
  }

  Incarnation incarnationOrThrow() {
    return in.require(Handshake.INCARNATION, "incarnation", incarnation);
  }

  /** Unknown if the field was not there. */
  long expectedIncarnation() {
    return expectedIncarnation;
  }

  long requiredIncarnation() {
    in.require(Handshake.EXPECTED_INCARNATION, "expectedIncarnation");
    return expectedIncarnation;
  }

  boolean link(int flag) {
    in.require(Handshake.LINK, "link");
    return (link & flag) != 0;
  }

  Limits limits() {
    in.require(Handshake.MAX_MESSAGE, "maxMessageLength");
    in.require(Handshake.WINDOW, "initialWindow");
    in.require(Handshake.RESPONSE_RESERVATION, "responseReservation");
    return new Limits(maxMessageLength, initialWindow, responseReservation);
  }

  List<TypeAnnouncement> types() {
    return List.copyOf(types);
  }
}
