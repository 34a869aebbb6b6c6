package org.ringwire.heap.image;

import static org.ringwire.heap.image.Raw.UNSAFE;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.heap.image.ObjectLayout.Slot;

/**
 * What a decoder has to do after the nest that it is reading. For one thread.
 *
 * <p>A container is filled as soon as its references are there, if no methods run but those of
 * closed keys: strings, numbers, and whatever leads to nothing else. What other keys lead to may
 * come much later: their own fields, if these were put off, and the objects around the container.
 * So those containers are filled when the whole graph is there.
 */
final class PendingWork {
  private static final int KEPT = 1 << 10;

  private List<Pending> pending = new ArrayList<>();
  private int most;
  private final LateFills late = new LateFills();

  /** How often something but a string was met again. */
  private int backs;

  /** Whether something of what is closed was put off, which a sender does not do. */
  private boolean isLeafOpen;

  /** One piece of it. */
  private sealed interface Pending {
    /** A reference whose object follows. */
    record Field(Object target, Slot slot, int depth) implements Pending {}

    /** An element whose object follows. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Element(@Nullable Object[] target, int index, int depth) implements Pending {}

    /** A container all of whose references are there when everything before this is. */
    record Container(Fill fill) implements Pending {}
  }

  int count() {
    return pending.size();
  }

  /** How often something was met again to which methods of keys may lead. */
  int backs() {
    return backs;
  }

  /** An object is referred to that came before. */
  void metAgain(Object o) {
    if (!(o instanceof String)) {
      backs++;
    }
  }

  void clear() {
    if (most > KEPT) {
      pending = new ArrayList<>();
    } else {
      pending.clear();
    }
    most = 0;
    late.clear();
    backs = 0;
    isLeafOpen = false;
  }

  void putOff(Object target, Slot slot, int depth) {
    isLeafOpen |= Shapes.of(target.getClass()).leaf;
    add(new Pending.Field(target, slot, depth));
  }

  void putOff(@Nullable Object[] target, int index, int depth) {
    add(new Pending.Element(target, index, depth));
  }

  private void add(Pending piece) {
    pending.add(piece);
    most = Math.max(most, pending.size());
  }

  /** In the order of {@link Encoder}, with containers after what they hold. */
  void finish(Decoder d) {
    if (pending.size() > 1) {
      Collections.reverse(pending);
    }
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
        case Pending.Container c -> fillOrPutOff(c.fill, d);
      }
      if (pending.size() > mark + 1) {
        Collections.reverse(pending.subList(mark, pending.size()));
      }
    }
    if (!late.isEmpty()) {
      late.run(d, backs != 0);
    }
  }

  /** Whether methods of keys run that may look at what is not there yet. */
  boolean isLate(ContainerShape shape, @Nullable Object[] references) {
    return isLeafOpen ? shape.isKey(0) : shape.hasOpenKeys(references);
  }

  /**
   * Puts off to fill a container.
   *
   * @param mark {@link #count} before its references were read
   * @param backsBefore {@link #backs} before that
   */
  void fillLater(Fill fill, int mark, int backsBefore) {
    boolean isComplete = pending.size() == mark;
    fill.isTangled = !isComplete || backs != backsBefore;
    if (isComplete) {
      late.add(fill);
    } else {
      add(new Pending.Container(fill));
    }
  }

  private void fillOrPutOff(Fill fill, Decoder d) {
    if (isLate(fill.shape, fill.references)) {
      late.add(fill);
    } else {
      fill.run(d);
    }
  }
}
