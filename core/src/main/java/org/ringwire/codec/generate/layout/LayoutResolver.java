package org.ringwire.codec.generate.layout;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.Compact;
import org.ringwire.codec.Schema;
import org.ringwire.codec.runtime.EnumIndex;

/**
 * Finds the layout of a type, following components, type arguments and permitted subtypes. One
 * resolver sees each named type once, so that recursion ends. Used for one message, by one thread.
 */
public final class LayoutResolver {
  /** Types nested in types beyond this are taken for a generic type that grows without end. */
  private static final int MAX_NESTING = 64;

  private final Map<String, Layout> named = new HashMap<>();
  private final Set<TypeVariable<?>> bounding = new HashSet<>(); // whose bounds are being resolved
  private @Nullable Class<?> message;

  /** What the type variables of a generic class stand for. */
  private record Scope(String place, Map<TypeVariable<?>, Layout> variables, int nesting) {
    Scope at(String newPlace) {
      return new Scope(newPlace, variables, nesting);
    }

    Scope inside(Map<TypeVariable<?>, Layout> newVariables) {
      return new Scope(place, newVariables, nesting + 1);
    }
  }

  /** How many named types were met. */
  public int namedTypes() {
    return named.size();
  }

  /** The layout of a record or enum that is sent as a message. */
  public Layout resolveMessage(Class<?> type) {
    message = type;
    Scope scope = new Scope("message", Map.of(), 0);
    if (type.isRecord()) {
      Layout product = product(type, List.of(), scope);
      Containment.settle(product);
      return product;
    }
    if (type.isEnum()) {
      return constant(type);
    }
    TypeNames.requireOwnName(type);
    String reason = type.isSealed() ? ": send or handle the records that it permits" : "";
    throw new IllegalArgumentException(
        "no codec for "
            + type.getName()
            + reason
            + " (codecs are generated for records and enums; register a codec for anything else)");
  }

  private Layout resolve(Type type, Scope scope) {
    if (scope.nesting() > MAX_NESTING) {
      throw unsupported(type, scope, "is nested without end");
    }
    return switch (type) {
      case Class<?> c -> resolveClass(c, List.of(), scope);
      case ParameterizedType p -> {
        List<Layout> arguments = new ArrayList<>();
        for (Type argument : p.getActualTypeArguments()) {
          arguments.add(resolve(argument, scope));
        }
        yield resolveClass((Class<?>) p.getRawType(), arguments, scope);
      }
      case GenericArrayType a ->
          Layout.Sequence.arrayOf(resolve(a.getGenericComponentType(), scope));
      case WildcardType w -> resolve(w.getUpperBounds()[0], scope);
      case TypeVariable<?> v -> {
        Layout bound = scope.variables().get(v);
        yield bound != null ? bound : resolveBound(v, scope);
      }
      default -> throw unsupported(type, scope, "is not supported");
    };
  }

  /** What a variable stands for that nothing was given for. */
  private Layout resolveBound(TypeVariable<?> variable, Scope scope) {
    if (!bounding.add(variable)) {
      throw unsupported(variable, scope, "is bounded by itself, which is not supported");
    }
    Layout layout = resolve(variable.getBounds()[0], scope);
    bounding.remove(variable);
    return layout;
  }

  private Layout resolveClass(Class<?> type, List<Layout> arguments, Scope scope) {
    Primitive primitive = Primitive.of(type);
    if (primitive != null) {
      return new Layout.Scalar(primitive, !type.isPrimitive());
    }
    if (type.isArray()) {
      Primitive element = Primitive.of(type.componentType());
      return element != null && type.componentType().isPrimitive()
          ? new Layout.PrimitiveArray(element)
          : Layout.Sequence.arrayOf(resolve(type.componentType(), scope));
    }
    if (type.isRecord()) {
      return product(type, arguments, scope);
    }
    if (type.isEnum()) {
      return constant(type);
    }
    if (type.isInterface() && type.isSealed() && type != MemorySegment.class) {
      return choice(type, arguments, scope);
    }
    return resolveLibraryClass(type, arguments, scope);
  }

  private Layout resolveLibraryClass(Class<?> type, List<Layout> arguments, Scope scope) {
    if (type == String.class) {
      return Layout.Value.STRING;
    } else if (type == UUID.class) {
      return Layout.Value.UUID_VALUE;
    } else if (type == Instant.class) {
      return Layout.Value.INSTANT;
    } else if (type == Duration.class) {
      return Layout.Value.DURATION;
    } else if (type == MemorySegment.class) {
      return Layout.Value.BYTES;
    } else if (type == List.class && arguments.size() == 1) {
      return Layout.Sequence.listOf(arguments.getFirst());
    } else if (type == Set.class && arguments.size() == 1) {
      return Layout.Sequence.setOf(arguments.getFirst());
    } else if (type == Optional.class && arguments.size() == 1) {
      return new Layout.Maybe(arguments.getFirst());
    } else if (type == Map.class && arguments.size() == 2) {
      return new Layout.Dictionary(arguments.get(0), arguments.get(1));
    }
    throw unsupported(type, scope, "is not supported");
  }

  private IllegalArgumentException unsupported(Type type, Scope scope, String reason) {
    return new IllegalArgumentException(
        scope.place()
            + ": type "
            + type.getTypeName()
            + " "
            + reason
            + " (supported are primitives and their boxes, String, enums, UUID, Instant, Duration,"
            + " MemorySegment, records, sealed interfaces of these, and arrays, List, Set, Map and"
            + " Optional of them with their type arguments; or register a codec of your own for the"
            + " whole message"
            + (message == null ? "" : ", " + message.getName())
            + ")");
  }

  private Layout constant(Class<?> type) {
    String text = TypeNames.nameOf(type);
    if (named.get(text) instanceof Layout.Constant known && known.type() == type) {
      return known;
    }
    Layout.Constant constant = new Layout.Constant(text, type, new EnumIndex(type));
    claim(text, constant, type);
    return constant;
  }

  private Layout product(Class<?> type, List<Layout> arguments, Scope scope) {
    String text = textOf(type, arguments, scope);
    if (named.get(text) instanceof Layout.Product known && known.type() == type) {
      return known;
    }
    Layout.Product product = new Layout.Product(text, type);
    claim(text, product, type);
    Scope inside = scope.inside(bind(type, arguments));
    List<Layout.Component> components = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      Scope at = inside.at("component " + component.getName() + " of " + type.getName());
      Layout layout = resolve(component.getGenericType(), at);
      if (component.isAnnotationPresent(Compact.class)) {
        layout = compact(layout, at);
      }
      Object absent = DefaultValues.of(component, layout, at.place());
      Class<?> declared = accessor(component, at).getReturnType();
      components.add(new Layout.Component(component.getName(), layout, declared, absent));
    }
    product.complete(components);
    return product;
  }

  /** Java makes one for each component; Kotlin does not for what is private or internal. */
  private static Method accessor(RecordComponent component, Scope scope) {
    Method accessor = component.getAccessor();
    if (accessor == null) {
      throw new IllegalArgumentException(
          scope.place()
              + " has no accessor of that name: a record of Kotlin has them for what is public");
    }
    return accessor;
  }

  private static Layout compact(Layout layout, Scope scope) {
    if (layout instanceof Layout.Scalar(Primitive primitive, boolean boxed) && !boxed) {
      if (primitive == Primitive.INT || primitive == Primitive.LONG) {
        return new Layout.CompactNumber(primitive);
      }
    }
    throw new IllegalArgumentException(
        scope.place() + ": @Compact is for int and long, not for " + layout.text());
  }

  private Layout choice(Class<?> type, List<Layout> arguments, Scope scope) {
    String text = textOf(type, arguments, scope);
    if (named.get(text) instanceof Layout.Choice known && known.type() == type) {
      return known;
    }
    Layout.Choice choice = new Layout.Choice(text, type);
    claim(text, choice, type);
    Map<String, Layout> subtypes = new LinkedHashMap<>();
    collectSubtypes(type, arguments, scope, subtypes);
    choice.complete(subtypes.values().stream().sorted(Comparator.comparing(Layout::text)).toList());
    return choice;
  }

  private void collectSubtypes(
      Class<?> type, List<Layout> arguments, Scope scope, Map<String, Layout> found) {
    for (Class<?> subtype : type.getPermittedSubclasses()) {
      List<Layout> inherited = inheritedArguments(subtype, type, arguments, scope);
      if (subtype.isInterface() && subtype.isSealed()) {
        collectSubtypes(subtype, inherited, scope.inside(Map.of()), found);
      } else if (subtype.isRecord() || subtype.isEnum()) {
        Layout layout = resolveClass(subtype, inherited, scope.inside(Map.of()));
        found.put(layout.text(), layout);
      } else {
        throw unsupported(subtype, scope, "is permitted by a sealed interface but no record");
      }
    }
  }

  /** What the type variables of a subtype stand for, given those of its sealed interface. */
  private List<Layout> inheritedArguments(
      Class<?> subtype, Class<?> parent, List<Layout> arguments, Scope scope) {
    Map<TypeVariable<?>, Layout> bound = new HashMap<>();
    for (Type candidate : subtype.getGenericInterfaces()) {
      if (candidate instanceof ParameterizedType p && p.getRawType() == parent) {
        Type[] given = p.getActualTypeArguments();
        for (int i = 0; i < given.length && i < arguments.size(); i++) {
          if (given[i] instanceof TypeVariable<?> variable) {
            bound.put(variable, arguments.get(i));
          }
        }
      }
    }
    List<Layout> inherited = new ArrayList<>();
    for (TypeVariable<?> variable : subtype.getTypeParameters()) {
      Layout layout = bound.get(variable);
      inherited.add(layout != null ? layout : resolveBound(variable, scope));
    }
    return inherited;
  }

  private void claim(String text, Layout layout, Class<?> type) {
    Layout other = named.putIfAbsent(text, layout);
    if (other != null) {
      throw new IllegalArgumentException(
          "two types have the same name: name="
              + text
              + " types "
              + other.type().getName()
              + " and "
              + type.getName());
    }
  }

  private static Map<TypeVariable<?>, Layout> bind(Class<?> type, List<Layout> arguments) {
    Map<TypeVariable<?>, Layout> bound = new HashMap<>();
    TypeVariable<?>[] variables = type.getTypeParameters();
    for (int i = 0; i < variables.length && i < arguments.size(); i++) {
      bound.put(variables[i], arguments.get(i));
    }
    return bound;
  }

  /** The name with its arguments; one that grows may double with each type that it is nested in. */
  private String textOf(Class<?> type, List<Layout> arguments, Scope scope) {
    String name = TypeNames.nameOf(type);
    if (arguments.isEmpty()) {
      return name;
    }
    String text =
        name + "<" + String.join(",", arguments.stream().map(Layout::text).toList()) + ">";
    if (text.length() > Schema.MAX_LENGTH) {
      throw unsupported(type, scope, "is nested without end, or too deep for any schema");
    }
    return text;
  }
}
