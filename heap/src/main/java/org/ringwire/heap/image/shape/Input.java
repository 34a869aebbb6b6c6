package org.ringwire.heap.image.shape;

import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.memory.Raw;

/**
 * What shapes read from: the bytes of the image at hand, in order, and all that is known of it.
 * What they take was compared with what is there. For one thread.
 *
 * <p>Shapes know no more of a decoder than this, so that it may know all of them. As long as
 * nothing but that extends this class, the compiler of the JVM calls it without a look at what it
 * is.
 */
public abstract class Input {
  /** Stands for an object that follows later; no application sees it. */
  static final Object LATER = new Object();

  /** For the one decoder. */
  protected Input() {}

  /** Whether what was read is no object but says that one follows later. */
  @SuppressWarnings("ReferenceEquality") // there is one
  public static boolean isLater(@Nullable Object o) {
    return o == LATER;
  }

  /** The shape that the next tag stands for. */
  public abstract Shape shape();

  /**
   * The shape behind a tag that stands for none so far, whose class may have to be read first.
   *
   * @throws DecodingException if there is none
   */
  protected abstract Shape shapeOf(int tag);

  /** Whether objects of a class that was read are complete as soon as they are there. */
  protected abstract boolean isLeaf(Class<?> type);

  /** The class with a name, if that is accepted. */
  public abstract Class<?> named(String name);

  /**
   * Passes over bytes.
   *
   * @return the address of the first; valid until the next call
   */
  public abstract long take(long bytes);

  /** Makes sure that bytes are here, and does not pass over them. */
  public abstract long peek(long bytes);

  /** Passes over an array, if all of its bytes are here and it is no longer than allowed. */
  public abstract boolean passArray(int length, long bytes);

  /** How many of so many bytes are here; 1 or more, for which it waits. */
  public abstract long here(long bytes);

  /** Bytes that are here, in one piece. */
  public abstract long here();

  /** Refuses an image that cannot have so many bytes more. */
  protected abstract void requireAtLeast(int bytes);

  /** Reads a length, and refuses one that cannot be true. */
  public abstract int arrayLength(int elementBytes, Class<?> type);

  /** Whether there may be an array of that length, which has so many bytes. */
  public abstract boolean hasArray(int length, long bytes);

  /** What to throw if not. */
  public abstract DecodingException noSuchLength(int length, Class<?> type);

  /** Reads bytes behind their number. */
  public abstract byte[] bytes();

  /** Whether objects have numbers. */
  public abstract boolean isTracked();

  /** How many groups of objects may come that have no array longer than {@link Raw#SMALL}. */
  public abstract int groups(int objectsEach);

  /** Counts objects that were read without being registered, which needs no numbers. */
  public abstract void passed(int objectCount, long to);

  /** Gives a new object its number, before anything can refer to it. */
  public abstract void register(Object o);

  /** The number of an object that is about to be made. */
  public abstract int number();

  /** The object that a back-reference leads to. */
  protected abstract Object back();

  /** Remembers an object that wants to be asked when the graph is complete. */
  public abstract void validateLater(Object o);

  /** What a field cannot have: something that follows later, or that does not fit. */
  public abstract void cannotStoreNow(Object target, Slot slot, Object child);

  /** What an element cannot be: something that follows later, or that does not fit. */
  public abstract void cannotStoreNow(@Nullable Object[] target, int index, Object child);

  /** What has to be done later. */
  protected abstract PendingWork pending();

  /** Reads an object that was put off, from the depth at which it was met. */
  protected abstract @Nullable Object readUnit(int atDepth);

  /** Methods of elements ran, and may have closed the arena of the image. */
  protected abstract void requireMemory();

  /** Goes one level deeper. */
  public abstract void enter();

  /**
   * Goes one level deeper, into so many elements. Each of those that are being read has yet to
   * come, or has come, and is a byte or more: their arrays may not be larger than that allows.
   */
  public abstract void open(int elements);

  /** Goes back up. */
  public abstract void close(int elements);

  /** Goes one level deeper where there should be none, if it is not just that nothing is there. */
  public abstract void enterUnexpected();

  /** Goes back up. */
  public abstract void leave();
}
