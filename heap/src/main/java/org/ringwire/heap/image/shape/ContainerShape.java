package org.ringwire.heap.image.shape;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import java.nio.charset.Charset;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.EnumSet;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.ringwire.EncodingException;
import org.ringwire.codec.DecodingException;

/**
 * Collections and maps of the platform, by what they hold and not by how: where their elements lie
 * depends on hash codes, which for many objects differ in every JVM. On the wire: the number of
 * references that follow (4 bytes), a setting of the container (4 bytes), the references. Received
 * containers are filled by their own methods; when, {@link PendingWork} says.
 */
public abstract class ContainerShape extends Shape {
  private static final int FRONT_BYTES = 2 * Integer.BYTES;

  /** A class that every image knows. */
  protected ContainerShape(Class<?> type, int tag) {
    super(type, tag, true, false);
  }

  /** How many references there are to write. */
  protected abstract int count(Object container);

  /** How many of the references are no elements, keys or values. */
  protected int overhead() {
    return 0;
  }

  /** A setting that is needed to create the container, or 0. */
  protected int setting(Object container) {
    return 0;
  }

  /**
   * Writes exactly so many references.
   *
   * @throws ConcurrentModificationException if there are fewer or more by now
   */
  protected abstract long encodeReferences(Object container, int count, long a, Output out);

  /** A new, empty one. */
  protected abstract Object create(int count, int setting);

  /** Whether methods of a reference run when the container is filled; if not of 0, of none. */
  protected abstract boolean isKey(int index);

  /** Whether keys are told apart by an order, and not by hash codes. */
  protected boolean isSorted() {
    return false;
  }

  /** Whether what was put in is where its methods, as they are by now, look for it. */
  protected boolean isInOrder(Object container, @Nullable Object[] references) {
    for (int i = 0; i < references.length; i++) {
      if (isKey(i) && !hasKey(container, references[i])) {
        return false;
      }
    }
    return true;
  }

  /** Whether its own methods find a key, or an element. */
  protected static boolean hasKey(Object container, @Nullable Object key) {
    return container instanceof Map<?, ?> map
        ? map.containsKey(key)
        : ((Collection<?>) container).contains(key);
  }

  /** Takes all out again. */
  protected void clear(Object container) {
    if (container instanceof Map<?, ?> map) {
      map.clear();
    } else {
      ((Collection<?>) container).clear();
    }
  }

  /** Puts in what was read; runs methods of the keys. */
  protected abstract void fill(Object container, @Nullable Object[] references);

  @Override
  public final long encode(Object o, long a, Output out) {
    int count = count(o);
    long at = out.require(a, FRONT_BYTES);
    UNSAFE.putInt(at, count);
    UNSAFE.putInt(at + Integer.BYTES, setting(o));
    at += FRONT_BYTES;
    out.enter();
    try {
      at = encodeReferences(o, count, at, out);
    } catch (ConcurrentModificationException
        | IndexOutOfBoundsException
        | NoSuchElementException
        | NullPointerException x) {
      throw changed(x); // iterators throw any of these in a race
    }
    out.leave();
    return at;
  }

  /** What to throw when the container is not as long as it was. */
  protected final EncodingException changed(@Nullable Exception cause) {
    return new EncodingException(
        "a collection was changed while it was encoded: class=" + type().getName(), cause);
  }

  @Override
  public final Object decode(Input in) {
    int count = UNSAFE.getInt(in.take(Integer.BYTES));
    if (count < 0 || !in.hasArray(count - overhead(), count)) {
      throw in.noSuchLength(count, type());
    }
    int setting = UNSAFE.getInt(in.take(Integer.BYTES));
    in.requireAtLeast(count);
    in.open(count);
    Object container = create(count, setting);
    in.register(container);
    @Nullable Object[] references = new @Nullable Object[count];
    PendingWork pending = in.pending();
    int mark = pending.count();
    int backs = pending.backs();
    boolean isWhole = true;
    for (int i = 0; i < count; i++) {
      Object reference = in.shape().decode(in);
      if (reference != null && Input.isLater(reference)) {
        in.cannotStoreNow(references, i, reference);
        isWhole = false;
      } else {
        references[i] = reference;
      }
    }
    in.close(count);
    if (isWhole && !pending.isLate(this, references, in)) {
      fillNow(container, references, in);
    } else {
      pending.fillLater(new Fill(this, container, references), mark, backs);
    }
    return container;
  }

  /**
   * Whether methods of keys run that may look at more than what belongs to the key itself. Objects
   * of leaf shapes are complete, with all that they lead to, as soon as they are there.
   */
  final boolean hasOpenKeys(@Nullable Object[] references, Input in) {
    Class<?> closed = String.class;
    for (int i = 0; i < references.length; i++) {
      Object key = references[i];
      if (key == null || key.getClass() == closed || !isKey(i)) {
        continue;
      }
      if (!isClosed(key, in)) {
        return true;
      }
      closed = key.getClass();
    }
    return false;
  }

  /** Whether a received object leads to no others; some may be of classes that are never sent. */
  private static boolean isClosed(Object o, Input in) {
    return o instanceof EnumSet || o instanceof Charset || in.isLeaf(o.getClass());
  }

  /** Fills a container; methods of its keys run. */
  final void fillNow(Object container, @Nullable Object[] references, Input in) {
    try {
      in.pending().beforeFill(this, references);
      fill(container, references);
      requireAll(container, references);
    } catch (DecodingException e) {
      throw e;
    } catch (Exception | LinkageError e) { // declared or not
      throw Refusal.of("a collection cannot be filled: class=" + type().getName(), e);
    }
    in.requireMemory();
  }

  /** Classes of one name, for example, may be two at the sender and are one here. */
  private void requireAll(Object container, @Nullable Object[] references) {
    if (count(container) < references.length) {
      throw new DecodingException(
          "keys or elements are equal here that its sender tells apart, or has changed meanwhile:"
              + " class="
              + type().getName());
    }
  }
}
