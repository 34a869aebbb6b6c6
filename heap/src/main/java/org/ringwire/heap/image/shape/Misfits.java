package org.ringwire.heap.image.shape;

import org.ringwire.codec.DecodingException;

/** What to throw for what cannot be where the image has it. */
public final class Misfits {

  private Misfits() {}

  /** Of a field. */
  public static DecodingException of(Slot slot, Object child) {
    return new DecodingException(
        "a field cannot hold what the image has for it: class="
            + slot.owner().getName()
            + " field="
            + slot.name()
            + " type="
            + slot.declared().getName()
            + " found="
            + child.getClass().getName());
  }

  /** Of an array. */
  public static DecodingException of(Object array, Object child) {
    return new DecodingException(
        "an array cannot hold what the image has for it: class="
            + array.getClass().getName()
            + " found="
            + child.getClass().getName());
  }

  /** Of the length of an array or a collection. */
  public static DecodingException noSuchLength(
      Class<?> type, int length, int most, long bytesLeft) {
    String facts = "class=" + type.getName() + " length=" + length;
    return length > most
        ? new DecodingException("too long: " + facts + " limit of array length=" + most)
        : new DecodingException("no such length: " + facts + " bytes left=" + bytesLeft);
  }
}
