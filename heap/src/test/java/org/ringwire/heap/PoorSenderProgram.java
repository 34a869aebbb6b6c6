package org.ringwire.heap;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ringwire.Dispatch;
import org.ringwire.MemoryLimitException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.codec.MessageCatalog;

/** Graphs whose images are longer than the native memory that there is. */
final class PoorSenderProgram {
  static final String LIMIT = "-XX:MaxDirectMemorySize=48m";
  private static final int TIMES = 8;
  private static final int BYTES = 8 << 20;
  private static final int LEAST_BYTES = 1 << 10;
  private static final int STEP = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HeapCodec codec =
      HeapCodec.builder().accept(Parts.class).detectCycles(false).build();
  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();

  private PoorSenderProgram() {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Parts(Object[] parts) {}

  /** Prints OK if each of them is refused as such, and those for which there is memory are not. */
  public static void main(String... words) throws Exception {
    new PoorSenderProgram().run();
  }

  private void run() throws Exception {
    Object[] parts = new Object[TIMES];
    Arrays.fill(parts, new byte[BYTES]);
    Parts long64 = new Parts(parts);
    encodeWhileAllMemoryIsTaken();
    expectRefused("encode", () -> codec.encode(long64));
    byte[] image = Arrays.copyOf(codec.encode(null), TIMES * BYTES);
    ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).putLong(Long.BYTES, image.length);
    expectRefused("decode", () -> codec.decode(image));
    CompletableFuture<Parts> handled = new CompletableFuture<>();
    try (Node one = node(1);
        Node two = node(2);
        HeapChannels channels = HeapChannels.of(one, codec);
        HeapChannels reading = HeapChannels.of(two, codec)) {
      two.handle(Parts.class, Dispatch.POOLED, (message, _) -> handled.complete(message));
      expectRefused("send", () -> one.send(2, long64));
      expectRefused("trySend", () -> one.trySend(2, long64));
      String text = "x".repeat(TIMES * BYTES); // in one piece
      expectRefused("write", () -> channels.to(2).writeObject(text));
      readWhileAllMemoryIsTaken(channels.to(2), reading.to(1));
      one.send(2, new Parts(new Object[] {"next"}));
      Parts next = handled.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      System.out.println(next.parts[0].equals("next") ? "OK" : "another graph arrived");
    }
  }

  /** To let go of what an image has needed takes no memory. */
  private void encodeWhileAllMemoryIsTaken() throws IOException {
    List<ByteBuffer> taken = new ArrayList<>();
    OutputStream target =
        new OutputStream() {
          @Override
          public void write(int b) {}

          @Override
          public void write(byte[] b, int off, int len) {
            if (taken.isEmpty()) {
              takeAll(taken);
            }
          }
        };
    codec.encode(new Parts(new Object[] {new byte[3 * BYTES]}), target);
  }

  /** A text that came in pieces is put together, behind what could not be written. */
  private static void readWhileAllMemoryIsTaken(HeapChannel writing, HeapChannel reading) {
    try {
      Object lost = reading.readObject();
      throw new AssertionError("not refused: " + lost);
    } catch (GraphLostException e) {
      writing.writeObject("y".repeat(BYTES / 8));
    }
    List<ByteBuffer> taken = new ArrayList<>();
    takeAll(taken);
    expectRefused("read", reading::readObject);
    taken.clear();
    writing.writeObject("behind it");
    if (!"behind it".equals(reading.readObject())) {
      throw new AssertionError("another graph arrived in a channel");
    }
  }

  private static void takeAll(List<ByteBuffer> taken) {
    for (int bytes = BYTES / 2; bytes >= LEAST_BYTES; bytes /= STEP) {
      try {
        while (true) {
          taken.add(ByteBuffer.allocateDirect(bytes));
        }
      } catch (OutOfMemoryError e) {
        // what is left is less
      }
    }
  }

  private static void expectRefused(String what, Runnable work) {
    try {
      work.run();
    } catch (MemoryLimitException e) {
      return;
    }
    throw new AssertionError("not refused: " + what);
  }

  private Node node(int id) {
    MessageCatalog catalog = new MessageCatalog();
    catalog.register(Parts.class, codec.messageCodec(Parts.class));
    directory.put(id, "poor-sender-" + id);
    return Node.open(
        NodeConfig.builder(id)
            .transport("loopback")
            .listen("poor-sender-" + id)
            .peers(directory)
            .catalog(catalog)
            .keepAlive(PATIENCE) // as in PoorProgram
            .maxMessageLength(2 * TIMES * BYTES)
            .build());
  }
}
