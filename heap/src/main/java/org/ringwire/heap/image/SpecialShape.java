package org.ringwire.heap.image;

import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;

/** What tags do that stand for no class, in the form of shapes, so that a reader has one table. */
final class SpecialShape extends Shape {
  static final SpecialShape INVALID = new SpecialShape(-1);

  private final int action;

  private SpecialShape(int action) {
    super(void.class, 0, false, true);
    this.action = action;
  }

  /** What each tag does at the start of an image. */
  static Shape[] table() {
    @Nullable Shape[] known = Shapes.byTag();
    Shape[] table = new Shape[Tags.COUNT];
    for (int tag = 0; tag < table.length; tag++) {
      Shape shape = known[tag];
      table[tag] = shape == null ? INVALID : shape;
    }
    for (int tag = Tags.NULL; tag <= Tags.WIDE; tag++) {
      table[tag] = new SpecialShape(tag);
    }
    return table;
  }

  @Override
  long encode(Object o, long a, Encoder e) {
    throw new IllegalStateException("no object has this shape");
  }

  @Override
  @Nullable Object decode(Decoder d) {
    return switch (action) {
      case Tags.NULL -> null;
      case Tags.BACK -> d.back();
      case Tags.DEFERRED -> Decoder.LATER;
      case Tags.DECLARE -> d.declare().decode(d);
      case Tags.WIDE -> d.wide().decode(d);
      default -> throw new DecodingException("no such tag in an image");
    };
  }
}
