package org.ringwire.heap.image.classes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.heap.HeapCodec;
import org.ringwire.heap.image.Encoder;
import org.ringwire.heap.image.container.Containers;
import org.ringwire.heap.image.shape.Shape;
import org.ringwire.heap.image.shape.Tags;
import org.ringwire.heap.image.value.BoxShape;
import org.ringwire.heap.image.value.SingletonShape;
import org.ringwire.heap.image.value.ValueShape;
import org.ringwire.testing.NodeWatcher;

/** Shapes that are made when they are first met: by name, by tag, and behind a table. */
@ExtendWith(NodeWatcher.class)
class BuiltInShapesTest {

  /** Nobody else in these tests sends arrays of short numbers. */
  static final class Shorts {
    short @Nullable [] numbers;
  }

  @Test
  void shouldKnowByNameWhatHasAShape() throws ClassNotFoundException {
    List<Shape> shapes = new ArrayList<>(BoxShape.all());
    shapes.addAll(SingletonShape.all());
    shapes.addAll(ValueShape.all());
    shapes.addAll(Containers.plain());
    shapes.addAll(Containers.others());
    for (Shape shape : shapes) {
      Shape known = BuiltInShapes.of(shape.type());
      assertThat(BuiltInShapes.hasName(shape.type().getName())).as("%s", shape.type()).isTrue();
      assertThat(Objects.requireNonNull(known).tag()).as("%s", shape.type()).isEqualTo(shape.tag());
    }
    for (String name : BuiltInShapes.names()) {
      Class<?> type = Class.forName(name, false, null);
      Shape shape = Objects.requireNonNull(BuiltInShapes.of(type), name);
      assertThat(shape.type()).isEqualTo(type);
      assertThat(Objects.requireNonNull(BuiltInShapes.withTag(shape.tag())).tag())
          .isEqualTo(shape.tag());
    }
  }

  @Test
  void shouldHaveNoShapeOfOtherClassesAndTags() {
    assertThat(BuiltInShapes.of(Shorts.class)).isNull();
    assertThat(BuiltInShapes.of(Map.class)).isNull();
    assertThat(BuiltInShapes.withTag(Tags.DECLARED - 1)).isNull();
  }

  /** What a class expects counts as no level, also if its shape is younger than the decoder. */
  @Test
  void shouldExpectWhatWasMadeAfterTheDecoder() {
    HeapCodec codec = HeapCodec.builder().accept(Shorts.class).build();
    codec.decode(codec.encode(null)); // makes both, before there is a shape
    Shorts leaf = new Shorts();
    leaf.numbers = new short[] {1, 2, 3};
    Object graph = leaf;
    for (int i = 0; i < Encoder.NESTING; i++) {
      graph = new Object[] {graph};
    }
    Object copy = codec.decode(codec.encode(graph));
    for (int i = 0; i < Encoder.NESTING; i++) {
      copy = ((Object[]) Objects.requireNonNull(copy))[0];
    }
    assertThat(((Shorts) Objects.requireNonNull(copy)).numbers).isEqualTo(leaf.numbers);
  }

  record First(int number) {}

  record Second(int number) {}

  record Third(int number) {}

  record Fourth(int number) {}

  /** The same, with each image that has a tag of no class. */
  @Test
  void shouldTakeNoOrdinalsForATagThatNoClassHas() {
    for (int tag = 0; tag < Tags.DECLARED; tag++) {
      Object _ = BuiltInShapes.withTag(tag); // what there is, once for all
    }
    int before = Shapes.of(Third.class).ordinal();
    for (int tag = 0; tag < Tags.DECLARED; tag++) {
      for (int i = 0; i < 10; i++) {
        Object _ = BuiltInShapes.withTag(tag);
      }
    }
    assertThat(Shapes.of(Fourth.class).ordinal() - before).isLessThan(100);
  }

  /** They are places in tables of all encoders, which would grow with each stream of a peer. */
  @Test
  void shouldTakeNoOrdinalsForAStream() {
    AcceptedClasses none = new AcceptedClasses(Map.of(), List.of(), null);
    Object _ = new ClassNumbers(none, _ -> List.of()); // what is there once for all
    int before = Shapes.of(First.class).ordinal();
    for (int i = 0; i < 10; i++) {
      Object _ = new ClassNumbers(none, _ -> List.of());
    }
    assertThat(Shapes.of(Second.class).ordinal() - before).isLessThan(100);
  }
}
