package org.ringwire.codec.runtime;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Lengths;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;

/** Values of the JDK's own types. Public for generated classes alone. Stateless. */
public final class Values {
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private Values() {}

  /** Writes 16 bytes: the most significant half, then the other. */
  public static void putUuid(MemorySegment memory, long offset, UUID value) {
    Fixed.putLong(memory, offset, value.getMostSignificantBits());
    Fixed.putLong(memory, offset + Long.BYTES, value.getLeastSignificantBits());
  }

  /** Reads 16 bytes. */
  public static UUID getUuid(MemorySegment memory, long offset) {
    return new UUID(Fixed.getLong(memory, offset), Fixed.getLong(memory, offset + Long.BYTES));
  }

  /** Writes 12 bytes: seconds since 1970, then nanoseconds of the second. */
  public static void putInstant(MemorySegment memory, long offset, Instant value) {
    Fixed.putLong(memory, offset, value.getEpochSecond());
    Fixed.putInt(memory, offset + Long.BYTES, value.getNano());
  }

  /** Reads 12 bytes. */
  public static Instant getInstant(MemorySegment memory, long offset) {
    long seconds = Fixed.getLong(memory, offset);
    if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
      throw new DecodingException("instant out of range: found " + seconds + " seconds");
    }
    return Instant.ofEpochSecond(seconds, nanos(memory, offset + Long.BYTES));
  }

  /** Writes 12 bytes: seconds, then nanoseconds of the second. */
  public static void putDuration(MemorySegment memory, long offset, Duration value) {
    Fixed.putLong(memory, offset, value.getSeconds());
    Fixed.putInt(memory, offset + Long.BYTES, value.getNano());
  }

  /** Reads 12 bytes. */
  public static Duration getDuration(MemorySegment memory, long offset) {
    return Duration.ofSeconds(Fixed.getLong(memory, offset), nanos(memory, offset + Long.BYTES));
  }

  private static int nanos(MemorySegment memory, long offset) {
    int nanos = Fixed.getInt(memory, offset);
    if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
      throw new DecodingException("nanoseconds out of range: found " + nanos);
    }
    return nanos;
  }

  /** The exact number of bytes. */
  public static long lengthOfText(@Nullable String value) {
    return Lengths.ofString(value);
  }

  /** The exact number of bytes. */
  public static long lengthOfBytes(@Nullable MemorySegment value) {
    if (value == null) {
      return 1;
    }
    long length = value.byteSize();
    return Lengths.ofCompactUnsignedLong(length + 1) + length;
  }

  /** Writes the length plus one, then the bytes; a 0 for null. */
  public static void putBytes(Writer writer, @Nullable MemorySegment value) {
    if (value == null) {
      writer.putByte((byte) 0);
      return;
    }
    writer.putCompactUnsignedLong(value.byteSize() + 1);
    writer.putBytes(value, 0, value.byteSize());
  }

  /** Reads a view, see {@link Reader#view}. */
  public static @Nullable MemorySegment getBytes(Reader reader) {
    long length = reader.getCompactUnsignedLong() - 1;
    return length == -1 ? null : reader.view(length);
  }

  /** Throws for a byte that is not the state of an optional. */
  public static void checkOptional(int state) {
    if (state < 0 || state > 2) {
      throw new DecodingException("optional out of range: expected 0 to 2, found " + state);
    }
  }
}
