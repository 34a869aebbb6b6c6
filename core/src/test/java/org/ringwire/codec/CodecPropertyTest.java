package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.testing.NodeWatcher;

/**
 * Random messages of every kind of component, whole, cut short and damaged. The seed of a run is in
 * the message of a failure; {@code -Dringwire.seed=N} repeats it.
 */
@ExtendWith(NodeWatcher.class)
class CodecPropertyTest {
  private static final boolean NIGHTLY = Boolean.getBoolean("ringwire.nightly");
  private static final int ROUND_TRIPS = NIGHTLY ? 20_000 : 150;
  private static final int MUTATIONS = NIGHTLY ? 80_000 : 1_000;
  private static final long SEED = Long.getLong("ringwire.seed", new Random().nextLong());

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** An exception with its stack trace, the reader and its arrays. */
  private static final long ALLOWANCE = 64 * 1024;

  /** A bit for null becomes a reference, an empty element an object. */
  private static final long EXPANSION = 160;

  private final MessageCatalog catalog = new MessageCatalog();
  private final Random random = new Random(SEED);
  private final RandomValues values = new RandomValues(random);

  @Test
  void shouldPassRandomMessages() {
    for (Class<? extends Record> type : RandomValues.types()) {
      for (int i = 0; i < ROUND_TRIPS; i++) {
        checkRoundTrip(positive(type));
      }
    }
  }

  /** The one constructor that refuses values gets good ones. */
  private Record positive(Class<? extends Record> type) {
    return type == GeneratedCodecTest.Strict.class
        ? new GeneratedCodecTest.Strict(random.nextInt(1000))
        : values.record(type);
  }

  private <T extends Record> void checkRoundTrip(T message) {
    @SuppressWarnings("unchecked")
    Codec<T> codec = catalog.typeOf((Class<T>) message.getClass()).codec();
    byte[] bytes = Codecs.encode(codec, message);
    T copy = Codecs.decode(codec, bytes);
    assertThat(Texts.of(copy)).as("seed=%d", SEED).isEqualTo(Texts.of(message));
    assertThat(Codecs.encode(codec, copy)).as("seed=%d %s", SEED, message).isEqualTo(bytes);
  }

  @Test
  void shouldRefuseEveryTruncation() {
    for (Class<? extends Record> type : RandomValues.types()) {
      for (int i = 0; i < 20; i++) {
        checkTruncations(positive(type));
      }
    }
  }

  private <T extends Record> void checkTruncations(T message) {
    @SuppressWarnings("unchecked")
    Codec<T> codec = catalog.typeOf((Class<T>) message.getClass()).codec();
    byte[] bytes = Codecs.encode(codec, message);
    int step = Math.max(1, bytes.length / 500);
    for (int length = 0; length < bytes.length; length += step) {
      Reader reader = new Reader();
      reader.wrap(MemorySegment.ofArray(bytes), 0, length);
      assertThatThrownBy(() -> codec.decode(reader))
          .as("seed=%d length=%d of %d %s", SEED, length, bytes.length, message)
          .isInstanceOf(DecodingException.class);
    }
  }

  @Test
  void shouldRefuseOrReadWhateverIsDamaged() {
    int refused = 0;
    int read = 0;
    for (Class<? extends Record> type : RandomValues.types()) {
      Codec<? extends Record> codec = catalog.typeOf(type).codec();
      for (int i = 0; i < MUTATIONS; i++) {
        if (isRead(codec, mutate(encode(positive(type))))) {
          read++;
        } else {
          refused++;
        }
      }
    }
    assertThat(refused).isPositive();
    assertThat(read).isPositive();
  }

  @SuppressWarnings("unchecked")
  private <T extends Record> byte[] encode(T message) {
    Codec<T> codec = catalog.typeOf((Class<T>) message.getClass()).codec();
    byte[] bytes = new byte[codec.length(message)];
    Writer writer = new Writer();
    writer.wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
    codec.encode(message, writer);
    return bytes;
  }

  private byte[] mutate(byte[] original) {
    byte[] bytes = Arrays.copyOf(original, original.length + random.nextInt(3) * random.nextInt(6));
    for (int n = 1 + random.nextInt(3); n > 0 && bytes.length > 0; n--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt();
        case 2 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 5), (byte) 0xff);
        case 3 -> bytes = Arrays.copyOf(bytes, at);
        default -> System.arraycopy(bytes, 0, bytes, at, Math.min(at, bytes.length - at));
      }
    }
    return bytes;
  }

  private boolean isRead(Codec<? extends Record> codec, byte[] bytes) {
    long limit = ALLOWANCE + EXPANSION * bytes.length;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    final boolean read = tryRead(codec, bytes);
    if (THREADS.getCurrentThreadAllocatedBytes() - before > limit) {
      before = THREADS.getCurrentThreadAllocatedBytes(); // the first use of a class loads it
      tryRead(codec, bytes);
      assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
          .as("seed=%d allocated for %s", SEED, Arrays.toString(bytes))
          .isLessThan(limit);
    }
    return read;
  }

  /** Whether the bytes could be read; fails for any exception that must not come out. */
  private static boolean tryRead(Codec<? extends Record> codec, byte[] bytes) {
    try {
      assertThat(codec.decode(Codecs.reader(bytes))).isNotNull();
      return true;
    } catch (DecodingException e) {
      assertThat(e).hasMessageMatching("(?s).{10,}");
    } catch (IllegalArgumentException e) {
      assertThat(e).as("seed=%d", SEED).hasMessageStartingWith("negative: ");
    } catch (MessagingException e) { // costs its message only
      assertThat(e).as("seed=%d", SEED).hasMessageContaining("equal here");
    } catch (RuntimeException | Error e) {
      throw new AssertionError("seed=" + SEED + " bytes=" + Arrays.toString(bytes), e);
    }
    return false;
  }

  @Test
  void shouldNotAllocateForCountsThatCannotBeTrue() {
    byte[] hostile = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7};
    for (Class<? extends Record> type :
        Arrays.asList(
            GeneratedCodecTest.Arrays1.class,
            GeneratedCodecTest.References.class,
            GeneratedCodecTest.Collections1.class)) {
      Codec<? extends Record> codec = catalog.typeOf(type).codec();
      assertThatThrownBy(() -> codec.decode(Codecs.reader(hostile)))
          .isInstanceOf(DecodingException.class)
          .hasMessageContaining("remaining 0");
      long before = THREADS.getCurrentThreadAllocatedBytes();
      assertThat(tryRead(codec, hostile)).isFalse();
      assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(ALLOWANCE);
    }
  }
}
