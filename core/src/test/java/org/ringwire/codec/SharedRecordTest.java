package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.Awaiting;
import org.ringwire.testing.NodeWatcher;

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

  private static String holderOf(Version version) {
    Object message = version.make("Holder", new SharedPage<>(version.make("Item", "x")));
    return Texts.of(Codecs.roundTrip(version.catalog, message));
  }
}
