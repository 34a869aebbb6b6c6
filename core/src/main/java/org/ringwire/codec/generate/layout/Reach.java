package org.ringwire.codec.generate.layout;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What can be met in a value: the layout itself and all that it holds, through records and sealed
 * interfaces. For layouts that are complete. Used once, by one thread.
 */
public final class Reach {
  private final Set<Layout> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Predicate<Layout> wanted;

  private Reach(Predicate<Layout> wanted) {
    this.wanted = wanted;
  }

  /** Whether values may hold values of the same type, so that a peer chooses how deep they nest. */
  public static boolean isNesting(Layout layout) {
    return new Reach(part -> part instanceof Layout.Product product && product.isNesting())
        .meets(layout);
  }

  /** Whether values may hold sets or maps, so that comparing two may compare many others. */
  public static boolean hasKeys(Layout layout) {
    return new Reach(part ->
        part instanceof Layout.Dictionary
            || (part instanceof Layout.Sequence sequence
                && sequence.container() == Layout.Container.SET))
        .meets(layout);
  }

  private boolean meets(Layout layout) {
    if (wanted.test(layout)) {
      return true;
    }
    return switch (layout) {
      case Layout.Product product ->
          seen.add(product) && product.components().stream().anyMatch(c -> meets(c.layout()));
      case Layout.Choice choice ->
          seen.add(choice) && choice.subtypes().stream().anyMatch(this::meets);
      case Layout.Sequence sequence -> meets(sequence.element());
      case Layout.Dictionary map -> meets(map.key()) || meets(map.value());
      case Layout.Maybe maybe -> meets(maybe.value());
      default -> false;
    };
  }
}
