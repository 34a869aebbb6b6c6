package org.ringwire.heap.image.shape;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What tags do that stand for no class, in the form of shapes, so that a reader has one table. */
public final class SpecialShape extends Shape {
  /** That of tags that say nothing. */
  public static final SpecialShape INVALID = new SpecialShape(-1);

  private static final SpecialShape NULL = new SpecialShape(Tags.NULL);
  private static final SpecialShape END = new SpecialShape(Tags.END);

  /** Also for classes that every image knows, until their shapes are there. */
  private static final Shape[] KNOWN = new Shape[Tags.DECLARED];

  /**
   * For declared classes whose declaration was missed. One for all tables: the ordinal that each
   * shape takes is a place in the tables of all encoders, and never comes back.
   */
  private static final Shape[] MISSED = new Shape[Tags.COUNT - Tags.DECLARED];

  static {
    for (int i = 0; i < MISSED.length; i++) {
      MISSED[i] = new SpecialShape(Tags.DECLARED + i);
    }
    for (int tag = 0; tag < KNOWN.length; tag++) {
      KNOWN[tag] = new SpecialShape(tag);
    }
  }

  private final int action;

  private SpecialShape(int action) {
    super(void.class, 0, false, true);
    this.action = action;
  }

  /** Whether a shape says that a reference is null. */
  @SuppressWarnings("ReferenceEquality") // there is one
  static boolean isNull(Shape shape) {
    return shape == NULL;
  }

  /** Whether a shape says that there are no more graphs, which is no object. */
  @SuppressWarnings("ReferenceEquality") // there is one
  public static boolean isEnd(Shape shape) {
    return shape == END;
  }

  /**
   * What each tag does at the start of an image.
   *
   * @param hasService whether a class whose declaration was missed can be asked for
   */
  public static Shape[] table(boolean hasService) {
    Shape[] table = new Shape[Tags.COUNT];
    Arrays.fill(table, INVALID);
    System.arraycopy(KNOWN, 0, table, 0, KNOWN.length);
    table[Tags.NULL] = NULL;
    table[Tags.END] = END;
    if (hasService) {
      System.arraycopy(MISSED, 0, table, Tags.DECLARED, MISSED.length);
    }
    return table;
  }

  @Override
  public long encode(Object o, long a, Output out) {
    throw new IllegalStateException("no object has this shape");
  }

  @Override
  public @Nullable Object decode(Input in) {
    return switch (action) {
      case Tags.NULL -> null;
      case Tags.BACK -> in.back();
      case Tags.DEFERRED -> Input.LATER;
      default -> in.shapeOf(action).decode(in);
    };
  }
}
