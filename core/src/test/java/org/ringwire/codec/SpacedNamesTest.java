package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.Sources;

/** Constants and components whose names have spaces, which Java has none of and Kotlin may. */
@ExtendWith(NodeWatcher.class)
class SpacedNamesTest {

  /** Classes whose names have a space in the place of the dollar that follows one of the words. */
  private static ClassLoader compile(String more, char replacement) {
    return Sources.compile(
        "v.Types",
        """
        package v;
        public interface Types {
          enum State { in$progress, in$review, done }
          record Task(int task$number, State state%s) {}
        }
        """
            .formatted(more),
        bytes ->
            new String(bytes, StandardCharsets.ISO_8859_1)
                .replace("in$", "in" + replacement)
                .replace("task$", "task" + replacement)
                .getBytes(StandardCharsets.ISO_8859_1));
  }

  @SuppressWarnings("unchecked")
  private static Class<Record> task(ClassLoader loader) throws ClassNotFoundException {
    return (Class<Record>) loader.loadClass("v.Types$Task");
  }

  private static Record taskInReview(Class<Record> type) throws ReflectiveOperationException {
    Constructor<?> constructor = type.getDeclaredConstructors()[0];
    constructor.setAccessible(true);
    Object state = type.getRecordComponents()[1].getType().getEnumConstants()[1];
    return type.cast(constructor.newInstance(7, state));
  }

  @Test
  void shouldBeReadByThisAndAnotherVersion() throws ReflectiveOperationException {
    Class<Record> type = task(compile("", ' '));
    MessageType<Record> written = new MessageCatalog().typeOf(type);
    Record task = taskInReview(type);
    assertThat(task).hasToString("Task[task number=7, state=in review]");

    byte[] bytes = Codecs.encode(written.codec(), task);
    assertThat(Codecs.decode(written.codec(), bytes)).isEqualTo(task);
    Schema schema = Schema.parse(written.schema().toBytes());
    MessageType<Record> newer = new MessageCatalog().typeOf(task(compile(", String note", ' ')));
    assertThat(Codecs.decode(newer.codecFor(schema), bytes))
        .hasToString("Task[task number=7, state=in review, note=null]");
  }

  @Test
  void shouldRefuseNamesThatHaveNoPlaceInASchema() throws ClassNotFoundException {
    Class<Record> type = task(compile("", '\t'));
    assertThatThrownBy(() -> new MessageCatalog().typeOf(type))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a name has no place in a schema: type=v.Types$Task")
        .hasMessageContaining("code=9");
  }
}
