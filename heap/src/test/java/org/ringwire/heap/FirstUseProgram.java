package org.ringwire.heap;

import org.ringwire.heap.Samples.Circle;

/** Two nodes whose channels are used for the first time; says when they begin to be. */
final class FirstUseProgram {

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
      System.out.println("opened");
      for (int i = 0; i < 2; i++) {
        one.to(2).writeObject(new Circle(i));
        Object _ = two.to(1).readObject();
        two.to(1).writeObject(new byte[10_000]);
        Object _ = one.to(2).readObject();
      }
      System.out.println("closed");
    }
  }
}
