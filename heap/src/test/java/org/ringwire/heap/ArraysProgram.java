package org.ringwire.heap;

import java.util.Arrays;

/** Encodes into an array and decodes it, in a JVM that has done nothing else. */
final class ArraysProgram {
  private ArraysProgram() {}

  static void main() {
    HeapCodec codec = HeapCodec.builder().build();
    Object[] graph = {1, "two", new int[] {3, 4}, new float[100_000]};
    Object copy = codec.decode(codec.encode(graph));
    if (copy instanceof Object[] objects && Arrays.deepEquals(graph, objects)) {
      System.out.println("OK");
    }
  }
}
