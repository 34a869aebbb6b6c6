package org.ringwire.heap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.ringwire.codec.DecodingException;

/** Copies large graphs on many threads, one after the other, in a JVM with little memory. */
final class LargeImagesProgram {
  private static final int THREADS = 48;
  private static final int MIB = 1 << 20;
  private static final byte OBJECT_ARRAY = 34;
  private static final byte LATER = 2;

  private LargeImagesProgram() {}

  /** The arguments are what to do: copy, or refuse; and with how many MiB. */
  public static void main(String[] words) throws InterruptedException {
    int bytes = Integer.parseInt(words[1]) * MIB;
    HeapCodec codec = HeapCodec.builder().build();
    Throwable[] failure = new Throwable[1];
    for (int i = 0; i < THREADS && failure[0] == null; i++) {
      Thread thread =
          new Thread(() -> {
            try {
              if (words[0].equals("copy")) {
                copy(codec, bytes);
              } else {
                refuse(codec, bytes);
              }
            } catch (Throwable e) {
              failure[0] = e;
            }
          });
      thread.start();
      thread.join();
    }
    System.out.println(failure[0] == null ? "OK" : failure[0]);
    System.exit(failure[0] == null ? 0 : 1);
  }

  private static void copy(HeapCodec codec, int bytes) {
    byte[] copied = (byte[]) codec.decode(codec.encode(new byte[bytes]));
    if (Objects.requireNonNull(copied).length != bytes) {
      throw new AssertionError("another length");
    }
  }

  /** An image that puts off all it has, and then ends. */
  private static void refuse(HeapCodec codec, int bytes) {
    byte[] image = Arrays.copyOf(codec.encode(null), 16);
    image = Arrays.copyOf(image, bytes);
    Arrays.fill(image, 16, bytes, LATER);
    ByteBuffer.wrap(image)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(8, bytes)
        .put(16, OBJECT_ARRAY)
        .putInt(17, bytes - 21);
    try {
      codec.decode(image);
    } catch (DecodingException e) {
      return;
    }
    throw new AssertionError("not refused");
  }
}
