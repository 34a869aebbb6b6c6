package org.ringwire.codec.generate.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.runtime.EnumIndex;
import org.ringwire.codec.runtime.Skipper;

/**
 * Matches the layout that a peer writes with the type that it is read into here: components,
 * constants and subtypes by name. A value must be readable without loss: a number may become wider,
 * what is unknown here is skipped, what is unknown there gets its default; everything else is
 * refused. Used once, by one thread.
 *
 * <p>What a hostile schema can cost is bounded: pairs of named types by twice the number of such
 * types here, recursion by {@link #MAX_DEPTH}, and the components of all pairs by the length of the
 * schema.
 */
public final class LayoutMatcher {
  private static final int MAX_DEPTH = 256;
  private static final int SPARE_PAIRS = 16;
  private static final int SPARE_COMPONENTS = 512;

  private final int maxPairs;
  private final int maxComponents;
  private final Map<String, Layout> pairs = new HashMap<>();
  private final List<Layout.Product> products = new ArrayList<>();
  private final Skippers skippers = new Skippers();
  private int components;
  private int depth;

  /**
   * A matcher for one schema.
   *
   * @param namedTypes how many records, enums and sealed interfaces the type here uses
   * @param schemaLength how long the schema of the writer is, which has at most one component in
   *     five characters; one record of it may be read as several here, if those are generic
   */
  public LayoutMatcher(int namedTypes, int schemaLength) {
    maxPairs = 2 * namedTypes + SPARE_PAIRS;
    maxComponents = schemaLength / 2 + SPARE_COMPONENTS;
  }

  /**
   * What a match is for.
   *
   * @param text for errors: {@code "org.example.Order: component text"}
   * @param key whether the value is a key of a map or in a set, which must not lose anything,
   *     because different ones could become equal
   */
  private record Place(String text, boolean key) {
    Place at(String newText) {
      return new Place(newText, key);
    }

    Place ofKey() {
      return new Place(text, true);
    }
  }

  /**
   * A layout with the bytes of the writer and the types of the reader.
   *
   * @throws IllegalArgumentException if there is none; names type and component
   */
  public Layout match(Layout written, Layout here) {
    return match(written, here, new Place(here.text(), false));
  }

  /** The records of the result, those inside of others first as far as there is such an order. */
  public List<Layout.Product> products() {
    return products;
  }

  private Layout match(Layout written, Layout here, Place place) {
    if (++depth > MAX_DEPTH) {
      throw new IllegalArgumentException(place.text() + ": nested too deeply at the writer");
    }
    Layout matched =
        switch (here) {
          case Layout.Scalar(Primitive to, boolean boxed) -> number(written, to, boxed);
          case Layout.CompactNumber(Primitive to) -> number(written, to, false);
          case Layout.Value value -> written == value ? value : null;
          case Layout.PrimitiveArray array -> array(written, array);
          case Layout.Constant constant -> constant(written, constant);
          case Layout.Sequence sequence -> sequence(written, sequence, place);
          case Layout.Dictionary map -> map(written, map, place);
          case Layout.Maybe(Layout value) ->
              written instanceof Layout.Maybe(Layout content)
                  ? new Layout.Maybe(match(content, value, place))
                  : null;
          case Layout.Choice choice -> choice(written, choice, place);
          case Layout.Product product -> product(written, product, place);
          case EvolvedLayout evolved -> throw new IllegalStateException("twice: " + evolved);
        };
    depth--;
    if (matched == null) {
      throw new IllegalArgumentException(
          place.text()
              + ": "
              + here.text()
              + " at the reader, "
              + written.text()
              + " at the writer");
    }
    return matched;
  }

  private static @Nullable Layout number(Layout written, Primitive to, boolean boxed) {
    Primitive from;
    boolean writtenBoxed = false;
    switch (written) {
      case Layout.Scalar scalar -> {
        from = scalar.primitive();
        writtenBoxed = scalar.boxed();
      }
      case Layout.CompactNumber compact -> from = compact.primitive();
      default -> {
        return null;
      }
    }
    if (from == to && writtenBoxed == boxed) {
      return written;
    }
    boolean possible = (from == to || to.holdsAll(from)) && (boxed || !writtenBoxed);
    return possible ? new EvolvedLayout.Widened(written, from, to, boxed) : null;
  }

  private static @Nullable Layout array(Layout written, Layout.PrimitiveArray here) {
    if (written.equals(here)) {
      return here;
    }
    return written instanceof Layout.PrimitiveArray(Primitive from)
            && here.primitive().holdsAll(from)
        ? new EvolvedLayout.WidenedArray(from, here.primitive())
        : null;
  }

  private @Nullable Layout sequence(Layout written, Layout.Sequence here, Place place) {
    if (!(written instanceof Layout.Sequence there) || there.container() != here.container()) {
      return null;
    }
    boolean key = here.container() == Layout.Container.SET;
    Layout element = match(there.element(), here.element(), key ? place.ofKey() : place);
    return new Layout.Sequence(here.container(), here.type(), element);
  }

  private @Nullable Layout map(Layout written, Layout.Dictionary here, Place place) {
    if (!(written instanceof Layout.Dictionary(Layout key, Layout value))) {
      return null;
    }
    return new Layout.Dictionary(
        match(key, here.key(), place.ofKey()), match(value, here.value(), place));
  }

  private @Nullable Layout constant(Layout written, Layout.Constant here) {
    if (!(written instanceof Layout.Constant there) || !sameName(written, here)) {
      return null;
    }
    String text = pairText(there, here, false);
    Layout known = pairs.get(text);
    if (known == null) {
      EnumIndex index = new EnumIndex(here.text(), there.index().names(), here.type());
      known = new Layout.Constant(text, here.type(), index);
      addPair(text, known, here);
    }
    return known;
  }

  private @Nullable Layout choice(Layout written, Layout.Choice here, Place place) {
    if (!(written instanceof Layout.Choice there) || !sameName(written, here)) {
      return null;
    }
    String text = pairText(there, here, place.key());
    Layout before = pairs.get(text);
    if (before != null) {
      return before;
    }
    Layout.Choice matched = new Layout.Choice(text, here.type());
    addPair(text, matched, here);
    Map<String, Layout> known = new HashMap<>();
    here.subtypes().forEach(subtype -> known.put(TypeNames.nameOf(subtype.type()), subtype));
    List<Layout> subtypes = new ArrayList<>();
    for (Layout subtype : there.subtypes()) {
      Layout candidate = known.get(nameOf(subtype));
      subtypes.add(
          candidate == null
              ? new EvolvedLayout.Skipped(subtype, skippers.of(subtype))
              : match(subtype, candidate, place.at(here.text() + ": subtype " + subtype.text())));
    }
    matched.complete(subtypes);
    return matched;
  }

  private @Nullable Layout product(Layout written, Layout.Product here, Place place) {
    if (!(written instanceof Layout.Product there) || !sameName(written, here)) {
      return null;
    }
    String text = pairText(there, here, place.key());
    Layout known = pairs.get(text);
    if (known != null) {
      return known;
    }
    Layout.Product matched = new Layout.Product(text, here, there);
    addPair(text, matched, here);
    addComponents(there, here);
    Map<String, Layout.Component> expected = new HashMap<>();
    here.components().forEach(component -> expected.put(component.name(), component));
    Map<String, Layout.Component> read = new LinkedHashMap<>();
    for (Layout.Component component : there.components()) {
      Place at = place.at(here.text() + ": component " + component.name());
      read.put(component.name(), component(component, expected.get(component.name()), at));
    }
    List<Layout.Argument> arguments = new ArrayList<>();
    for (Layout.Component component : here.components()) {
      arguments.add(
          new Layout.Argument(
              component.declaredType(), read.get(component.name()), component.absent()));
    }
    matched.complete(List.copyOf(read.values()), arguments);
    products.add(matched);
    return matched;
  }

  private Layout.Component component(
      Layout.Component there, Layout.@Nullable Component here, Place place) {
    if (here != null) {
      Layout layout = match(there.layout(), here.layout(), place);
      return new Layout.Component(there.name(), layout, here.declaredType(), null);
    }
    if (place.key()) {
      throw new IllegalArgumentException(
          place.text()
              + ": missing at the reader, "
              + there.layout().text()
              + " at the writer, in a key or a set, whose elements could become equal without it");
    }
    Skipper skipper = skippers.of(there.layout());
    return new Layout.Component(
        there.name(), new EvolvedLayout.Skipped(there.layout(), skipper), Object.class, null);
  }

  /** Whether two named types are versions of one: the names without type arguments are equal. */
  private static boolean sameName(Layout written, Layout here) {
    return nameOf(written).equals(TypeNames.nameOf(here.type()));
  }

  private static String nameOf(Layout written) {
    String text = written.text();
    int arguments = text.indexOf('<');
    return arguments < 0 ? text : text.substring(0, arguments);
  }

  private static String pairText(Layout written, Layout here, boolean key) {
    return written.text() + " -> " + here.text() + (key ? " as key" : "");
  }

  private void addComponents(Layout.Product there, Layout here) {
    components += there.components().size();
    if (components > maxComponents) {
      throw new IllegalArgumentException(
          here.text()
              + ": the schema of the writer has too many components: maximum="
              + maxComponents);
    }
  }

  private void addPair(String text, Layout matched, Layout here) {
    if (pairs.size() == maxPairs) {
      throw new IllegalArgumentException(
          here.text() + ": the schema of the writer has too many types: maximum=" + maxPairs);
    }
    pairs.put(text, matched);
  }
}
