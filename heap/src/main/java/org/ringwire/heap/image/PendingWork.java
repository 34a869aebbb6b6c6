package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.heap.image.ObjectLayout.Slot;

/** What a decoder has to do after the nest that it is reading. For one thread. */
final class PendingWork {
  private final List<Pending> pending = new ArrayList<>();
  private int fills;

  /** One piece of it. */
  private sealed interface Pending {
    /** A reference whose object follows. */
    record Field(Object target, Slot slot, int depth) implements Pending {}

    /** An element whose object follows. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Element(@Nullable Object[] target, int index, int depth) implements Pending {}

    /** A container whose content is complete when everything before this is. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Fill(ContainerShape shape, Object container, @Nullable Object[] references)
        implements Pending {}
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  int count() {
    return pending.size();
  }

  void clear() {
    pending.clear();
    fills = 0;
  }

  void putOff(Object target, Slot slot, int depth) {
    pending.add(new Pending.Field(target, slot, depth));
  }

  void putOff(@Nullable Object[] target, int index, int depth) {
    pending.add(new Pending.Element(target, index, depth));
  }

  /** In the order of {@link Encoder}, with containers after what they hold. */
  void finish(Decoder d) {
    Collections.reverse(pending);
    while (!pending.isEmpty()) {
      Pending next = pending.removeLast();
      int mark = pending.size();
      switch (next) {
        case Pending.Field f -> {
          Object child = d.readUnit(f.depth);
          if (child != null && !f.slot.declared().isInstance(child)) {
            throw Misfits.of(f.slot, child);
          }
          UNSAFE.putReference(f.target, f.slot.offset(), child);
        }
        case Pending.Element e -> {
          Object child = d.readUnit(e.depth);
          if (child != null && !e.target.getClass().getComponentType().isInstance(child)) {
            throw Misfits.of(e.target, child);
          }
          e.target[e.index] = child;
        }
        case Pending.Fill f -> {
          fills--;
          fillNow(f.shape, f.container, f.references, d);
        }
      }
      if (pending.size() > mark + 1) {
        Collections.reverse(pending.subList(mark, pending.size()));
      }
    }
  }

  /** Fills a container, at once if everything that it holds is complete. */
  void fill(
      ContainerShape shape, Object container, @Nullable Object[] references, int mark, Decoder d) {
    if (pending.size() > mark || fills > 0) {
      fills++;
      pending.add(new Pending.Fill(shape, container, references));
    } else {
      fillNow(shape, container, references, d);
    }
  }

  private static void fillNow(
      ContainerShape shape, Object container, @Nullable Object[] references, Decoder d) {
    try {
      shape.fill(container, references);
    } catch (DecodingException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new DecodingException(
          "a collection cannot be filled: class=" + shape.type.getName() + ": " + e, e);
    }
    d.requireMemory();
  }
}
