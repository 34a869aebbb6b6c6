package org.ringwire.codec.generate.layout;

import org.ringwire.codec.runtime.Skipper;

/**
 * Layouts of what a peer with another version of a type has written, and of what becomes of it
 * here: their bytes are the writer's, their Java types the reader's. They are read, never written.
 */
public sealed interface EvolvedLayout extends Layout {

  /** A number that is read into a type with room for more. */
  record Widened(Layout written, Primitive from, Primitive to, boolean boxed)
      implements EvolvedLayout {
    @Override
    public String text() {
      return written.text() + " -> " + type().getSimpleName();
    }

    @Override
    public Class<?> type() {
      return boxed ? to.boxedType() : to.type();
    }

    @Override
    public int width() {
      return written.width();
    }

    @Override
    public boolean needsNullBit() {
      return written.needsNullBit();
    }
  }

  /** An array of numbers that is read into an array of a type with room for more. */
  record WidenedArray(Primitive from, Primitive to) implements EvolvedLayout {
    @Override
    public String text() {
      return from.type().getName() + "[] -> " + to.type().getName() + "[]";
    }

    @Override
    public Class<?> type() {
      return to.type().arrayType();
    }

    @Override
    public int width() {
      return VARIABLE;
    }
  }

  /** What nobody here has a place for: a component, or a subtype of a sealed interface. */
  record Skipped(Layout written, Skipper skipper) implements EvolvedLayout {
    @Override
    public String text() {
      return written.text() + " -> nothing";
    }

    @Override
    public Class<?> type() {
      return Object.class;
    }

    @Override
    public int width() {
      return written.width();
    }

    @Override
    public boolean needsNullBit() {
      return written.needsNullBit();
    }
  }
}
