package org.ringwire.infiniband.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class DatagramTest {

  private static final long TOKEN = 0x0123_4567_89ab_cdefL;

  private static Datagram acknowledgement() {
    Datagram head = new Datagram();
    head.kind = Datagram.ACKNOWLEDGEMENT;
    head.next = 0x01020304;
    head.window = 256;
    head.sentUs = 7;
    head.echoUs = 9;
    head.wordCount = 2;
    head.words[0] = 5;
    head.words[1] = -1;
    head.address(0xfedc, 16);
    return head;
  }

  private static byte[] write(Datagram head) {
    byte[] bytes = new byte[Datagram.LENGTH + head.contentLength()];
    int _ = head.write(MemorySegment.ofArray(bytes), 0, TOKEN);
    return bytes;
  }

  private static boolean isGood(byte[] bytes) {
    MemorySegment memory = MemorySegment.ofArray(bytes);
    Datagram read = new Datagram();
    return read.read(memory, 0, bytes.length) && read.isGenuine(memory, 0, TOKEN);
  }

  /** The format is a promise to other versions. */
  @Test
  void shouldKeepFormat() {
    byte[] bytes = write(acknowledgement());
    assertThat(HexFormat.of().formatHex(bytes, 0, 24))
        .isEqualTo("0104dcfe0000000004030201000110000700000009000000");
    assertThat(HexFormat.of().formatHex(bytes, 28, 44))
        .isEqualTo("0500000000000000ffffffffffffffff");
    assertThat(isGood(bytes)).isTrue();
  }

  @Test
  void shouldReadWhatWasWritten() {
    byte[] bytes = write(acknowledgement());
    Datagram read = new Datagram();
    assertThat(read.read(MemorySegment.ofArray(bytes), 0, bytes.length)).isTrue();
    assertThat(read.linkNumber()).isEqualTo(0xfedc);
    assertThat(read.isNumbered()).isFalse();
    assertThat(read.hasArrived(0)).isTrue();
    assertThat(read.hasArrived(1)).isFalse();
    assertThat(read.hasArrived(127)).isTrue();
  }

  /** Of the head and the bitmap; the content of data is guarded by the network. */
  @Test
  void shouldFindEveryBitThatIsWrong() {
    byte[] bytes = write(acknowledgement());
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(isGood(bytes)).as("bit %s", bit).isFalse();
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
    }
    assertThat(isGood(bytes)).isTrue();
  }

  @Test
  void shouldRefuseAnotherToken() {
    byte[] bytes = write(acknowledgement());
    Datagram read = new Datagram();
    MemorySegment memory = MemorySegment.ofArray(bytes);
    assertThat(read.read(memory, 0, bytes.length)).isTrue();
    assertThat(read.isGenuine(memory, 0, TOKEN + 1)).isFalse();
  }

  /** Random bytes of any length: nothing is thrown, and next to nothing is taken for genuine. */
  @Test
  void shouldBearAnyBytes() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    int good = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[random.nextInt(80)];
      random.nextBytes(bytes);
      if (bytes.length > 15 && random.nextBoolean()) { // so that more is looked at
        bytes[0] = 1;
        bytes[1] = (byte) random.nextInt(6);
        bytes[14] = (byte) (bytes.length - Datagram.LENGTH);
        bytes[15] = 0;
      }
      good += isGood(bytes) ? 1 : 0;
    }
    assertThat(good).as("seed=%s", seed).isLessThan(2);
  }
}
