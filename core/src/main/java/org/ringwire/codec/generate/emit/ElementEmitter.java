package org.ringwire.codec.generate.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import org.ringwire.codec.generate.layout.Layout;

/**
 * Emits the code for one of the elements, keys or values in a container, in the methods of {@link
 * PartMethod}: nothing but its bit is written if it is null and has one.
 */
final class ElementEmitter {
  private static final int WRITER = 1;

  private final ValueEmitter values;

  ElementEmitter(ValueEmitter values) {
    this.values = values;
  }

  /** Adds the length of an element to a variable. */
  void addLength(CodeBuilder code, Layout layout, int value, int total) {
    Label skip = code.newLabel();
    if (layout.needsNullBit()) {
      code.aload(value).ifnull(skip);
    }
    code.lload(total);
    if (layout.isFixed()) {
      code.loadConstant((long) layout.width());
    } else {
      values.length(code, layout, value, 1);
    }
    code.ladd().lstore(total).labelBinding(skip);
  }

  /** Writes an element where the writer stands. */
  void write(CodeBuilder code, Layout layout, int value, int nulls, int index) {
    Label end = code.newLabel();
    if (layout.needsNullBit()) {
      Label present = code.newLabel();
      code.aload(value).ifnonnull(present);
      ContainerCode.markNull(code, WRITER, nulls, index);
      code.goto_(end).labelBinding(present);
    }
    values.writeHere(code, layout, value, WRITER, 2);
    code.labelBinding(end);
  }
}
