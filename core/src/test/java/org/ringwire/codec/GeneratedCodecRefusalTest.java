package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.codec.GeneratedCodecTest.Shape;
import org.ringwire.codec.GeneratedCodecTest.Strict;
import org.ringwire.codec.GeneratedCodecTest.Tree;
import org.ringwire.codec.runtime.RecordCodec;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;

/** What generated codecs refuse, and how they say so. */
@ExtendWith(NodeWatcher.class)
class GeneratedCodecRefusalTest {

  private final MessageCatalog catalog = new MessageCatalog();

  @Test
  void shouldRefuseRecursionThatIsTooDeep() {
    check(chain(200));
    assertThatThrownBy(() -> check(chain(1000)))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("nested too deeply");
    assertThatThrownBy(() -> check(chain(1_000_000)))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("nested too deeply");
  }

  private static Tree chain(int depth) {
    Tree tree = null;
    for (int i = 0; i < depth; i++) {
      tree = new Tree(i, tree, null);
    }
    return tree;
  }

  @Test
  void shouldRunConstructors() {
    Codec<Strict> codec = catalog.typeOf(Strict.class).codec();
    assertThatThrownBy(() -> Codecs.decode(codec, new byte[] {-1, -1, -1, -1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("negative: -1");
  }

  /** As Kotlin makes records: what is private or internal has no accessor. */
  @Test
  void shouldNameTheComponentWithoutAccessor() throws ClassNotFoundException {
    ClassLoader loader =
        Sources.compile(
            "v.Kept",
            "package v; public record Kept(int shown, int kept) {}",
            bytes ->
                ClassFile.of()
                    .transformClass(
                        ClassFile.of().parse(bytes),
                        ClassTransform.dropping(element ->
                            element instanceof MethodModel method
                                && method.methodName().equalsString("kept"))));

    assertRefused(loader.loadClass("v.Kept"), "component kept of v.Kept", "has no accessor");
  }

  /** As a bundle of OSGi that imports what its source names, and no more. */
  @Test
  void shouldNameThePackageThatTheLoaderOfARecordDoesNotSee() throws ClassNotFoundException {
    String base = RecordCodec.class.getPackageName();
    ClassLoader importing =
        new ClassLoader(RecordCodec.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith(base)) {
              throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
          }
        };
    ClassLoader loader =
        Sources.compile("v.Seen", "package v; public record Seen(int i) {}", importing);

    assertRefused(loader.loadClass("v.Seen"), "codec of v.Seen cannot be linked", base);
  }

  record Unsupported(int fine, Path path) {}

  record RawList(@SuppressWarnings("rawtypes") List list) {}

  record DeepInside(List<Map<String, Thread>> threads) {}

  record WrongCompact(@Compact String text) {}

  record Endless<T>(T value, Endless<List<T>> more) {}

  record Start(Endless<String> endless) {}

  record Doubling<T>(T value, Doubling<Map<T, T>> more) {}

  record StartDoubling(Doubling<String> doubling) {}

  @Test
  void shouldNameComponentAndTypeOfWhatIsUnsupported() {
    assertRefused(
        Unsupported.class, "component path of " + name("Unsupported"), "java.nio.file.Path");
    assertRefused(RawList.class, "component list of " + name("RawList"), "java.util.List");
    assertRefused(DeepInside.class, "component threads of ", "java.lang.Thread");
    assertRefused(WrongCompact.class, "component text of ", "@Compact is for int and long");
    assertRefused(Start.class, name("Endless"), "nested without end");
    assertRefused(StartDoubling.class, name("Doubling"), "nested without end");
    assertRefused(String.class, "java.lang.String", "register a codec");
    assertRefused(Shape.class, Shape.class.getName(), "send or handle the records that it permits");
  }

  record Range<T extends Comparable<T>>(T low, T high) {}

  record Flag<E extends Enum<E>>(E value) {}

  @Test
  void shouldRefuseTypesThatAreBoundedByThemselves() {
    assertRefused(Range.class, "component low of " + name("Range"), "bounded by itself");
    assertRefused(Flag.class, "component value of " + name("Flag"), "bounded by itself");
  }

  @Message(name = "String")
  record CalledString(int value) {}

  @Message(name = "Map")
  record CalledMap(int value) {}

  @Message(name = "compact-int")
  enum CalledCompact {
    ONE
  }

  @Message(name = "List<String>")
  record CalledList(int value) {}

  @Message(name = "\uD800")
  record CalledHalf(int value) {}

  record UsesCalledString(List<String> texts, List<CalledString> others) {}

  @Message(name = "one\u2028two")
  record CalledTwoLines(int value) {}

  @Test
  void shouldRefuseNamesThatStandForOtherTypes() {
    assertRefused(CalledString.class, "has a meaning in schemas: name=String");
    assertRefused(CalledMap.class, "has a meaning in schemas: name=Map");
    assertRefused(CalledCompact.class, "has a meaning in schemas: name=compact-int");
    assertRefused(CalledList.class, "has a meaning in schemas: name=List<String>");
    assertRefused(CalledTwoLines.class, "no white space or control characters");
    assertRefused(CalledHalf.class, "no unpaired surrogates", name("CalledHalf"));
    assertRefused(UsesCalledString.class, "has a meaning in schemas: name=String");
  }

  private static final class CodecOfBytes implements Codec<byte[]> {
    @Override
    public int length(byte[] message) {
      return Lengths.ofByteArray(message.length);
    }

    @Override
    public void encode(byte[] message, Writer writer) {
      writer.putByteArray(message);
    }

    @Override
    public byte[] decode(Reader reader) {
      return reader.getByteArray();
    }
  }

  /** Neither advice leads anywhere: to register a codec for it, or to give it another name. */
  @Test
  void shouldSayThatArraysAreNoMessages() {
    assertRefused(byte[].class, "make it a component of a record: type=byte[]");
    assertRefused(String[][].class, "make it a component of a record: type=java.lang.String[][]");
    assertThatThrownBy(() -> catalog.register(byte[].class, new CodecOfBytes()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("make it a component of a record: type=byte[]");
  }

  private void assertRefused(Class<?> type, String... parts) {
    assertThatThrownBy(() -> catalog.typeOf(type))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(parts);
  }

  private static String name(String simple) {
    return GeneratedCodecRefusalTest.class.getName() + "$" + simple;
  }

  @Test
  void shouldRefuseCollectionsThatChangeWhileTheyAreEncoded() {
    record Strings(List<Integer> list) {}
    Codec<Strings> strings = catalog.typeOf(Strings.class).codec();
    List<Integer> lying =
        new ArrayList<>(List.of(1)) {
          private static final long serialVersionUID = 1;

          @Override
          public int size() {
            return 3;
          }
        };
    assertThatThrownBy(() -> Codecs.encode(strings, new Strings(lying)))
        .isInstanceOf(ConcurrentModificationException.class)
        .hasMessageContaining("size=3 elements=1");
  }

  @Message(name = "colour")
  enum Colour {
    RED,
    GREEN
  }

  @Message(name = "colour")
  enum Paint {
    WHITE,
    BLACK,
    GREY
  }

  @Message(name = "colour")
  record Mixture(int red, int green) {}

  @Message(name = "colour")
  record Shade(long depth) {}

  @Message(name = "colour")
  sealed interface Any permits Only {}

  record Only() implements Any {}

  /** A name is all that a peer knows a type by: one would be taken for the other. */
  @Test
  void shouldRefuseTwoTypesOfOneNameWithinAMessage() {
    record Enums(Colour colour, Paint paint) {}
    record Records(Mixture mixture, Shade shade) {}
    record EnumAndRecord(Colour colour, Shade shade) {}
    record RecordAndEnum(Shade shade, Colour colour) {}
    record InterfaceAndEnum(Any any, Paint paint) {}
    for (Class<?> type :
        List.of(
            Enums.class,
            Records.class,
            EnumAndRecord.class,
            RecordAndEnum.class,
            InterfaceAndEnum.class)) {
      assertThatThrownBy(() -> catalog.typeOf(type))
          .as(type.getSimpleName())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("two types have the same name: name=colour");
    }
    record Same(Colour first, Colour second) {}
    check(new Same(Colour.RED, Colour.GREEN));
  }

  private void check(Object message) {
    assertThat(Codecs.roundTrip(catalog, message)).isEqualTo(message);
  }
}
