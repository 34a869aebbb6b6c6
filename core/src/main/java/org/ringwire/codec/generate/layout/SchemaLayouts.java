package org.ringwire.codec.generate.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Schema;
import org.ringwire.codec.runtime.EnumIndex;

/**
 * Finds the layout that a schema of a peer describes. Its types have names and bytes and no Java
 * class: nothing is looked up or loaded. What it costs is bounded by the length of the schema, and
 * the depth of its recursion by {@link #MAX_DEPTH}. Used once, by one thread.
 */
public final class SchemaLayouts {
  /** How deep types may be nested, type arguments included. */
  private static final int MAX_DEPTH = 256;

  /**
   * How wide records are at most, where {@code long} and {@code double} count twice: a constructor
   * takes 255 words, one of which is the object itself. More would cost much for nothing, as what
   * is generated for a record takes time that grows with the square of its components.
   */
  private static final int MAX_WIDTH = 254;

  private static final Map<String, Layout> SIMPLE = simpleTypes();

  private static final Set<String> CONTAINERS = Set.of("List", "Set", "Map", "Optional");

  /** A record, enum or sealed interface: its members, and its layout when that was needed. */
  private static final class Definition {
    final String kind;
    final List<String> members = new ArrayList<>();
    @Nullable Layout layout;

    Definition(String kind) {
      this.kind = kind;
    }
  }

  private final Map<String, Definition> definitions = new LinkedHashMap<>();
  private int depth;

  private SchemaLayouts() {}

  private static Map<String, Layout> simpleTypes() {
    Map<String, Layout> types = new HashMap<>();
    for (Primitive primitive : Primitive.values()) {
      add(types, new Layout.Scalar(primitive, false));
      add(types, new Layout.Scalar(primitive, true));
      add(types, new Layout.PrimitiveArray(primitive));
    }
    add(types, new Layout.CompactNumber(Primitive.INT));
    add(types, new Layout.CompactNumber(Primitive.LONG));
    for (Layout.Value value : Layout.Value.values()) {
      add(types, value);
    }
    return Map.copyOf(types);
  }

  /** Whether a name stands for a type that no schema defines. */
  static boolean isReserved(String name) {
    return SIMPLE.containsKey(name) || CONTAINERS.contains(name);
  }

  private static void add(Map<String, Layout> types, Layout layout) {
    types.put(layout.text(), layout);
  }

  /**
   * The layout of the type that a schema is about.
   *
   * @throws DecodingException if it makes no sense
   */
  public static Layout of(Schema schema) {
    SchemaLayouts layouts = new SchemaLayouts();
    String first = layouts.readLines(schema.toString());
    Layout root = layouts.resolve(first);
    Containment.settle(root);
    return root;
  }

  /** Takes the text apart, whose lines {@link Schema} has checked; the name of the first type. */
  private String readLines(String text) {
    String first = null;
    Definition current = null;
    String[] lines = text.split("\n", -1);
    for (int i = 1; i < lines.length - 1; i++) {
      String line = lines[i];
      if (line.startsWith(" ") && current != null) {
        current.members.add(line.substring(1));
      } else {
        int space = line.indexOf(' ');
        String name = line.substring(space + 1);
        current = new Definition(line.substring(0, space));
        definitions.put(name, current);
        first = first == null ? name : first;
      }
    }
    if (first == null) {
      throw new DecodingException("schema without a type");
    }
    return first;
  }

  private Layout resolve(String type) {
    if (++depth > MAX_DEPTH) {
      throw new DecodingException("schema nested too deeply: maximum=" + MAX_DEPTH);
    }
    Definition definition = definitions.get(type);
    Layout layout = definition != null ? named(type, definition) : unnamed(type);
    depth--;
    return layout;
  }

  private Layout named(String name, Definition definition) {
    Layout known = definition.layout;
    if (known != null) {
      return known;
    }
    return switch (definition.kind) {
      case "record" -> product(name, definition);
      case "sealed" -> choice(name, definition);
      case "enum" -> {
        EnumIndex index = new EnumIndex(name, definition.members, Object.class);
        Layout layout = new Layout.Constant(name, Object.class, index);
        definition.layout = layout;
        yield layout;
      }
      default -> throw new DecodingException("schema of a hand-written codec: type=" + name);
    };
  }

  private Layout product(String name, Definition definition) {
    Layout.Product product = new Layout.Product(name, Object.class);
    definition.layout = product;
    checkWidth(name, definition.members.size());
    int width = 0;
    List<Layout.Component> components = new ArrayList<>();
    for (String member : definition.members) {
      int space = member.lastIndexOf(' '); // types have none, names may
      if (space < 1) {
        throw new DecodingException("schema has a component without type: " + name + " " + member);
      }
      Layout layout = resolve(member.substring(space + 1));
      width += isTwoWords(layout) ? 2 : 1;
      checkWidth(name, width);
      components.add(new Layout.Component(member.substring(0, space), layout, Object.class, null));
    }
    product.complete(components);
    return product;
  }

  private static void checkWidth(String name, int width) {
    if (width > MAX_WIDTH) {
      throw new DecodingException(
          "schema has more components than a record can have: maximum="
              + MAX_WIDTH
              + " found="
              + width
              + " type="
              + name);
    }
  }

  private static boolean isTwoWords(Layout layout) {
    return switch (layout) {
      case Layout.Scalar(Primitive primitive, boolean boxed) ->
          !boxed && (primitive == Primitive.LONG || primitive == Primitive.DOUBLE);
      case Layout.CompactNumber(Primitive primitive) -> primitive == Primitive.LONG;
      default -> false;
    };
  }

  private Layout choice(String name, Definition definition) {
    Layout.Choice choice = new Layout.Choice(name, Object.class);
    definition.layout = choice;
    List<Layout> subtypes = new ArrayList<>();
    for (String member : definition.members) {
      Layout subtype = resolve(member);
      if (!(subtype instanceof Layout.Product) && !(subtype instanceof Layout.Constant)) {
        throw new DecodingException("schema has a subtype that is no record: " + member);
      }
      subtypes.add(subtype);
    }
    choice.complete(subtypes);
    return choice;
  }

  private Layout unnamed(String type) {
    Layout simple = SIMPLE.get(type);
    if (simple != null) {
      return simple;
    }
    if (type.endsWith("[]")) {
      return new Layout.Sequence(
          Layout.Container.ARRAY, Object[].class, resolve(type.substring(0, type.length() - 2)));
    }
    int open = type.indexOf('<');
    if (open < 0 || !type.endsWith(">")) {
      throw new DecodingException("schema uses a type that it does not define: " + type);
    }
    List<Layout> arguments = new ArrayList<>();
    for (String argument : split(type.substring(open + 1, type.length() - 1))) {
      arguments.add(resolve(argument));
    }
    String kind = type.substring(0, open) + "/" + arguments.size();
    return switch (kind) {
      case "List/1" -> Layout.Sequence.listOf(arguments.getFirst());
      case "Set/1" -> Layout.Sequence.setOf(arguments.getFirst());
      case "Optional/1" -> new Layout.Maybe(arguments.getFirst());
      case "Map/2" -> new Layout.Dictionary(arguments.get(0), arguments.get(1));
      default -> throw new DecodingException("schema uses a type that it does not define: " + type);
    };
  }

  /** The parts between commas that are not inside of angle brackets. */
  private static List<String> split(String arguments) {
    List<String> parts = new ArrayList<>();
    int nesting = 0;
    int start = 0;
    for (int i = 0; i < arguments.length(); i++) {
      char c = arguments.charAt(i);
      nesting += c == '<' ? 1 : c == '>' ? -1 : 0;
      if (c == ',' && nesting == 0) {
        parts.add(arguments.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(arguments.substring(start));
    return parts;
  }
}
