package org.ringwire.heap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import org.ringwire.heap.Samples.Circle;

/** Two nodes whose channels are used for the first time; says when they begin to be. */
final class FirstUseProgram {

  /** What most graphs have some of, and what few have. */
  private static final List<Object> USUAL =
      List.of(
          new ArrayList<>(List.of(1, "two")),
          new HashMap<>(Map.of("three", 4)),
          List.of(1),
          Map.of(1, "one"),
          Collections.emptyList(),
          URI.create("http://example.org/"),
          EnumSet.noneOf(TimeUnit.class),
          new CopyOnWriteArraySet<>(List.of(1)),
          Collections.newSetFromMap(new HashMap<>()));

  private static final int MEMORY_BYTES = 100;

  private FirstUseProgram() {}

  /**
   * Writes and reads in both directions.
   *
   * @param args whether blocks are carried
   */
  public static void main(String... args) {
    boolean isCarried = Boolean.parseBoolean(args[0]);
    try (TestChannels channels = new TestChannels()) {
      HeapChannels one = channels.open(1, isCarried ? channels.left : null);
      HeapChannels two = channels.open(2, isCarried ? channels.right : null);
      HeapCodec codec = HeapCodec.builder().build();
      System.out.println("opened");
      for (int i = 0; i < 2; i++) {
        one.to(2).writeObject(new Circle(i));
        Object _ = two.to(1).readObject();
        for (Object each : USUAL) {
          one.to(2).writeObject(each);
          Object _ = two.to(1).readObject();
        }
        MemorySegment memory = Arena.ofAuto().allocate(MEMORY_BYTES);
        long length = codec.encode(i, memory);
        Object _ = codec.decode(memory.asSlice(0, length));
        two.to(1).writeObject(new byte[10_000]);
        Object _ = one.to(2).readObject();
      }
      System.out.println("closed");
    }
  }
}
