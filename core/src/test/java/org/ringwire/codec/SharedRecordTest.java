package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;

/** A generic record that several applications in one JVM use, each with types of its own. */
@ExtendWith(NodeWatcher.class)
class SharedRecordTest {

  sealed interface Shape<T> permits Square {}

  record Square<T>(T side) implements Shape<T> {}

  @Message(name = "Item")
  record Amount(int value) {}

  record Amounts(SharedPage<Amount> page, Shape<Amount> shape) {}

  @Message(name = "Item")
  record Word(String text) {}

  record Words(SharedPage<Word> page, Shape<Word> shape) {}

  record Plain(int value) {}

  private static final String TYPES =
      """
      record Item(String text) {}
      record Holder(SharedPage<Item> page) {}
      enum Kind { ONE, TWO }
      sealed interface Shape permits Round {}
      record Round(int radius) implements Shape {}
      record Arrays(
          SharedArray<Item> items,
          SharedArray<Kind> kinds,
          SharedArray<Shape> shapes,
          SharedArray<Item[]> rows,
          SharedArray<List<Item[]>> lists,
          SharedPage<Map<String, Item[]>> map,
          SharedPage<Item[]> page,
          SharedArray<String> texts) {}
      """;

  @Test
  void shouldTellTypeArgumentsOfOneNameApart() {
    Amount one = new Amount(7);
    Word two = new Word("seven");
    MessageCatalog ones = new MessageCatalog();
    MessageCatalog twos = new MessageCatalog();
    Amounts first = new Amounts(new SharedPage<>(one), new Square<>(one));
    Words second = new Words(new SharedPage<>(two), new Square<>(two));
    for (int i = 0; i < 2; i++) { // the second time of what was kept
      assertThat(Codecs.roundTrip(ones, first)).isEqualTo(first);
      assertThat(Codecs.roundTrip(twos, second)).isEqualTo(second);
      ones = new MessageCatalog();
      twos = new MessageCatalog();
    }
  }

  @Test
  void shouldTellTypeArgumentsOfTwoClassLoadersApart() {
    for (int i = 0; i < 2; i++) {
      assertThat(holderOf(new Version(TYPES)))
          .isEqualTo("Holder[page=SharedPage[item=Item[text=x]]]");
    }
  }

  @Test
  void shouldNotKeepTheClassesOfItsTypeArguments() {
    WeakReference<ClassLoader> unloaded = loaderThatWasUsed();

    Awaiting.await(
        "the class loader is collected",
        () -> {
          System.gc();
          return unloaded.refersTo(null);
        });
  }

  @Test
  void shouldGenerateOnceForAllCatalogsWhatIsNotGeneric() {
    assertThat(new MessageCatalog().typeOf(Plain.class).codec())
        .isSameAs(new MessageCatalog().typeOf(Plain.class).codec());
  }

  private static WeakReference<ClassLoader> loaderThatWasUsed() {
    Version version = new Version(TYPES);
    assertThat(holderOf(version)).isNotEmpty();
    return new WeakReference<>(version.loader);
  }

  /** Each loader has a package of its own, whatever its parent has under the same name. */
  @Test
  void shouldReachRecordsThatTheParentLoaderHasAlso() throws ClassNotFoundException {
    String source = "package q; record Twin(int value) { record Other(int value) {} }";
    ClassLoader parent = Sources.compile("q.Twin", source);
    ClassLoader child = Sources.compile("q.Twin", source, parent);
    for (ClassLoader loader : List.of(parent, child)) {
      for (String name : List.of("q.Twin", "q.Twin$Other")) {
        Class<?> type = Class.forName(name, true, loader);
        assertThat(type.getClassLoader()).isSameAs(loader);
        assertThat(new MessageCatalog().typeOf(type).name()).isEqualTo(name);
      }
    }
  }

  /** The generic record and its codec know nothing of them, nor may they. */
  @Test
  void shouldMakeArraysOfTypesThatTheRecordCannotReach() {
    for (int i = 0; i < 2; i++) {
      Version version = new Version(TYPES);
      Object item = version.make("Item", "x");
      Object items = array(item);
      Object message =
          version.make(
              "Arrays",
              shared(items),
              shared(array(version.constant("Kind", "TWO"))),
              shared(arrayOf(version.type("Shape"), version.make("Round", 3))),
              shared(array(items)),
              shared(arrayOf(List.class, List.of(items))),
              new SharedPage<>(Map.of("key", items)),
              new SharedPage<>(items),
              shared(array("text")));
      Object copy = Codecs.roundTrip(version.catalog, message);
      assertThat(Texts.of(copy)).isEqualTo(Texts.of(message)).contains("Item[text=x]");
    }
  }

  private static Object shared(Object array) {
    return new SharedArray<>((Object[]) array);
  }

  private static Object array(Object element) {
    return arrayOf(element.getClass(), element);
  }

  private static Object arrayOf(Class<?> type, Object element) {
    Object array = Array.newInstance(type, 1);
    Array.set(array, 0, element);
    return array;
  }

  private static String holderOf(Version version) {
    Object message = version.make("Holder", new SharedPage<>(version.make("Item", "x")));
    return Texts.of(Codecs.roundTrip(version.catalog, message));
  }
}
