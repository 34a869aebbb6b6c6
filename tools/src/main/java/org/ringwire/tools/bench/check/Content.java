package org.ringwire.tools.bench.check;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/**
 * The content of messages: pseudo-random bytes that both sides make from the sender's index and the
 * length, so that the receiver can tell a wrong byte. The last 8 bytes, where there are as many,
 * are the sequence number: content of another message is told apart, too.
 */
public final class Content {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Content() {}

  /** Content of a sender, without a sequence number. */
  public static byte[] of(int sender, int length) {
    byte[] content = new byte[length];
    new Random(31L * sender + length).nextBytes(content);
    return content;
  }

  /** Writes the sequence number, if there is room for one. */
  public static void stamp(byte[] content, long sequence) {
    if (content.length >= Long.BYTES) {
      LONG.set(content, content.length - Long.BYTES, sequence);
    }
  }

  /** Whether content is what was expected but for the sequence number, and that is right. */
  public static boolean matches(byte[] content, byte[] expected, long sequence) {
    if (content.length != expected.length) {
      return false;
    }
    int fixed = Math.max(0, content.length - Long.BYTES);
    if (content.length < Long.BYTES) {
      return Arrays.equals(content, expected);
    }
    return (long) LONG.get(content, fixed) == sequence
        && Arrays.equals(content, 0, fixed, expected, 0, fixed);
  }
}
