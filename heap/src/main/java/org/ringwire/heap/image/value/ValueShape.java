package org.ringwire.heap.image.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.ringwire.EncodingException;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.shape.Input;
import org.ringwire.heap.image.shape.Output;
import org.ringwire.heap.image.shape.Refusal;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Tags;

/**
 * Values of the platform whose fields belong to the JDK: the number of bytes in 4 bytes, then bytes
 * that their own methods make and understand. The methods are chosen by tag: a lambda for each
 * would take longer than the first graph of a JVM.
 */
public final class ValueShape extends Shape {
  private static final int BIG_INTEGER = Tags.VALUES;
  private static final int BIG_DECIMAL = Tags.VALUES + 1;
  private static final int RESOURCE = Tags.VALUES + 2;
  private static final int LANGUAGE = Tags.VALUES + 3;
  private static final int OFFSET = Tags.VALUES + 4;
  private static final int REGION = Tags.VALUES + 5;
  private static final int BUILDER = Tags.VALUES + 6;
  private static final int CHARSET = Tags.VALUES + 7;
  private static final int DATE = Tags.VALUES + 8;
  private static final int PERIOD = Tags.VALUES + 9;
  private static final int BITS = Tags.VALUES + 10;
  private static final int CURRENCY = Tags.VALUES + 11;
  private static final int ADDER = Tags.VALUES + 12;

  private static final int SCALE_BYTES = Integer.BYTES;

  private ValueShape(Class<?> type, int tag) {
    super(type, tag, true, true);
  }

  /** One for each class of values. */
  public static List<Shape> all() {
    return List.of(
        new ValueShape(BigInteger.class, BIG_INTEGER),
        new ValueShape(BigDecimal.class, BIG_DECIMAL),
        new ValueShape(URI.class, RESOURCE),
        new ValueShape(Locale.class, LANGUAGE),
        new ValueShape(ZoneOffset.class, OFFSET),
        new ValueShape(region(), REGION),
        new ValueShape(StringBuilder.class, BUILDER),
        new ValueShape(Charset.class, CHARSET), // each encoding is a class of its own: see Shapes
        new ValueShape(Date.class, DATE),
        new ValueShape(Period.class, PERIOD), // that of nothing is known by its identity
        new ValueShape(BitSet.class, BITS), // whose fields say how much memory its text needs
        new ValueShape(Currency.class, CURRENCY),
        new ValueShape(LongAdder.class, ADDER));
  }

  /** Offsets are regions, too, and each encoding is a class of its own. */
  @Override
  public boolean isExact() {
    return tag() != REGION && tag() != CHARSET;
  }

  /** By name, since to make one takes long. */
  private static Class<?> region() {
    try {
      return Class.forName("java.time.ZoneRegion", false, null);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a JVM without the class of regions", e);
    }
  }

  @SuppressWarnings("JavaUtilDate") // to be sent, not to be used
  private byte[] toBytes(Object o) {
    return switch (tag()) {
      case BIG_INTEGER -> ((BigInteger) o).toByteArray();
      case BIG_DECIMAL -> bytesOf((BigDecimal) o);
      case RESOURCE -> textOf(ValueText.of((URI) o));
      case LANGUAGE -> textOf(ValueText.of((Locale) o));
      case OFFSET, REGION -> textOf(((ZoneId) o).getId());
      case CHARSET -> textOf(((Charset) o).name());
      case DATE -> ByteBuffer.allocate(Long.BYTES).putLong(((Date) o).getTime()).array();
      case PERIOD -> bytesOf((Period) o);
      case BITS -> ((BitSet) o).toByteArray();
      case CURRENCY -> textOf(((Currency) o).getCurrencyCode());
      case ADDER -> ByteBuffer.allocate(Long.BYTES).putLong(((LongAdder) o).sum()).array();
      default -> textOf(o.toString());
    };
  }

  /** Not by a charset, which has no bytes for half of a pair. */
  private static byte[] textOf(String text) {
    byte[] bytes = new byte[Math.multiplyExact(Character.BYTES, text.length())];
    chars(bytes).put(text);
    return bytes;
  }

  private static CharBuffer chars(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asCharBuffer();
  }

  @SuppressWarnings({"JavaUtilDate", "UnnecessaryStringBuilder"}) // to be sent, not to be used
  private Object fromBytes(byte[] bytes) {
    return switch (tag()) {
      case BIG_INTEGER -> new BigInteger(bytes);
      case BIG_DECIMAL -> bigDecimal(bytes);
      case RESOURCE -> ValueText.resource(text(bytes));
      case LANGUAGE -> ValueText.locale(text(bytes));
      case OFFSET -> ZoneOffset.of(text(bytes));
      case REGION -> ZoneId.of(text(bytes));
      case BUILDER -> new StringBuilder(text(bytes));
      case CHARSET -> Charset.forName(text(bytes));
      case DATE -> new Date(ByteBuffer.wrap(bytes).getLong());
      case PERIOD -> period(ByteBuffer.wrap(bytes));
      case BITS -> BitSet.valueOf(bytes);
      case CURRENCY -> Currency.getInstance(text(bytes));
      case ADDER -> adder(ByteBuffer.wrap(bytes).getLong());
      default -> throw new IllegalStateException("no such value: tag=" + tag());
    };
  }

  private static String text(byte[] bytes) {
    if (bytes.length % Character.BYTES != 0) {
      throw new DecodingException("half a character at the end of a text: bytes=" + bytes.length);
    }
    return chars(bytes).toString();
  }

  private static byte[] bytesOf(Period period) {
    return ByteBuffer.allocate(3 * Integer.BYTES)
        .putInt(period.getYears())
        .putInt(period.getMonths())
        .putInt(period.getDays())
        .array();
  }

  private static Object period(ByteBuffer bytes) {
    return Period.of(bytes.getInt(), bytes.getInt(), bytes.getInt());
  }

  private static Object adder(long sum) {
    LongAdder adder = new LongAdder();
    adder.add(sum);
    return adder;
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
  public long encode(Object o, long a, Output out) {
    byte[] bytes;
    try {
      bytes = toBytes(o);
    } catch (IndexOutOfBoundsException
        | BufferOverflowException
        | NegativeArraySizeException e) { // its own methods throw any of these in a race
      throw new EncodingException(
          "a value was changed while it was encoded: class=" + type().getName(), e);
    }
    return out.bytes(bytes, a);
  }

  @Override
  public Object decode(Input in) {
    byte[] bytes = in.bytes();
    Object value;
    try {
      value = fromBytes(bytes);
    } catch (RuntimeException e) {
      throw Refusal.ofValue(type(), e);
    }
    in.register(value);
    return value;
  }
}
