package org.ringwire;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whom a node talks to: how both ends of a connection make sure of each other before the first
 * message. Immutable.
 *
 * <p>This alone neither encrypts nor signs messages: whoever can change packets on their way can
 * take a connection over after it was made. Use it in networks where that cannot happen, or with
 * {@link NodeConfig.Builder#tls}.
 */
public final class Authentication {

  /** The fewest bytes of a secret. */
  public static final int MIN_SECRET_LENGTH = 16;

  private static final Authentication LOCAL = new Authentication(Kind.LOCAL_ONLY, null);
  private static final Authentication NONE = new Authentication(Kind.NONE, null);

  private enum Kind {
    LOCAL_ONLY,
    NONE,
    SHARED_SECRET
  }

  private final Kind kind;
  private final byte @Nullable [] secret;

  private Authentication(Kind kind, byte @Nullable [] secret) {
    this.kind = kind;
    this.secret = secret;
  }

  /**
   * The default: nobody proves anything, and the node listens only where no other machine can
   * connect, which for tcp are loopback addresses such as {@code 127.0.0.1}. {@link Node#open}
   * refuses other addresses, unless {@link NodeConfig.Builder#tls} says who may connect.
   */
  public static Authentication localOnly() {
    return LOCAL;
  }

  /** Nobody proves anything: whoever reaches the address and knows the cluster's name is a node. */
  public static Authentication none() {
    return NONE;
  }

  /**
   * Both ends prove by a challenge that they know a secret, without sending it. All nodes of a
   * cluster have the same one. It does not tie a node to its id: every node that knows the secret
   * may take any id that is free; certificates do ({@link NodeConfig.Builder#tls}).
   *
   * @param secret at least {@link #MIN_SECRET_LENGTH} bytes; 32 random ones are good, a password is
   *     not: who sees a handshake can try guesses. Copied
   */
  public static Authentication sharedSecret(byte[] secret) {
    Objects.requireNonNull(secret, "secret must not be null");
    if (secret.length < MIN_SECRET_LENGTH) {
      throw new IllegalArgumentException(
          "the shared secret must have at least "
              + MIN_SECRET_LENGTH
              + " bytes: length="
              + secret.length);
    }
    return new Authentication(Kind.SHARED_SECRET, secret.clone());
  }

  /** Whether only processes of this machine may connect. */
  public boolean isLocalOnly() {
    return kind == Kind.LOCAL_ONLY;
  }

  /** A copy of the secret, or null if nothing is proved. */
  public byte @Nullable [] secret() {
    byte[] own = secret;
    return own == null ? null : own.clone();
  }

  /** What it is, without the secret. */
  @Override
  public String toString() {
    return kind.name();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Authentication that
        && that.kind == kind
        && Arrays.equals(that.secret, secret);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + Arrays.hashCode(secret);
  }
}
