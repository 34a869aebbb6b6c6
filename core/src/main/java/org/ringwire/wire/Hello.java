package org.ringwire.wire;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.ProtocolException.Reason;

/**
 * The first frame of the side that opened a link: who it is, whom it expects, what it wishes.
 *
 * @param minVersion least protocol version that the opener speaks, 1 to 65535
 * @param maxVersion greatest one, at least {@code minVersion}
 * @param features bits of what the opener can do; unknown ones are ignored
 * @param cluster name that both sides must share; at most 255 bytes in UTF-8
 * @param nodeId the opener, 0 to 65535
 * @param expectedNodeId whom it means to reach, or {@link Handshake#ANY_NODE}
 * @param incarnation the opener's
 * @param expectedIncarnation id of the acceptor's, if the opener has met it on another link; else
 *     {@link Incarnation#UNKNOWN}
 * @param hasListener whether the acceptor can open a link to the opener
 * @param shared whether the opener wishes data to flow on this link in both directions
 * @param inquiry whether the opener only asks who is there: the WELCOME is the answer and the end
 * @param authentication method, 0 to 255: {@link Handshake#NO_AUTHENTICATION}, {@link
 *     Handshake#SHARED_SECRET} or one of a later version
 * @param nonce random bytes, with {@link Handshake#SHARED_SECRET}; else null
 * @param limits the opener's
 * @param types the types that the opener will send, as far as it knows
 */
public record Hello(
    int minVersion,
    int maxVersion,
    long features,
    String cluster,
    int nodeId,
    int expectedNodeId,
    Incarnation incarnation,
    long expectedIncarnation,
    boolean hasListener,
    boolean shared,
    boolean inquiry,
    int authentication,
    @Nullable Bytes32 nonce,
    Limits limits,
    List<TypeAnnouncement> types) {

  private static final int MAX_VERSION = 0xFFFF;

  /** Validates and copies the list. */
  public Hello {
    types = List.copyOf(types);
    if (minVersion < 1 || minVersion > maxVersion || maxVersion > MAX_VERSION) {
      throw new IllegalArgumentException(
          "versions out of range: minVersion=" + minVersion + " maxVersion=" + maxVersion);
    }
    if (nodeId < 0
        || nodeId > Handshake.MAX_NODE_ID
        || expectedNodeId < Handshake.ANY_NODE
        || expectedNodeId > Handshake.MAX_NODE_ID) {
      throw new IllegalArgumentException(
          "node ids must be in 0..65535: nodeId=" + nodeId + " expectedNodeId=" + expectedNodeId);
    }
    int clusterLength = cluster.getBytes(StandardCharsets.UTF_8).length;
    if (clusterLength > Handshake.MAX_CLUSTER_LENGTH) {
      throw new IllegalArgumentException(
          "cluster must have at most 255 bytes: clusterLength=" + clusterLength);
    }
    if (authentication < 0 || authentication > 0xFF) {
      throw new IllegalArgumentException(
          "authentication must be in 0..255: authentication=" + authentication);
    }
    if ((authentication == Handshake.SHARED_SECRET) != (nonce != null)) {
      throw new IllegalArgumentException(
          "a nonce belongs to a shared secret: authentication=" + authentication);
    }
  }

  /**
   * Reads a HELLO.
   *
   * @throws ProtocolException if the frame breaks a rule, or no version is shared
   */
  public static Hello parse(MemorySegment memory, long offset, long header) {
    FieldReader in =
        FieldReader.ofFrame("HELLO", memory, offset, header, Handshake.MAX_FRAME_LENGTH);
    if (in.raw(Long.BYTES) != Handshake.MAGIC) {
      throw new ProtocolException(
          Reason.NOT_RINGWIRE, "the peer speaks another protocol: HELLO has a wrong magic");
    }
    int minVersion = (int) in.raw(Short.BYTES);
    int maxVersion = (int) in.raw(Short.BYTES);
    long reserved = in.raw(Integer.BYTES);
    checkVersions(minVersion, maxVersion, reserved);
    PeerFields peer = new PeerFields(in);
    String cluster = null;
    int expectedNodeId = Handshake.ANY_NODE;
    byte[] authentication = {Handshake.NO_AUTHENTICATION};
    while (in.next()) {
      switch (in.tag()) {
        case Handshake.CLUSTER ->
            cluster = in.text(Handshake.CLUSTER, "cluster", 0, Handshake.MAX_CLUSTER_LENGTH);
        case Handshake.EXPECTED_NODE ->
            expectedNodeId = in.nodeId(Handshake.EXPECTED_NODE, "expectedNodeId");
        case Handshake.AUTHENTICATION -> authentication = authentication(in);
        default -> peer.read();
      }
    }
    return new Hello(
        minVersion,
        maxVersion,
        peer.features(),
        in.require(Handshake.CLUSTER, "cluster", cluster),
        peer.nodeId(),
        expectedNodeId,
        peer.incarnationOrThrow(),
        peer.expectedIncarnation(),
        peer.link(Handshake.LISTENS),
        peer.link(Handshake.SHARED),
        peer.link(Handshake.INQUIRY),
        authentication[0] & 0xFF,
        nonce(authentication),
        peer.limits(),
        peer.types());
  }

  /** The cluster for an error message or a log: it may be that of a stranger. */
  public String quotedCluster() {
    return Utf8.quote(cluster);
  }

  /**
   * A HELLO frame, header and padding included; a multiple of 8 bytes.
   *
   * @throws IllegalArgumentException if the announcements do not fit, see {@link
   *     Handshake#MAX_TYPES_LENGTH}
   */
  public byte[] encode() {
    FieldWriter out = new FieldWriter();
    out.raw(Long.BYTES, Handshake.MAGIC);
    out.raw(Short.BYTES, minVersion).raw(Short.BYTES, maxVersion).raw(Integer.BYTES, 0);
    out.number(Handshake.FEATURES, Long.BYTES, features);
    out.text(FieldWriter.REQUIRED | Handshake.CLUSTER, cluster);
    int link =
        (hasListener ? Handshake.LISTENS : 0)
            | (shared ? Handshake.SHARED : 0)
            | (inquiry ? Handshake.INQUIRY : 0);
    PeerFields.write(out, nodeId, expectedNodeId, incarnation, expectedIncarnation, link);
    byte[] data = nonce == null ? new byte[0] : nonce.bytes();
    out.head(FieldWriter.REQUIRED | Handshake.AUTHENTICATION, 1 + data.length)
        .raw(1, authentication)
        .plain(data);
    PeerFields.write(out, limits, types);
    return out.frame(FrameLayout.HELLO, 0, Handshake.MAX_FRAME_LENGTH);
  }

  /** Method and data; those of an unknown method are for the acceptor to refuse. */
  private static byte[] authentication(FieldReader in) {
    byte[] value = in.bytes(Handshake.AUTHENTICATION, "authentication", in.length());
    boolean valid =
        value.length > 0
            && switch (value[0]) {
              case Handshake.NO_AUTHENTICATION -> value.length == 1;
              case Handshake.SHARED_SECRET -> value.length == 1 + Bytes32.LENGTH;
              default -> true;
            };
    if (!valid) {
      throw new ProtocolException(
          Reason.FIELD_LENGTH, "authentication has a wrong length: length=" + value.length);
    }
    return value;
  }

  private static @Nullable Bytes32 nonce(byte[] authentication) {
    return authentication[0] == Handshake.SHARED_SECRET
        ? Bytes32.of(Arrays.copyOfRange(authentication, 1, authentication.length))
        : null;
  }

  private static void checkVersions(int minVersion, int maxVersion, long reserved) {
    String facts =
        ": minVersion=" + minVersion + " maxVersion=" + maxVersion + " ours=" + Handshake.VERSION;
    if (minVersion < 1 || minVersion > maxVersion || reserved != 0) {
      throw new ProtocolException(
          Reason.VALUE, "HELLO has impossible versions" + facts + " reserved=" + reserved);
    }
    if (minVersion > Handshake.VERSION) {
      throw new ProtocolException(Reason.VERSION, "no protocol version in common" + facts);
    }
  }
}
