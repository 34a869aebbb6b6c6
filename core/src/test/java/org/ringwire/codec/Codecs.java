package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Passes objects through codecs the way the library does: exact room, one pass each way. */
final class Codecs {
  private static final byte GUARD = (byte) 0xa5;
  private static final int GUARDS = 9;

  private Codecs() {}

  /** The bytes of a message; checks that codec writes exactly what it announced, nothing beyond. */
  static <T> byte[] encode(Codec<T> codec, T message) {
    int length = codec.length(message);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(length + 2L * GUARDS);
      memory.fill(GUARD);
      Writer writer = new Writer();
      writer.wrap(memory, GUARDS, length);
      codec.encode(message, writer);
      assertThat(writer.position()).as("written to the announced end").isEqualTo(writer.limit());
      for (long i = 0; i < GUARDS; i++) {
        assertThat(memory.get(ValueLayout.JAVA_BYTE, i)).isEqualTo(GUARD);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, memory.byteSize() - 1 - i)).isEqualTo(GUARD);
      }
      return memory.asSlice(GUARDS, length).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /** The message of bytes; checks that all of them were read. */
  static <T> T decode(Codec<T> codec, byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(bytes.length + 3L);
      MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 3, bytes.length);
      Reader reader = new Reader();
      reader.copyViews(true);
      reader.wrap(memory, 3, bytes.length);
      T message = codec.decode(reader);
      assertThat(reader.remaining()).as("bytes left unread").isZero();
      return message;
    }
  }

  static <T> T roundTrip(Codec<T> codec, T message) {
    return decode(codec, encode(codec, message));
  }

  @SuppressWarnings("unchecked")
  static <T> T roundTrip(MessageCatalog catalog, T message) {
    return roundTrip(catalog.typeOf((Class<T>) message.getClass()).codec(), message);
  }

  /** A reader over a copy of bytes. */
  static Reader reader(byte... bytes) {
    Reader reader = new Reader();
    reader.wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
    return reader;
  }

  static Reader reader(int... bytes) {
    byte[] copy = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      copy[i] = (byte) bytes[i];
    }
    return reader(copy);
  }
}
