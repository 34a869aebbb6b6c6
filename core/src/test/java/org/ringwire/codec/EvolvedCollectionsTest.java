package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.MessagingException;
import org.ringwire.testing.NodeWatcher;

/** Collections of a type whose version here differs from that of the writer. */
@ExtendWith(NodeWatcher.class)
class EvolvedCollectionsTest {

  /** As collections that were sent do. */
  @Test
  void shouldGiveEmptyCollectionsThatAnswerForNull() {
    Version one = new Version("record A(int a) {}");
    Version two =
        new Version(
            """
            record A(int a, @Default("") List<String> list, @Default("") Set<String> set,
                @Default("") Map<String, String> map) {
              public A {
                if (list.contains(null) || list.indexOf(null) >= 0 || set.contains(null)
                    || map.containsKey(null) || map.get(null) != null) {
                  throw new IllegalArgumentException("not empty");
                }
              }
            }
            """);
    assertThat(two.read(one, one.make("A", 1))).isEqualTo("A[a=1, list=[], set=[], map=[]]");
  }

  /** What a constructor makes equal is no fault of the sender, which keeps its connection. */
  @Test
  void shouldLoseOnlyTheMessageWithWhatAConstructorMakesEqual() {
    Version one =
        new Version(
            """
            record Tag(String text) {}
            record Tags(Set<Tag> tags) {}
            record Named(Map<List<Tag>, String> map) {}
            """);
    Version two =
        new Version(
            """
            record Tag(String text) { public Tag { text = text.toLowerCase(); } }
            record Tags(Set<Tag> tags) {}
            record Named(Map<List<Tag>, String> map) {}
            """);
    Object small = one.make("Tag", "a");
    Object large = one.make("Tag", "A");
    for (Object message :
        List.of(
            one.make("Tags", Set.of(small, large)),
            one.make("Named", Map.of(List.of(small), "x", List.of(large), "y")))) {
      Codec<?> codec = two.codecFor(one, message.getClass().getSimpleName());
      byte[] bytes = one.encode(message);
      assertThatThrownBy(() -> codec.decode(Codecs.reader(bytes)))
          .isExactlyInstanceOf(MessagingException.class)
          .hasMessageContaining("twice")
          .hasMessageContaining("equal here");
    }
  }

  record Names(Map<String, Integer> names, Set<String> set) {}

  /** A map by identity has keys that are equal elsewhere; its sender keeps its connection, too. */
  @Test
  void shouldLoseOnlyTheMessageWithAMapOfKeysByTheirIdentity() {
    IdentityHashMap<String, Integer> map = new IdentityHashMap<>();
    Set<String> set = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int number = 0; number < 2; number++) {
      String name = String.valueOf(new char[] {'a'});
      map.put(name, number);
      set.add(name);
    }
    for (Names message : List.of(new Names(map, Set.of()), new Names(Map.of(), set))) {
      assertThatThrownBy(() -> Codecs.roundTrip(new MessageCatalog(), message))
          .isExactlyInstanceOf(MessagingException.class)
          .hasMessageContaining("twice")
          .hasMessageContaining("equal here");
    }
  }
}
