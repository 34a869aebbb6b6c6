package org.ringwire.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;

/** The tables of docs/wire-format.md say what the code does. */
@ExtendWith(NodeWatcher.class)
class WireTablesTest {

  private static final Path DOCUMENT = Path.of("../docs/wire-format.md");
  private static final int LONGEST = 1 << 30;

  private List<String> lines = List.of();

  @BeforeEach
  void setUp() throws IOException {
    lines = Files.readAllLines(DOCUMENT);
  }

  @Test
  void shouldListTheKindsWithTheirLengths() throws ReflectiveOperationException {
    Map<Integer, String> kinds = new TreeMap<>();
    for (List<String> row : rows("| kind | name | length |")) {
      int kind = Integer.parseInt(row.get(0));
      kinds.put(kind, row.get(1));
      assertThat(constant(FrameLayout.class, row.get(1))).isEqualTo(kind);
      assertLengths(kind, row.get(2));
    }
    assertThat(kinds.keySet()).isEqualTo(allowedKinds());
  }

  private static void assertLengths(int kind, String told) {
    List<Integer> numbers =
        Arrays.stream(told.split("\\D+"))
            .filter(Predicate.not(String::isEmpty))
            .map(Integer::valueOf)
            .toList();
    int least = numbers.getFirst();
    assertThat(allows(kind, least - 1)).as("%d below %s", kind, told).isFalse();
    assertThat(allows(kind, least)).as("%d %s", kind, told).isTrue();
    if (told.endsWith("or more")) {
      assertThat(allows(kind, LONGEST)).as("%d %s", kind, told).isTrue();
    } else {
      int most = numbers.getLast();
      assertThat(allows(kind, most)).as("%d %s", kind, told).isTrue();
      assertThat(allows(kind, most + 1)).as("%d beyond %s", kind, told).isFalse();
    }
  }

  private static boolean allows(int kind, int length) {
    return FrameRules.allow(FrameLayout.header(kind, 0, length), LONGEST);
  }

  private static Set<Integer> allowedKinds() {
    return Stream.iterate(0, kind -> kind <= 0xFF, kind -> kind + 1)
        .filter(kind -> Stream.iterate(8, n -> n + 8).limit(8).anyMatch(n -> allows(kind, n)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void shouldListTheCodes() {
    assertThat(codes("| code of REFUSE |"))
        .isEqualTo(named(RefusalReason.values(), RefusalReason::code));
    assertThat(codes("| code of CLOSE |"))
        .isEqualTo(named(CloseReason.values(), CloseReason::code));
    assertThat(codes("| code of FAILURE |"))
        .isEqualTo(named(FailureReason.values(), FailureReason::code));
    for (List<String> row : rows("| code of REFUSE |")) {
      RefusalReason reason = RefusalReason.of(Integer.parseInt(row.get(0)));
      assertThat(row.get(2).startsWith("yes")).as(row.get(1)).isEqualTo(reason.isRetryable());
    }
  }

  private Map<Integer, String> codes(String head) {
    return rows(head).stream()
        .collect(
            Collectors.toMap(
                row -> Integer.valueOf(row.get(0)), row -> row.get(1).replaceFirst(":.*", "")));
  }

  private static <T extends Enum<T>> Map<Integer, String> named(T[] values, ToIntFunction<T> code) {
    return Arrays.stream(values)
        .filter(value -> code.applyAsInt(value) != 0)
        .collect(Collectors.toMap(code::applyAsInt, Enum::name));
  }

  @Test
  void shouldListTheFieldsOfTheHandshake() throws ReflectiveOperationException {
    Map<String, String> constants =
        Map.of("longest message", "MAX_MESSAGE", "initial window", "WINDOW");
    int count = 0;
    for (List<String> row : rows("| number | field | length | HELLO |")) {
      String name = constants.getOrDefault(row.get(1), row.get(1).toUpperCase(Locale.ROOT));
      assertThat(constant(Handshake.class, name.replace(' ', '_')))
          .as(row.get(1))
          .isEqualTo(Integer.parseInt(row.get(0)));
      count++;
    }
    assertThat(count).isEqualTo(Handshake.PROOF);
  }

  private static int constant(Class<?> type, String name) throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    assertThat(Modifier.isStatic(field.getModifiers())).isTrue();
    field.setAccessible(true);
    return field.getInt(null);
  }

  /** The cells of the rows of the table with that head. */
  private List<List<String>> rows(String head) {
    List<List<String>> rows = new ArrayList<>();
    int first = 0;
    while (!lines.get(first).startsWith(head)) {
      first++;
    }
    for (int at = first + 2; lines.get(at).startsWith("|"); at++) {
      rows.add(Arrays.stream(lines.get(at).split("\\|")).skip(1).map(String::strip).toList());
    }
    return rows;
  }
}
