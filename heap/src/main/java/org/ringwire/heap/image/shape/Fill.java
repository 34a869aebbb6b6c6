package org.ringwire.heap.image.shape;

import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;

/** A received container that is still empty, and what it will hold. For one thread. */
final class Fill {
  final ContainerShape shape;
  final Object container;
  final @Nullable Object[] references;

  /** Whether its keys may lead to what was read before them, or is read after the container. */
  boolean isTangled;

  /** Why it could not be filled so far. */
  @Nullable DecodingException failure;

  Fill(ContainerShape shape, Object container, @Nullable Object[] references) {
    this.shape = shape;
    this.container = container;
    this.references = references;
  }

  /** Fills the container. */
  void run(Input in) {
    shape.fillNow(container, references, in);
  }

  /** The same, where a key may miss something that will be there later. */
  void tryToRun(Input in) {
    failure = null;
    try {
      run(in);
    } catch (DecodingException e) {
      failure = e;
    }
  }

  /** Whether the keys are found where they were put. */
  boolean isRight() {
    if (failure != null) {
      return false;
    }
    try {
      return shape.isInOrder(container, references);
    } catch (Exception | LinkageError e) {
      return false; // of a key that misses something; if for ever, to fill it says so
    }
  }

  /** Fills the container once more, and says whether that has helped. */
  boolean isRightAgain(Input in) {
    shape.clear(container);
    tryToRun(in);
    return isRight();
  }
}
