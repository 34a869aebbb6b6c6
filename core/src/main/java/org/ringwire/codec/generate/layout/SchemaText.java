package org.ringwire.codec.generate.layout;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Schema;

/** Writes the canonical text of a layout: the root first, then every named type on first use. */
public final class SchemaText {
  private final StringBuilder text = new StringBuilder("encoding 1\n");
  private final Set<String> done = new HashSet<>();

  private SchemaText() {}

  public static Schema of(Layout root) {
    SchemaText writer = new SchemaText();
    writer.define(root);
    String text = writer.text.toString();
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    if (length > Schema.MAX_LENGTH) {
      throw new IllegalArgumentException(
          "the schema of a type is too long, with all records, enums and interfaces that it uses:"
              + " type="
              + root.text()
              + " length="
              + length
              + " maximum="
              + Schema.MAX_LENGTH
              + "; make it of fewer parts, or register a codec for it: one for a part is not used");
    }
    try {
      return Schema.of(text);
    } catch (DecodingException e) { // other languages allow other names than Java
      throw new IllegalArgumentException(
          "a name has no place in a schema: type=" + root.text() + ": " + e.getMessage(), e);
    }
  }

  private void define(Layout layout) {
    switch (layout) {
      case Layout.Product product -> defineProduct(product);
      case Layout.Choice choice -> defineChoice(choice);
      case Layout.Constant constant -> {
        if (begin("enum", constant.text())) {
          constant.index().names().forEach(name -> text.append(' ').append(name).append('\n'));
        }
      }
      case Layout.Sequence sequence -> define(sequence.element());
      case Layout.Dictionary map -> {
        define(map.key());
        define(map.value());
      }
      case Layout.Maybe maybe -> define(maybe.value());
      case Layout.Scalar _, Layout.CompactNumber _, Layout.PrimitiveArray _, Layout.Value _ -> {}
      case EvolvedLayout evolved -> throw new IllegalStateException("read only: " + evolved);
    }
  }

  private void defineProduct(Layout.Product product) {
    if (begin("record", product.text())) {
      for (Layout.Component component : product.components()) {
        text.append(' ').append(component.name());
        text.append(' ').append(component.layout().text()).append('\n');
      }
      product.components().forEach(component -> define(component.layout()));
    }
  }

  private void defineChoice(Layout.Choice choice) {
    if (begin("sealed", choice.text())) {
      choice.subtypes().forEach(type -> text.append(' ').append(type.text()).append('\n'));
      choice.subtypes().forEach(this::define);
    }
  }

  private boolean begin(String kind, String name) {
    boolean isNew = done.add(name);
    if (isNew) {
      text.append(kind).append(' ').append(name).append('\n');
    }
    return isNew;
  }
}
