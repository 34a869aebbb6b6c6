package org.ringwire.transport.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What both sides say first over the socket: that they speak this protocol in this version, and in
 * which file they will write. 8 bytes that are always the same, a length of 4 bytes, big-endian,
 * and the absolute path of the file in UTF-8; once that is mapped, one byte {@link #MAPPED}.
 */
final class Greeting {

  /** Says that the other side's file is mapped, and needs its name no more. */
  static final byte MAPPED = 1;

  /** "RWSHM", and the version, which changes with {@link SideLayout}: 2 since SLEEP has moved. */
  private static final long MAGIC = 0x5257_5348_4D00_0002L;

  private static final int HEAD = Long.BYTES + Integer.BYTES;
  private static final int LONGEST_PATH = 1000;

  private final ByteBuffer received = ByteBuffer.allocate(HEAD + LONGEST_PATH + 1);

  /** The bytes of a greeting. */
  static ByteBuffer of(Path file) {
    byte[] path = file.toString().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(HEAD + path.length)
        .putLong(MAGIC)
        .putInt(path.length)
        .put(path)
        .flip();
  }

  /** Where the next bytes of the other side go, at most as many as belong to the greeting. */
  ByteBuffer rest() {
    int wanted = received.position() < HEAD ? HEAD : HEAD + pathLength() + 1;
    return received.limit(wanted);
  }

  /** The other side's file, once it has said so. */
  @Nullable Path file() throws IOException {
    if (received.position() >= Long.BYTES && received.getLong(0) != MAGIC) {
      throw new IOException(
          "the other side does not speak this version of the protocol for shared memory");
    }
    if (received.position() < HEAD) {
      return null;
    }
    int length = pathLength();
    if (length <= 0 || length > LONGEST_PATH) {
      throw new IOException("the other side's file has a path of " + length + " bytes");
    }
    if (received.position() < HEAD + length) {
      return null;
    }
    try {
      return Path.of(new String(received.array(), HEAD, length, StandardCharsets.UTF_8));
    } catch (InvalidPathException e) {
      throw new IOException("the other side's file has no path", e);
    }
  }

  /** Whether the other side has mapped this side's file, too. */
  boolean isComplete() throws IOException {
    int end = HEAD + pathLength();
    boolean complete = received.position() > end;
    if (complete && received.get(end) != MAPPED) {
      throw new IOException("the other side says something unknown: " + received.get(end));
    }
    return complete;
  }

  private int pathLength() {
    return received.getInt(Long.BYTES);
  }
}
