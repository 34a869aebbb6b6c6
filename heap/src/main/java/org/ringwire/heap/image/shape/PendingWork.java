package org.ringwire.heap.image.shape;

import static org.ringwire.heap.image.memory.Raw.UNSAFE;

import org.jspecify.annotations.Nullable;

/**
 * What a decoder has to do after the nest that it is reading. For one thread.
 *
 * <p>A container is filled as soon as its references are there, if no methods run but those of
 * closed keys: strings, numbers, and whatever leads to nothing else. What other keys lead to may
 * come much later: their own fields, if these were put off, and the objects around the container.
 * So those containers are filled when the whole graph is there.
 */
public final class PendingWork {
  private final Deferred<Pending> pending = new Deferred<>();
  private final LateFills late = new LateFills();
  private final KeySteps keySteps = new KeySteps();

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

  /** Nothing so far. */
  public PendingWork() {}

  int count() {
    return pending.size();
  }

  /** How often something was met again to which methods of keys may lead. */
  int backs() {
    return backs;
  }

  /** An object is referred to that came before. */
  public void metAgain(Object o) {
    if (!(o instanceof String)) {
      backs++;
    }
  }

  /** Before a container is filled, and methods of its keys run. */
  void beforeFill(ContainerShape shape, @Nullable Object[] references) {
    keySteps.allow(references.length);
    if (shape.isSorted()) {
      keySteps.countNumbers(shape, references);
    }
    if (backs != 0) { // else each object is on the way to one key only
      keySteps.count(shape, references);
    }
  }

  /** Forgets all. */
  public void clear() {
    pending.clear();
    late.clear();
    keySteps.clear();
    backs = 0;
    isLeafOpen = false;
  }

  /** Puts off to store into a field; its object may be of a class that is a leaf. */
  public void putOff(Object target, Slot slot, int depth, boolean isLeaf) {
    isLeafOpen |= isLeaf;
    pending.add(new Pending.Field(target, slot, depth));
  }

  /** Puts off to store into an array. */
  public void putOff(@Nullable Object[] target, int index, int depth) {
    pending.add(new Pending.Element(target, index, depth));
  }

  /** In the order of an encoder, with containers after what they hold. */
  public void finish(Input in) {
    while (!pending.isEmpty()) {
      switch (pending.next()) {
        case Pending.Field f -> {
          Object child = in.readUnit(f.depth);
          if (child != null && !f.slot.declared().isInstance(child)) {
            throw Misfits.of(f.slot, child);
          }
          UNSAFE.putReference(f.target, f.slot.offset(), child);
        }
        case Pending.Element e -> {
          Object child = in.readUnit(e.depth);
          if (child != null && !e.target.getClass().getComponentType().isInstance(child)) {
            throw Misfits.of(e.target, child);
          }
          e.target[e.index] = child;
        }
        case Pending.Container c -> fillOrPutOff(c.fill, in);
      }
    }
    if (!late.isEmpty()) {
      late.run(in, backs != 0);
    }
  }

  /** Whether methods of keys run that may look at what is not there yet. */
  boolean isLate(ContainerShape shape, @Nullable Object[] references, Input in) {
    return shape.isKey(0) && (isLeafOpen || shape.hasOpenKeys(references, in));
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
      pending.add(new Pending.Container(fill));
    }
  }

  private void fillOrPutOff(Fill fill, Input in) {
    if (isLate(fill.shape, fill.references, in)) {
      late.add(fill);
    } else {
      fill.run(in);
    }
  }
}
