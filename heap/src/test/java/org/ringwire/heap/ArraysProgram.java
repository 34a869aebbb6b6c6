package org.ringwire.heap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;

/** Encodes into an array and decodes it, in a JVM that has done nothing else. */
final class ArraysProgram {
  /** No record, whose own methods would be made when they are called. */
  private static final class Own {
    private final int number;
    private final String text;

    Own(int number, String text) {
      this.number = number;
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Own own && number == own.number && text.equals(own.text);
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  private ArraysProgram() {}

  static void main() {
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.ringwire.heap").build();
    Object[] graph = {
      1,
      "two",
      new int[] {3, 4},
      new float[100_000],
      new ArrayList<>(Collections.singletonList("five")),
      new HashMap<>(Collections.singletonMap(6, "seven")),
      new Own(8, "nine")
    };
    Object copy = codec.decode(codec.encode(graph));
    if (copy instanceof Object[] objects && Arrays.deepEquals(graph, objects)) {
      System.out.println("OK");
    }
  }
}
