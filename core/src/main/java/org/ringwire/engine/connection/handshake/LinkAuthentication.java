package org.ringwire.engine.connection.handshake;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.ringwire.wire.Bytes32;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.ProtocolException;
import org.ringwire.wire.ProtocolException.Reason;
import org.ringwire.wire.Welcome;

/**
 * Shows on one link that both sides know the cluster's secret, without sending it.
 *
 * <p>The opener sends a HELLO with 32 random bytes, the acceptor answers with 32 random bytes of
 * its own. Both proofs are HMAC-SHA-256 with the secret over the name of the role that proves, the
 * SHA-256 of the HELLO, and the acceptor's random bytes: a proof is good for one link, one HELLO
 * and one role, so that nobody can use one that another node has made. The opener proves first; the
 * acceptor's proof comes with its WELCOME.
 *
 * <p>Used by the thread that reads the link, and before the first input by the one that opens it.
 */
public final class LinkAuthentication {

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] OPENER = "ringwire opener".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ACCEPTOR = "ringwire acceptor".getBytes(StandardCharsets.US_ASCII);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte @Nullable [] secret;
  private byte @Nullable [] helloDigest;
  private @Nullable Bytes32 challenge;

  /** For a link; without secret nothing is proved. */
  public LinkAuthentication(byte @Nullable [] secret) {
    this.secret = secret;
  }

  /**
   * Takes random numbers for the first time, where links will: on the thread that opens the node.
   * The JDK may have to gather for seconds what it makes them of.
   */
  public static void prepare() {
    Bytes32 _ = random();
  }

  /** Whether this side demands a proof, and gives one. */
  public boolean isRequired() {
    return secret != null;
  }

  /** The method that a HELLO names. */
  public int method() {
    return isRequired() ? Handshake.SHARED_SECRET : Handshake.NO_AUTHENTICATION;
  }

  /** Random bytes for a HELLO; null if nothing is proved. */
  public static @Nullable Bytes32 nonce(byte @Nullable [] secret) {
    return secret == null ? null : random();
  }

  /** Both sides: the whole HELLO as it is on the wire. */
  public void hello(byte[] frame) {
    if (isRequired()) {
      helloDigest = sha256(frame);
    }
  }

  /** Acceptor: random bytes that the opener has to answer. */
  public Bytes32 challenge() {
    Bytes32 made = random();
    challenge = made;
    return made;
  }

  /**
   * Opener: takes the acceptor's random bytes.
   *
   * @throws ProtocolException if no proof was offered, or it was asked for already
   */
  public void challenged(Bytes32 bytes) {
    if (!isRequired() || challenge != null) {
      throw new ProtocolException(
          Reason.AUTHENTICATION, "the peer asks for a proof that was not offered, or again");
    }
    challenge = bytes;
  }

  /** What the opener sends after it was challenged. */
  public Bytes32 openerProof() {
    return proof(OPENER);
  }

  /** What the acceptor sends with its WELCOME; null if nothing is proved. */
  public @Nullable Bytes32 acceptorProof() {
    return isRequired() ? proof(ACCEPTOR) : null;
  }

  /** Acceptor: whether the opener knows the secret. */
  public boolean isOpenerProof(Bytes32 given) {
    return proof(OPENER).equals(given);
  }

  /**
   * Opener: looks whether the acceptor knows the secret, or need not.
   *
   * @throws ProtocolException if it does not
   */
  public void check(Welcome welcome) {
    if (!accepts(welcome.proof())) {
      throw new ProtocolException(
          Reason.AUTHENTICATION, "the acceptor has not proved that it knows the shared secret");
    }
  }

  /** Opener: whether the acceptor knows the secret, or need not. */
  public boolean accepts(@Nullable Bytes32 given) {
    return !isRequired() || (given != null && challenge != null && given.equals(proof(ACCEPTOR)));
  }

  private Bytes32 proof(byte[] role) {
    byte[] key = secret;
    byte[] digest = helloDigest;
    Bytes32 answered = challenge;
    if (key == null || digest == null || answered == null) {
      throw new IllegalStateException("nothing to prove yet");
    }
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update(role);
      mac.update(digest);
      mac.update(answered.bytes());
      return Bytes32.of(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static Bytes32 random() {
    byte[] bytes = new byte[Bytes32.LENGTH];
    RANDOM.nextBytes(bytes);
    return Bytes32.of(bytes);
  }
}
