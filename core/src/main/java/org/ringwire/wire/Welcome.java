package org.ringwire.wire;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.ProtocolException.Reason;

/**
 * Accepts a {@link Hello}; from here on data may flow.
 *
 * @param version the protocol version of this link: the greatest that both sides speak
 * @param features those of the opener's features that are used on this link
 * @param nodeId the acceptor, 0 to 65535
 * @param incarnation the acceptor's
 * @param expectedIncarnation id of the opener's, as in its HELLO
 * @param hasListener whether the opener can open further links to the acceptor; true, except on
 *     media where links are not opened by address
 * @param shared whether data flows on this link in both directions
 * @param proof that the acceptor knows the cluster's secret; null if nothing was to be proved
 * @param limits the acceptor's; {@link Limits#initialWindow} is what the opener may send
 * @param types the types that the acceptor will send, as far as it knows
 */
public record Welcome(
    int version,
    long features,
    int nodeId,
    Incarnation incarnation,
    long expectedIncarnation,
    boolean hasListener,
    boolean shared,
    @Nullable Bytes32 proof,
    Limits limits,
    List<TypeAnnouncement> types) {

  /** Validates and copies the list. */
  public Welcome {
    types = List.copyOf(types);
    if (version != Handshake.VERSION || nodeId < 0 || nodeId > Handshake.MAX_NODE_ID) {
      throw new IllegalArgumentException(
          "version or node id out of range: version=" + version + " nodeId=" + nodeId);
    }
  }

  /**
   * Reads a WELCOME.
   *
   * @throws ProtocolException if the frame breaks a rule
   */
  public static Welcome parse(MemorySegment memory, long offset, long header) {
    FieldReader in =
        FieldReader.ofFrame("WELCOME", memory, offset, header, Handshake.MAX_FRAME_LENGTH);
    int version = (int) in.raw(Short.BYTES);
    long reserved = in.raw(Short.BYTES) | in.raw(Integer.BYTES) << Short.SIZE;
    if (version != Handshake.VERSION) {
      throw new ProtocolException(
          Reason.VERSION,
          "WELCOME names a version that was not offered: version="
              + version
              + " ours="
              + Handshake.VERSION);
    }
    if (reserved != 0) {
      throw new ProtocolException(
          Reason.VALUE, "WELCOME whose reserved bytes are not zero: reserved=" + reserved);
    }
    PeerFields peer = new PeerFields(in);
    Bytes32 proof = null;
    while (in.next()) {
      if (in.tag() == Handshake.PROOF) {
        proof = proof(in);
      } else {
        peer.read();
      }
    }
    Welcome welcome =
        new Welcome(
            version,
            peer.features(),
            peer.nodeId(),
            peer.incarnationOrThrow(),
            peer.requiredIncarnation(),
            peer.link(Handshake.LISTENS),
            peer.link(Handshake.SHARED),
            proof,
            peer.limits(),
            peer.types());
    if (peer.link(Handshake.INQUIRY)) {
      throw new ProtocolException(Reason.VALUE, "WELCOME that asks who is there");
    }
    return welcome;
  }

  /**
   * A WELCOME frame, header and padding included; a multiple of 8 bytes.
   *
   * @throws IllegalArgumentException if the announcements do not fit, see {@link
   *     Handshake#MAX_TYPES_LENGTH}
   */
  public byte[] encode() {
    FieldWriter out = new FieldWriter();
    out.raw(Long.BYTES, version);
    out.number(Handshake.FEATURES, Long.BYTES, features);
    int link = (hasListener ? Handshake.LISTENS : 0) | (shared ? Handshake.SHARED : 0);
    PeerFields.write(out, nodeId, Handshake.ANY_NODE, incarnation, expectedIncarnation, link);
    if (proof != null) {
      out.bytes(FieldWriter.REQUIRED | Handshake.PROOF, proof.bytes());
    }
    PeerFields.write(out, limits, types);
    return out.frame(FrameLayout.WELCOME, 0, Handshake.MAX_FRAME_LENGTH);
  }

  private static Bytes32 proof(FieldReader in) {
    byte[] value = in.bytes(Handshake.PROOF, "proof", in.length());
    if (value.length != Bytes32.LENGTH) {
      throw new ProtocolException(
          Reason.FIELD_LENGTH, "proof has a wrong length: length=" + value.length);
    }
    return Bytes32.of(value);
  }
}
