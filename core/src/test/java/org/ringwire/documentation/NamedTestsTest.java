package org.ringwire.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.ProjectFiles;

/** Each test that a document names is there; one that was renamed takes its name along. */
@ExtendWith(NodeWatcher.class)
class NamedTestsTest {

  /** {@code HandOnTest}, {@code transport/shm/HostilePeerTest#shouldX}, {@code #shouldX}. */
  private static final Pattern NAMED =
      Pattern.compile("`(?:[\\w/]+/)?(?:(\\w+Tests?)(?:\\.(\\w+))?)?(?:#(\\w+))?`");

  private static final Pattern CLASS = Pattern.compile("(?m)^ *(?:\\w+ )*class (\\w+)([^{]*)");
  private static final Pattern PARENT = Pattern.compile("\\bextends (\\w+)");

  /** The text of the files in which a class is declared, by its name. */
  private final Map<String, String> texts = new HashMap<>();

  private final Map<String, String> parents = new HashMap<>();

  @Test
  void shouldBeThere() {
    ProjectFiles.sources().forEach(this::read);
    List<String> missing = new ArrayList<>();
    int named = 0;
    for (Path document : ProjectFiles.documents()) {
      for (String line : ProjectFiles.text(document).lines().toList()) {
        String last = "";
        for (MatchResult found : NAMED.matcher(line).results().toList()) {
          String type = found.group(1) == null ? last : found.group(1);
          last = type;
          named++;
          if (found.group().length() > 2 && !isThere(type, found.group(2), found.group(3))) {
            missing.add(document + ": " + found.group());
          }
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(named).isGreaterThan(300);
  }

  private void read(Path source) {
    String text = ProjectFiles.text(source);
    Matcher declared = CLASS.matcher(text);
    while (declared.find()) {
      Matcher parent = PARENT.matcher(declared.group(2));
      texts.merge(declared.group(1), text, String::concat);
      if (parent.find()) {
        parents.put(declared.group(1), parent.group(1));
      }
    }
  }

  private boolean isThere(String type, String nested, String method) {
    String text = texts.get(type);
    if (text == null || (nested != null && !text.contains("class " + nested))) {
      return false;
    }
    if (method == null || text.contains(" " + method + "(")) {
      return true;
    }
    String parent = parents.get(type);
    return parent != null && isThere(parent, null, method);
  }
}
