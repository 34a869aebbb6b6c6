package org.ringwire.wire;

/** Constants of the handshake: version, limits, and the tags of the fields in HELLO and WELCOME. */
public final class Handshake {

  /** The protocol version of this implementation, and the only one that it speaks. */
  public static final int VERSION = 1;

  /** The longest HELLO or WELCOME, header included, in bytes. */
  public static final int MAX_FRAME_LENGTH = 1 << 20;

  /**
   * The most bytes of announcements, as counted by {@link TypeAnnouncement#fieldLength()}, that a
   * HELLO or WELCOME surely has room for; further types are announced in-band.
   */
  public static final int MAX_TYPES_LENGTH = MAX_FRAME_LENGTH - (4 << 10);

  /** The longest cluster name, in bytes of UTF-8. */
  public static final int MAX_CLUSTER_LENGTH = 255;

  /**
   * In place of a node id: any node will do, the opener does not know which one it reaches. It
   * usually asks first, see {@link Hello#inquiry}.
   */
  public static final int ANY_NODE = -1;

  /** Authentication method: none. */
  public static final int NO_AUTHENTICATION = 0;

  /** Authentication method: both sides prove that they know a secret; data: 32 random bytes. */
  public static final int SHARED_SECRET = 1;

  /**
   * Feature: a CLOSE because a node closes, or because a connection is dismissed, is answered by a
   * CLOSE, and both sides say FINISHED before the link goes.
   */
  public static final long DRAINS = 1;

  /** Feature: a receiver that cannot grant an announced frame for long says why with DELAY. */
  public static final long DELAYS = 2;

  /**
   * Feature: who has opened a link takes data over it as well when SHARE says so, after a WELCOME
   * that did not.
   */
  public static final long SHARES = 4;

  /** The features of this implementation. */
  public static final long ALL_FEATURES = DRAINS | DELAYS | SHARES;

  static final int MAX_NODE_ID = 0xFFFF;

  /** First bytes of a HELLO: "RINGWIRE" in ASCII, read as a little-endian number. */
  static final long MAGIC = 0x45_52_49_57_47_4E_49_52L;

  /** Where the fields of a HELLO begin: after header, magic and versions. */
  static final int HELLO_FIELDS = 24;

  /** Where the fields of a WELCOME begin: after header and version. */
  static final int WELCOME_FIELDS = 16;

  static final int FEATURES = 1;
  static final int CLUSTER = 2;
  static final int NODE = 3;
  static final int EXPECTED_NODE = 4;
  static final int INCARNATION = 5;
  static final int EXPECTED_INCARNATION = 6;
  static final int LINK = 7;
  static final int AUTHENTICATION = 8;
  static final int MAX_MESSAGE = 9;
  static final int WINDOW = 10;
  static final int RESPONSE_RESERVATION = 11;
  static final int TYPE = 12;
  static final int PROOF = 13;

  /** Bit of {@link #LINK}: the sender accepts links of its own. */
  static final int LISTENS = 1;

  /** Bit of {@link #LINK}: data flows on this link in both directions. */
  static final int SHARED = 2;

  /** Bit of {@link #LINK} in a HELLO: the opener only asks who is there. */
  static final int INQUIRY = 4;

  private Handshake() {}
}
