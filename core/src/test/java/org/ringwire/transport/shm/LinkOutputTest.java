package org.ringwire.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.ring.OutboundRing;
import org.ringwire.testing.NodeWatcher;

/** What a link offers, and when the memory that it came from may be used again. */
@ExtendWith(NodeWatcher.class)
class LinkOutputTest {

  private static final int RING = 1 << 16;
  private static final long COPIES = SideLayout.COPIES_LENGTH;

  private final Arena arena = Arena.ofShared();
  private final RangeSource source = new RangeSource();
  private SharedFolder folder;
  private OwnSide own;
  private OwnSide reader; // of the peer
  private PeerSide peer;
  private SocketChannel channel;
  private RingFiles rings;
  private MemorySegment ring;
  private LinkOutput output;

  @BeforeEach
  void open() throws IOException {
    folder = SharedFolder.open();
    own = OwnSide.create(folder);
    reader = OwnSide.create(folder);
    peer = OpenSide.in(folder, reader.file());
    channel = SocketChannel.open();
    rings = new RingFiles(folder);
    ring = rings.allocate(arena, RING);
    output = new LinkOutput(own, peer, rings, new Doorbell(channel), RING / 2);
  }

  @AfterEach
  void close() throws IOException {
    arena.close();
    channel.close();
    peer.close();
    reader.close();
    own.close();
    folder.close();
  }

  private boolean write(MemorySegment memory, long length) throws IOException {
    source.offer(memory, length);
    return output.write(source);
  }

  /** Whatever was wrong with the first, as a stack that has ended there. */
  @Test
  void shouldRingAgainWhatItHasFailedToRing() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    Doorbell.Button button = new Doorbell(channel).new Button();
    assertThatThrownBy(() -> button.press(1)).isInstanceOf(NotYetConnectedException.class);
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(here, 0));
      assertThat(channel.connect(server.getLocalAddress())).isTrue();
      button.press(1);
      button.press(1);
      channel.shutdownOutput();
      try (SocketChannel bell = server.accept()) {
        ByteBuffer heard = ByteBuffer.allocate(8);
        while (bell.read(heard) >= 0) {
          assertThat(heard.hasRemaining()).isTrue();
        }
        assertThat(heard.position()).isOne();
      }
    }
  }

  @Test
  void shouldCompleteAtOnceWhatWasCopied() throws IOException {
    assertThat(write(ring, SideLayout.WITHIN_LENGTH)).isTrue();
    assertThat(source.completed()).isEqualTo(SideLayout.WITHIN_LENGTH);
    assertThat(write(arena.allocate(1000), 1000)).isTrue();
    assertThat(source.completed()).isEqualTo(SideLayout.WITHIN_LENGTH + 1000L);
    assertThat(output.outstanding()).isZero();
  }

  @Test
  void shouldCompleteInOrderWhatThePeerReadsInTheRing() throws IOException {
    assertThat(write(ring, 10)).isTrue(); // descriptor 0
    assertThat(write(ring, 1000)).isTrue(); // 1 names the ring, 2
    assertThat(write(ring, 20)).isTrue(); // 3
    assertThat(source.completed()).isEqualTo(10);
    assertThat(output.outstanding()).isEqualTo(1020);
    reader.consume(2);
    assertThat(output.complete()).isTrue();
    assertThat(source.completed()).isEqualTo(10);
    reader.consume(3);
    assertThat(output.complete()).isTrue();
    assertThat(source.completed()).isEqualTo(1010);
    assertThat(write(ring, 30)).isTrue(); // 4: what is before it was copied as well
    assertThat(source.completed()).isEqualTo(1040);
    assertThat(output.outstanding()).isEqualTo(20);
    reader.consume(4);
    assertThat(output.complete()).isTrue();
    assertThat(source.completed()).isEqualTo(1060);
    assertThat(output.outstanding()).isZero();
  }

  /** Else each frame that is encoded there waits for its own, which the peer's processor has. */
  @Test
  void shouldWriteToEachCacheLineOfWhatThePeerHasReadBeforeItIsCompleted() throws IOException {
    List<Long> seen = new ArrayList<>();
    ring.fill((byte) -1);
    source.offer(ring, 72, 20_000); // descriptor 0 names the ring, 1
    assertThat(output.write(source)).isTrue();
    assertThat(written()).as("while the peer may read it").isEmpty();
    source.beforeCompletion(() -> seen.addAll(written()));
    reader.consume(2);
    assertThat(output.complete()).isTrue();
    assertThat(seen).isEqualTo(LongStream.range(2, 313).map(line -> 64 * line).boxed().toList());
    assertThat(written()).isEqualTo(seen);
  }

  @Test
  void shouldLeaveTheCacheLinesOfFewBytesWhereTheyAre() throws IOException {
    ring.fill((byte) -1);
    source.offer(ring, 0, 16_000); // descriptor 0 names the ring, 1
    assertThat(output.write(source)).isTrue();
    reader.consume(2);
    assertThat(output.complete()).isTrue();
    assertThat(written()).isEmpty();
  }

  /** Offsets of the words of the ring that are not as they were filled. */
  private List<Long> written() {
    return LongStream.range(0, RING / Long.BYTES)
        .map(word -> word * Long.BYTES)
        .filter(offset -> ring.get(ValueLayout.JAVA_LONG, offset) != -1)
        .boxed()
        .toList();
  }

  /** The I/O thread may complete what was copied behind bytes of the ring, at any time. */
  @Test
  void shouldCompleteWithoutTheOthersOnlyIfNothingIsOutstanding() throws IOException {
    assertThat(write(ring, 1000)).isTrue(); // descriptor 0 names the ring, 1
    assertThat(write(ring, 20)).isTrue(); // 2
    reader.consume(2);
    assertThat(output.complete()).isTrue();
    assertThat(write(ring, 30)).isTrue(); // 3: no byte of the ring is before it
    assertThat(output.outstanding()).isEqualTo(20);
    assertThat(source.completed()).isEqualTo(1030);
    assertThat(source.alone()).isZero();
    reader.consume(3);
    assertThat(output.complete()).isTrue();
    assertThat(write(ring, 40)).isTrue();
    assertThat(source.completed()).isEqualTo(1090);
    assertThat(source.alone()).isOne();
  }

  /** A ring that rested is freed, and the next one takes its place in the address space. */
  @Test
  void shouldTellOfEachRingEvenIfItLiesWhereAnotherHasBeen() throws IOException {
    try (PeerSide seen = OpenSide.in(folder, own.file())) {
      for (long number = 0; number < 20; number += 2) {
        try (Arena ofRing = Arena.ofShared()) {
          assertThat(write(rings.allocate(ofRing, RING), 1000)).isTrue();
          assertThat(SideLayout.kind(seen.word(number))).isEqualTo(SideLayout.NEW_RING);
          assertThat(SideLayout.kind(seen.word(number + 1))).isEqualTo(SideLayout.IN_RING);
          reader.consume(number + 2);
          assertThat(output.complete()).isTrue();
        }
      }
    }
  }

  @Test
  void shouldTellOnceOfTheShortestRingInPlaceOfOneThatRests() throws IOException {
    try (PeerSide seen = OpenSide.in(folder, own.file())) {
      output.rest(); // the peer knows of no ring
      assertThat(write(ring, 1000)).isTrue(); // descriptor 0 names the ring, 1
      reader.consume(2);
      output.rest();
      output.rest();
      assertThat(SideLayout.kind(seen.word(2))).isEqualTo(SideLayout.NEW_RING);
      assertThat(SideLayout.isOf(seen.word(3), 3)).isFalse();
      assertThat(lengthsOfRings()).contains(OutboundRing.MIN_CAPACITY);
      reader.consume(3);
      assertThat(output.complete()).isTrue();
      assertThat(output.isRingTold()).isFalse();
      assertThat(lengthsOfRings()).doesNotContain(OutboundRing.MIN_CAPACITY);
      assertThat(write(ring, 1000)).isTrue(); // 3 names the ring again, 4
      assertThat(SideLayout.kind(seen.word(3))).isEqualTo(SideLayout.NEW_RING);
      assertThat(SideLayout.kind(seen.word(4))).isEqualTo(SideLayout.IN_RING);
    }
  }

  /** The peer may be late, and the ring used again at once. */
  @Test
  void shouldRemoveEachNameWhenThePeerIsDoneWithIt() throws IOException {
    assertThat(write(ring, 1000)).isTrue(); // descriptor 0 names the ring, 1
    reader.consume(2);
    output.rest(); // 2
    assertThat(write(ring, 1000)).isTrue(); // 3 names the ring again, 4
    assertThat(lengthsOfRings()).contains(OutboundRing.MIN_CAPACITY);
    reader.consume(3);
    assertThat(output.complete()).isTrue();
    assertThat(lengthsOfRings()).doesNotContain(OutboundRing.MIN_CAPACITY);
    assertThat(output.isRingTold()).isTrue();
    reader.consume(5);
    assertThat(output.complete()).isTrue();
    assertThat(output.isRingTold()).isFalse();
  }

  /** Its name has to begin anew there. */
  @Test
  void shouldTellOfTheShortestRingAlsoWhereTheCopiesEnd() throws IOException {
    assertThat(write(ring, 1000)).isTrue(); // descriptor 0 names the ring, 1
    reader.consume(2);
    assertThat(output.complete()).isTrue();
    long name = nameLength();
    assertThat(write(arena.allocate(COPIES - name - 10), COPIES - name - 10)).isTrue(); // 2 to 5
    reader.consume(6);
    output.rest();
    assertThat(output.isRingTold()).isTrue();
    assertThat(lengthsOfRings()).contains(OutboundRing.MIN_CAPACITY);
  }

  private long nameLength() throws IOException {
    try (PeerSide seen = OpenSide.in(folder, own.file())) {
      return SideLayout.length(seen.word(0));
    }
  }

  /** Where there is no page left there would be none before the ring's memory has gone. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldNeedNoPageForTheShortestRing() throws Exception {
    Path shortest = rings.shortest();
    Process stat = new ProcessBuilder("stat", "-c", "%b %s", shortest.toString()).start();
    String said = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(stat.waitFor()).isZero();
    assertThat(said.strip()).isEqualTo("0 " + OutboundRing.MIN_CAPACITY);
  }

  /** It may be about to map it. */
  @Test
  void shouldKeepTheNameForAWhileIfTheLinkEndsBeforeThePeerHasMappedIt() throws IOException {
    assertThat(write(ring, 1000)).isTrue();
    reader.consume(2);
    output.rest();
    output.close();
    rings.trim(System.nanoTime());
    assertThat(lengthsOfRings()).contains(OutboundRing.MIN_CAPACITY);
    rings.trim(System.nanoTime() + RingFiles.KEEP_NS);
    assertThat(lengthsOfRings()).doesNotContain(OutboundRing.MIN_CAPACITY);
  }

  /** Of those that have names. */
  private List<Long> lengthsOfRings() throws IOException {
    List<Long> lengths = new ArrayList<>();
    try (DirectoryStream<Path> named = Files.newDirectoryStream(folder.path(), "ring-*")) {
      for (Path each : named) {
        lengths.add(Files.size(each));
      }
    }
    return lengths;
  }

  /** Memory that is no ring may lie where one has been whose file is not forgotten yet. */
  @Test
  void shouldTakeNoOtherMemoryForARingThatHasBeenThere() throws IOException {
    for (int time = 0; time < 10; time++) {
      try (Arena ofRing = Arena.ofShared()) {
        assertThat(rings.find(rings.allocate(ofRing, RING))).isNotNull();
      }
      try (Arena other = Arena.ofShared()) {
        SharedFolder.Mapped created = folder.create("other", RING, other);
        assertThat(rings.find(created.memory())).isNull();
      }
    }
  }

  /** The peer may be about to read what an ended link has written last. */
  @Test
  void shouldKeepTheNameOfARingForAWhileThoughAnotherTakesItsPlace() throws IOException {
    Path file;
    try (Arena ofRing = Arena.ofShared()) {
      file = Objects.requireNonNull(rings.find(rings.allocate(ofRing, RING))).file();
    }
    rings.allocate(arena, RING);
    assertThat(file).exists();
    rings.trim(0);
    for (int others = 1; others < 10; others++) { // links that are new within that while
      rings.trim(RingFiles.KEEP_NS * others / 10);
      assertThat(file).exists();
    }
    rings.trim(RingFiles.KEEP_NS);
    assertThat(file).doesNotExist();
  }

  /** All places are taken by little that lies within them, when the first ring is to be told of. */
  @Test
  void shouldGoOnWhenThePeerHasReadThoughThereWasNoPlaceToTellOfARing() throws IOException {
    for (int number = 0; number < SideLayout.SLOTS; number++) {
      assertThat(write(ring, 8)).isTrue();
    }
    assertThat(write(ring, 1000)).isFalse();
    reader.consume(SideLayout.SLOTS);
    assertThat(output.write(source)).isTrue();
    assertThat(source.left()).isZero();
  }

  @Test
  void shouldUseEachPlaceAgainOnlyWhenThePeerIsDoneWithIt() throws IOException {
    for (int number = 0; number < SideLayout.SLOTS; number++) {
      assertThat(write(ring, 8)).isTrue();
    }
    assertThat(write(ring, 8)).isFalse();
    assertThat(source.completed()).isEqualTo(8L * SideLayout.SLOTS);
    reader.consume(1);
    assertThat(write(ring, 8)).isTrue();
    assertThat(write(ring, 8)).isFalse();
  }
}
