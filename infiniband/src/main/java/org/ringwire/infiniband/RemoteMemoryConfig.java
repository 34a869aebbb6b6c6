package org.ringwire.infiniband;

import java.time.Duration;

/**
 * Limits of a {@link RemoteMemory}.
 *
 * @param exportBytes memory that is exported at a time, at most
 * @param cacheBytes memory of this node's operations that is registered at a time, at most: what
 *     they have used stays registered up to that, for the next ones
 * @param peers nodes that may use memory of this one at a time, at most, 1 to 65536
 * @param requests requests to a peer that are outstanding at a time, at most, 2 to 1024
 * @param connectTimeout for the queue pair to a peer
 */
public record RemoteMemoryConfig(
    long exportBytes, long cacheBytes, int peers, int requests, Duration connectTimeout) {

  /** 16 GiB, 1 GiB, 1024 peers, 64 requests, 10 seconds. */
  public static final RemoteMemoryConfig DEFAULT =
      new RemoteMemoryConfig(1L << 34, 1L << 30, 1024, 64, Duration.ofSeconds(10));

  /** Checks the ranges. */
  public RemoteMemoryConfig {
    check("exportBytes", exportBytes, 0, Long.MAX_VALUE);
    check("cacheBytes", cacheBytes, 1, Long.MAX_VALUE);
    check("peers", peers, 1, 1 << 16);
    check("requests", requests, 2, 1 << 10);
    if (connectTimeout.isNegative() || connectTimeout.isZero()) {
      throw new IllegalArgumentException("connectTimeout must be positive: " + connectTimeout);
    }
  }

  private static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be in " + least + ".." + most + ": " + name + "=" + value);
    }
  }
}
