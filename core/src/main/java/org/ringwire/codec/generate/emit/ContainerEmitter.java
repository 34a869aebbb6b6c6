package org.ringwire.codec.generate.emit;

import java.lang.classfile.CodeBuilder;
import org.ringwire.codec.generate.layout.EvolvedLayout;
import org.ringwire.codec.generate.layout.Layout;

/** Emits the bodies of the {@link PartMethod} methods: one container each, with its loop. */
final class ContainerEmitter {

  private final SequenceEmitter sequences;
  private final MapEmitter maps;
  private final OptionalEmitter optionals;

  ContainerEmitter(ValueEmitter values) {
    sequences = new SequenceEmitter(values);
    maps = new MapEmitter(values);
    optionals = new OptionalEmitter(values);
  }

  void emit(CodeBuilder code, PartMethod part, Layout layout) {
    switch (layout) {
      case Layout.Sequence sequence -> sequences.emit(code, part, sequence);
      case Layout.Dictionary map -> maps.emit(code, part, map);
      case Layout.Maybe maybe -> optionals.emit(code, part, maybe);
      case EvolvedLayout.WidenedArray array -> sequences.readWidened(code, array);
      default -> throw new IllegalStateException("no container: " + layout.text());
    }
  }
}
