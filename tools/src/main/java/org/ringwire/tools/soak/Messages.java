package org.ringwire.tools.soak;

/** What the nodes of a soak say to each other. */
final class Messages {

  private static final int SMALL = 200;
  private static final int MEDIUM = 20_000;
  private static final int LARGE = 600_000;

  private Messages() {}

  /** One way, numbered per stream of a life of a node to another. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Parcel(int node, int life, int stream, long number, byte[] content) {

    static Parcel of(SoakSpec from, int stream, long number) {
      byte[] content = new byte[length(stream, number)];
      for (int i = 0; i < content.length; i += STEP) {
        content[i] = at(number, i);
      }
      return new Parcel(from.node(), from.life(), stream, number, content);
    }

    boolean isWhole() {
      if (content.length != length(stream, number)) {
        return false;
      }
      for (int i = 0; i < content.length; i += STEP) {
        if (content[i] != at(number, i)) {
          return false;
        }
      }
      return true;
    }
  }

  private static final int STEP = 61;

  /** A request, numbered like a stream. */
  record Question(int node, int life, long number) {}

  /** Its answer. */
  record Answer(int node, long number) {}

  private static byte at(long number, int index) {
    return (byte) (number * 31 + index);
  }

  /** Mostly small; some fill buffers, a few are longer than the ring takes in one piece. */
  private static int length(int stream, long number) {
    int mix = (int) ((number * 0x9E3779B97F4A7C15L + stream) >>> 33);
    int kind = mix % 2000;
    int any = mix / 2000;
    if (kind == 0) {
      return any % LARGE;
    }
    return any % (kind < 20 ? MEDIUM : SMALL);
  }
}
