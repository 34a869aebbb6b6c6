package org.ringwire.codec.runtime;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.codec.DecodingException;

/**
 * Numbers the constants of an enum by the order of their names, from 1; 0 is null. The order of
 * declaration does not matter, so that a constant may be moved in the source. Immutable.
 */
@SuppressWarnings("EnumOrdinal") // ordinals never leave this object
public final class EnumIndex {
  private static final int MAX_BYTE = 255;

  private final String name;
  private final List<String> names;
  private final short[] indexByOrdinal;
  private final @Nullable Enum<?>[] constantByIndex;

  public EnumIndex(Class<?> type) {
    Enum<?>[] constants = (Enum<?>[]) type.getEnumConstants();
    Enum<?>[] sorted = constants.clone();
    Arrays.sort(sorted, Comparator.comparing(Enum::name));
    name = type.getName();
    indexByOrdinal = new short[constants.length];
    constantByIndex = new Enum<?>[constants.length + 1];
    for (int i = 0; i < sorted.length; i++) {
      indexByOrdinal[sorted[i].ordinal()] = (short) (i + 1);
      constantByIndex[i + 1] = sorted[i];
    }
    names = Arrays.stream(sorted).map(Enum::name).toList();
  }

  /**
   * The numbers that a peer with other constants uses, for reading.
   *
   * @param name the enum
   * @param names in the order of the peer's numbers, from 1
   * @param type the enum here; its constants are found by name. {@code Object} finds none
   */
  public EnumIndex(String name, List<String> names, Class<?> type) {
    Map<String, Enum<?>> known = new HashMap<>();
    if (type.isEnum()) {
      for (Object constant : type.getEnumConstants()) {
        known.put(((Enum<?>) constant).name(), (Enum<?>) constant);
      }
    }
    this.name = name;
    this.names = List.copyOf(names);
    indexByOrdinal = new short[0];
    constantByIndex = new Enum<?>[names.size() + 1];
    for (int i = 0; i < names.size(); i++) {
      constantByIndex[i + 1] = known.get(names.get(i));
    }
  }

  /** Bytes of an index: 1 or 2. */
  public int width() {
    return constantByIndex.length - 1 <= MAX_BYTE ? Byte.BYTES : Short.BYTES;
  }

  /** The names of the constants in the order of their indexes. */
  public List<String> names() {
    return names;
  }

  /** The index of a constant, 0 for null; more than 32767 come out negative. */
  public short indexOf(@Nullable Object constant) {
    return constant == null ? 0 : indexByOrdinal[((Enum<?>) constant).ordinal()];
  }

  /**
   * The constant with an index, null for 0.
   *
   * @throws DecodingException if there is none
   * @throws MessagingException if the peer has one of that index and this side does not know it
   */
  public @Nullable Object constantAt(int index) {
    if (index >= constantByIndex.length) {
      throw new DecodingException(
          "no such constant of "
              + name
              + ": expected at most "
              + (constantByIndex.length - 1)
              + ", found "
              + index);
    }
    Enum<?> constant = constantByIndex[index];
    if (constant == null && index > 0) {
      throw new MessagingException(
          "constant that is not known here: type=" + name + " constant=" + names.get(index - 1));
    }
    return constant;
  }
}
