package org.ringwire.heap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ringwire.codec.Codec;
import org.ringwire.codec.DecodingException;

/** Encodes large graphs on many threads, one after the other, in a JVM with little memory. */
final class LargeImagesProgram {
  private static final int THREADS = 48;
  private static final int MEASURING_THREADS = 4;
  private static final int MEASURED = 4;
  private static final long PATIENCE_SECONDS = 60;
  private static final int MIB = 1 << 20;
  private static final byte OBJECT_ARRAY = 34;
  private static final byte LATER = 2;

  private LargeImagesProgram() {}

  /** The arguments are what to do: copy, refuse, or measure; and with how many MiB. */
  public static void main(String[] words) throws InterruptedException {
    int bytes = Integer.parseInt(words[1]) * MIB;
    HeapCodec codec = HeapCodec.builder().build();
    if (words[0].equals("measure")) {
      measure(codec.messageCodec(Object[].class), new byte[bytes]);
      return;
    }
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

  /** Threads that live on measure messages that they do not send. */
  private static void measure(Codec<Object[]> codec, byte[] bytes) throws InterruptedException {
    for (int i = 0; i < MEASURING_THREADS; i++) {
      Semaphore measured = new Semaphore(0);
      Thread _ =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                for (int j = 0; j < MEASURED; j++) {
                  int length = codec.length(new Object[] {bytes});
                  System.out.println("measured: bytes=" + length);
                }
                measured.release();
                LockSupport.park();
              });
      if (!measured.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("a thread has ended before");
      }
    }
    System.out.println("OK");
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
