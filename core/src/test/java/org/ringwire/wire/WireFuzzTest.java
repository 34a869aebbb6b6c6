package org.ringwire.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.ring.ReceiveBufferPool;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.assembly.FrameAssembler;

/**
 * Bytes that nobody meant to send: a {@link ProtocolException} or a result, bounded memory, and
 * nothing left behind. Each input has a seed of its own, which a failure names.
 */
@ExtendWith(NodeWatcher.class)
class WireFuzzTest {

  private static final boolean NIGHTLY = Boolean.getBoolean("ringwire.nightly");
  private static final int INPUTS = NIGHTLY ? 1_000_000 : 20_000;
  private static final int LIMIT = 1 << 30;

  private final ReceiveBufferPool pool = WirePools.open();
  private int violations;

  @AfterEach
  void returnsEveryBuffer() {
    WirePools.close(pool);
  }

  @Test
  void shouldSurviveRandomBytes() {
    for (int seed = 0; seed < INPUTS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] stream = new byte[random.nextInt(200)];
      random.nextBytes(stream);
      assemble(stream, random, seed);
    }
    assertThat(violations).isBetween(INPUTS / 2, INPUTS);
  }

  @Test
  void shouldSurviveMutatedStreams() {
    for (int seed = 0; seed < INPUTS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FrameStream frames = new FrameStream().messages(random, 1 + random.nextInt(6), 120);
      assemble(mutate(frames.bytes(), random), random, seed);
    }
    assertThat(violations).isBetween(INPUTS / 10, INPUTS);
  }

  @Test
  void shouldSurviveHeadersThatAreAlmostRight() {
    for (int seed = 0; seed < INPUTS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FrameStream frames = new FrameStream();
      for (int i = 0; i < 4; i++) {
        int kind = random.nextInt(32);
        int length = random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(64);
        byte[] body = new byte[random.nextInt(8) * 8];
        frames
            .add(FrameStream.header(FrameLayout.header(kind, random.nextInt(), length)))
            .add(body);
      }
      assemble(frames.bytes(), random, seed);
    }
    assertThat(violations).isBetween(INPUTS / 2, INPUTS);
  }

  @Test
  void shouldSurviveMutatedHandshakes() {
    List<byte[]> seeds =
        List.of(
            HandshakeSamples.HELLO.encode(),
            HandshakeSamples.FULL_HELLO.encode(),
            HandshakeSamples.WELCOME.encode(),
            HandshakeSamples.REFUSAL.encode(),
            HandshakeSamples.EDGE.encode());
    int parsed = 0;
    for (int seed = 0; seed < INPUTS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] frame = mutate(seeds.get(seed % seeds.size()), random);
      parsed += parse(frame, seed) ? 1 : 0;
    }
    assertThat(parsed).isGreaterThan(INPUTS / 100);
    assertThat(violations).isGreaterThan(INPUTS / 4);
  }

  @Test
  void shouldSurviveRandomFields() {
    for (int seed = 0; seed < INPUTS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FieldWriter out = new FieldWriter();
      boolean hello = random.nextBoolean();
      out.raw(8, hello ? Handshake.MAGIC : 1);
      if (hello) {
        out.raw(2, 1).raw(2, 1).raw(4, 0);
      }
      for (int i = random.nextInt(20); i > 0; i--) {
        int tag = 1 + random.nextInt(13) | (random.nextBoolean() ? FieldWriter.REQUIRED : 0);
        byte[] value = new byte[1 << random.nextInt(5)];
        random.nextBytes(value);
        out.bytes(tag, value);
      }
      int kind = hello ? FrameLayout.HELLO : FrameLayout.WELCOME;
      parse(out.frame(kind, 0, Handshake.MAX_FRAME_LENGTH), seed);
    }
    assertThat(violations).isGreaterThan(INPUTS / 2);
  }

  private void assemble(byte[] stream, SplittableRandom random, int seed) {
    FrameAssembler assembler = new FrameAssembler((memory, offset, header) -> {}, LIMIT, pool);
    try (assembler) {
      int at = 0;
      while (at < stream.length) {
        ByteBuffer destination = assembler.destination();
        int length = Math.min(1 + random.nextInt(stream.length), stream.length - at);
        if (destination == null) {
          assembler.received(MemorySegment.ofArray(stream), at, length);
        } else {
          destination.put(stream, at, length);
          assembler.receivedInDestination(length);
        }
        at += length;
        if (pool.outstandingBytes() > FrameAssembler.PROMPT_LENGTH) {
          throw new IllegalStateException("too much memory: bytes=" + pool.outstandingBytes());
        }
      }
    } catch (ProtocolException e) {
      violations++;
    } catch (RuntimeException | Error e) {
      fail("seed=" + seed + " stream=" + Arrays.toString(stream), e);
    }
    if (pool.outstanding() != 0) {
      fail("buffers not returned: seed=" + seed + " stream=" + Arrays.toString(stream));
    }
  }

  private boolean parse(byte[] frame, int seed) {
    MemorySegment memory = MemorySegment.ofArray(frame);
    long header = FrameLayout.readHeader(memory, 0);
    if (!FrameRules.allow(header, frame.length) || FrameLayout.length(header) > frame.length) {
      violations++; // an assembler hands out nothing else
      return false;
    }
    try {
      Object handshake =
          switch (FrameLayout.kind(header)) {
            case FrameLayout.HELLO -> Hello.parse(memory, 0, header);
            case FrameLayout.WELCOME -> Welcome.parse(memory, 0, header);
            case FrameLayout.REFUSE -> Refusal.parse(memory, 0, header);
            default -> TypeAnnouncement.parse(memory, 0, header);
          };
      return !handshake.toString().isEmpty();
    } catch (ProtocolException e) {
      violations++;
      return false;
    } catch (RuntimeException | Error e) {
      return fail("seed=" + seed + " frame=" + Arrays.toString(frame), e);
    }
  }

  /** Flips, overwrites, cuts or doubles some of the bytes. */
  private static byte[] mutate(byte[] source, SplittableRandom random) {
    byte[] bytes = source.clone();
    for (int i = 1 + random.nextInt(3); i > 0 && bytes.length > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt();
        case 2 -> bytes[at] = (byte) (random.nextBoolean() ? 0xFF : 0);
        case 3 -> bytes = Arrays.copyOf(bytes, Math.max(8, at));
        default -> {
          int length = Math.min(bytes.length - at, 1 + random.nextInt(16));
          byte[] longer = Arrays.copyOf(bytes, bytes.length + length);
          System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
          bytes = longer;
        }
      }
    }
    return bytes;
  }
}
