package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.ringwire.codec.DecodingException;

/**
 * Values of the platform whose fields belong to the JDK: the number of bytes in 4 bytes, then bytes
 * that their own methods make and understand.
 *
 * @param <T> the class
 */
final class ValueShape<T> extends Shape {
  private static final int SCALE_BYTES = Integer.BYTES;

  private final Class<T> valueType;
  private final Function<T, byte[]> toBytes;
  private final Function<byte[], ? extends Object> fromBytes;

  private ValueShape(
      Class<T> type, int tag, Function<T, byte[]> toBytes, Function<byte[], Object> fromBytes) {
    super(type, tag, true, true);
    this.valueType = type;
    this.toBytes = toBytes;
    this.fromBytes = fromBytes;
  }

  @SuppressWarnings("JavaUtilDate") // to be sent, not to be used
  static List<Shape> all() {
    List<Shape> shapes = new ArrayList<>();
    shapes.add(
        new ValueShape<>(
            BigInteger.class, Tags.VALUES, BigInteger::toByteArray, ValueShape::bigInteger));
    shapes.add(
        new ValueShape<>(
            BigDecimal.class, Tags.VALUES + 1, ValueShape::bytesOf, ValueShape::bigDecimal));
    shapes.add(text(URI.class, Tags.VALUES + 2, URI::toString, URI::create));
    shapes.add(text(Locale.class, Tags.VALUES + 3, Locale::toLanguageTag, Locale::forLanguageTag));
    shapes.add(text(ZoneOffset.class, Tags.VALUES + 4, ZoneOffset::getId, ZoneOffset::of));
    Class<? extends ZoneId> region = ZoneId.of("UTC").getClass();
    shapes.add(text(region, Tags.VALUES + 5, ZoneId::getId, ZoneId::of));
    shapes.add(
        text(StringBuilder.class, Tags.VALUES + 6, StringBuilder::toString, StringBuilder::new));
    // Each encoding is a class of its own: see Shapes.
    shapes.add(text(Charset.class, Tags.VALUES + 7, Charset::name, Charset::forName));
    shapes.add(
        new ValueShape<>(
            Date.class,
            Tags.VALUES + 8,
            date -> ByteBuffer.allocate(Long.BYTES).putLong(date.getTime()).array(),
            bytes -> new Date(ByteBuffer.wrap(bytes).getLong())));
    return shapes;
  }

  private static <T> Shape text(
      Class<T> type, int tag, Function<T, String> toText, Function<String, Object> fromText) {
    return new ValueShape<>(
        type,
        tag,
        value -> toText.apply(value).getBytes(StandardCharsets.UTF_16LE),
        bytes -> fromText.apply(new String(bytes, StandardCharsets.UTF_16LE)));
  }

  private static Object bigInteger(byte[] bytes) {
    return new BigInteger(bytes);
  }

  private static byte[] bytesOf(BigDecimal value) {
    byte[] unscaled = value.unscaledValue().toByteArray();
    return ByteBuffer.allocate(SCALE_BYTES + unscaled.length)
        .putInt(value.scale())
        .put(unscaled)
        .array();
  }

  private static Object bigDecimal(byte[] bytes) {
    int scale = ByteBuffer.wrap(bytes).getInt();
    return new BigDecimal(new BigInteger(bytes, SCALE_BYTES, bytes.length - SCALE_BYTES), scale);
  }

  @Override
  long encode(Object o, long a, Encoder e) {
    byte[] bytes = toBytes.apply(valueType.cast(o));
    long at = e.require(a, Integer.BYTES + (long) bytes.length);
    UNSAFE.putInt(at, bytes.length);
    Raw.copyOut(bytes, at + Integer.BYTES);
    return at + Integer.BYTES + bytes.length;
  }

  @Override
  Object decode(Decoder d) {
    byte[] bytes = d.bytes();
    Object value;
    try {
      value = fromBytes.apply(bytes);
    } catch (RuntimeException e) {
      throw new DecodingException("not a value: class=" + type.getName() + ": " + e, e);
    }
    d.register(value);
    return value;
  }
}
