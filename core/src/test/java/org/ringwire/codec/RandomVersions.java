package org.ringwire.codec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The source of a few random records, enums and sealed interfaces, in two versions of which each
 * part of the second is what an upgrade may make of the first.
 */
final class RandomVersions {
  private static final Map<String, List<String>> WIDER =
      Map.of(
          "byte", List.of("short", "int", "long", "float", "double"),
          "short", List.of("int", "long", "float", "double"),
          "char", List.of("int", "long", "float", "double"),
          "int", List.of("long", "double"),
          "float", List.of("double"));

  private static final Map<String, String> BOXES =
      Map.of(
          "boolean", "Boolean",
          "byte", "Byte",
          "short", "Short",
          "char", "Character",
          "int", "Integer",
          "long", "Long",
          "float", "Float",
          "double", "Double");

  private static final List<String> PRIMITIVES = new ArrayList<>(new TreeMap<>(BOXES).keySet());
  private static final List<String> VALUES = List.of("String", "UUID", "Instant", "Duration");
  private static final int RECORDS = 4;

  private final Random random;
  private final Map<String, List<Part>> types = new LinkedHashMap<>();
  private int names;

  RandomVersions(Random random) {
    this.random = random;
    types.put("enum E0", constants(1));
    types.put("enum E1", constants(random.nextInt(4) == 0 ? 300 : 5));
    types.put("sealed S0", subtypes());
    for (int i = 0; i < RECORDS; i++) {
      types.put("record R" + i, components());
    }
  }

  /** A member of a type; a component's type, of a constant nothing. */
  private record Part(Type type, String name) {}

  /**
   * A type with its arguments; the name of a primitive, a value or a named type, or a container.
   */
  private record Type(String name, List<Type> arguments, boolean compact) {
    static Type of(String name, Type... arguments) {
      return new Type(name, List.of(arguments), false);
    }

    @Override
    public String toString() {
      if (name.equals("[]")) {
        return arguments.getFirst() + "[]";
      }
      String inside =
          arguments.stream().map(Type::toString).collect(Collectors.joining(", ", "<", ">"));
      return name + (arguments.isEmpty() ? "" : inside);
    }
  }

  private String newName() {
    return "n" + names++;
  }

  private List<Part> constants(int count) {
    List<Part> constants = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      constants.add(new Part(Type.of(""), newName()));
    }
    return constants;
  }

  private List<Part> subtypes() {
    List<Part> subtypes = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      if (i == 0 || random.nextBoolean()) {
        subtypes.add(new Part(Type.of(""), "R" + i));
      }
    }
    return subtypes;
  }

  private List<Part> components() {
    List<Part> components = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      components.add(new Part(type(0), newName()));
    }
    return components;
  }

  private <T> T any(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private Type type(int depth) {
    int kind = random.nextInt(depth < 3 ? 10 : 5);
    if (depth == 0 && kind < 3) {
      String primitive = any(PRIMITIVES);
      boolean number = primitive.equals("int") || primitive.equals("long");
      return new Type(primitive, List.of(), number && random.nextBoolean());
    }
    return switch (kind) {
      case 0, 1 -> Type.of(BOXES.getOrDefault(any(PRIMITIVES), ""));
      case 2 -> Type.of(any(VALUES));
      case 3 -> Type.of(any(List.of("E0", "E1", "S0")));
      case 4 -> Type.of("R" + random.nextInt(RECORDS));
      case 5 -> Type.of("[]", Type.of(any(PRIMITIVES)));
      case 6 -> Type.of("List", type(depth + 1));
      case 7 -> Type.of("Optional", type(depth + 1));
      case 8 -> Type.of("Set", key());
      default -> Type.of("Map", key(), type(depth + 1));
    };
  }

  /** Without records, whose components must not be lost in keys. */
  private Type key() {
    return Type.of(any(List.of("String", "Integer", "Byte", "UUID", "E1")));
  }

  /** Makes this the next version. */
  void evolve() {
    for (Map.Entry<String, List<Part>> type : types.entrySet()) {
      List<Part> parts = type.getValue();
      if (parts.size() > 1 && random.nextBoolean()) {
        parts.remove(random.nextInt(parts.size()));
      }
      if (type.getKey().startsWith("record")) {
        parts.replaceAll(part -> new Part(evolve(part.type()), part.name()));
        if (random.nextBoolean()) {
          parts.add(new Part(type(0), newName()));
        }
      } else if (type.getKey().startsWith("enum")) {
        parts.addAll(constants(random.nextInt(3)));
      } else {
        List<Part> others = subtypes();
        others.removeIf(other -> parts.stream().anyMatch(p -> p.name().equals(other.name())));
        parts.addAll(others);
      }
      Collections.shuffle(parts, random);
    }
  }

  private Type evolve(Type type) {
    String name = type.name();
    if (BOXES.containsKey(name)) {
      String wider = random.nextBoolean() && WIDER.containsKey(name) ? any(WIDER.get(name)) : name;
      boolean box = random.nextInt(3) == 0;
      boolean number = wider.equals("int") || wider.equals("long");
      return new Type(
          box ? BOXES.getOrDefault(wider, "") : wider,
          List.of(),
          number && !box && random.nextBoolean());
    }
    for (Map.Entry<String, String> box : BOXES.entrySet()) {
      if (box.getValue().equals(name) && WIDER.containsKey(box.getKey()) && random.nextBoolean()) {
        return Type.of(BOXES.getOrDefault(any(WIDER.get(box.getKey())), ""));
      }
    }
    if (name.equals("[]")) {
      String element = type.arguments().getFirst().name();
      boolean wider = random.nextBoolean() && WIDER.containsKey(element);
      return wider ? Type.of("[]", Type.of(any(WIDER.get(element)))) : type;
    }
    return new Type(name, type.arguments().stream().map(this::evolve).toList(), false);
  }

  /** The types of this version, to stand inside of an interface. */
  String source() {
    StringBuilder source = new StringBuilder();
    List<Part> subtypes = types.getOrDefault("sealed S0", List.of());
    types.forEach((head, parts) -> {
      String name = head.substring(head.indexOf(' ') + 1);
      if (head.startsWith("record")) {
        boolean isSubtype = subtypes.stream().anyMatch(part -> part.name().equals(name));
        source
            .append(head)
            .append(
                parts.stream()
                    .map(p -> (p.type().compact() ? "@Compact " : "") + p.type() + " " + p.name())
                    .collect(Collectors.joining(", ", "(", ")")));
        source.append(isSubtype ? " implements S0 {}\n" : " {}\n");
      } else {
        String members = parts.stream().map(Part::name).collect(Collectors.joining(", "));
        source.append(
            head.startsWith("enum")
                ? head + " { " + members + " }\n"
                : "sealed interface " + name + " permits " + members + " {}\n");
      }
    });
    return source.toString();
  }
}
