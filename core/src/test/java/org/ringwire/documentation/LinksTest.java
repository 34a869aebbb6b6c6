package org.ringwire.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.ProjectFiles;

/** Links between the documents lead somewhere. */
@ExtendWith(NodeWatcher.class)
class LinksTest {

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
  private static final Pattern LINK_IN_HEADING = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
  private static final Pattern LEFT_OUT = Pattern.compile("[^\\p{IsAlphabetic}\\p{IsDigit}_ -]");

  private final Map<Path, Set<String>> anchors = new HashMap<>();

  @Test
  void shouldLeadToFilesAndHeadingsThatAreThere() {
    List<String> broken = new ArrayList<>();
    for (Path document : ProjectFiles.documents()) {
      for (String link : links(document)) {
        if (!link.contains("://") && !leadsSomewhere(document, link)) {
          broken.add(document + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  /** Whoever adds a document can find it from here. */
  @Test
  void shouldListEveryDocumentWhereTheDocumentationBegins() {
    Path overview = ProjectFiles.ROOT.resolve("docs/README.md");
    Path folder = ProjectFiles.ROOT.resolve("docs");

    assertThat(links(overview).stream().map(link -> folder.resolve(link).normalize()).toList())
        .containsAll(
            ProjectFiles.files(folder, ".md").stream()
                .filter(file -> file.getParent().equals(folder) && !file.equals(overview))
                .map(Path::normalize)
                .toList());
  }

  private static List<String> links(Path document) {
    return LINK.matcher(ProjectFiles.text(document))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private boolean leadsSomewhere(Path document, String link) {
    int mark = link.indexOf('#');
    String path = mark < 0 ? link : link.substring(0, mark);
    Path folder = document.toAbsolutePath().normalize().getParent();
    Path file = path.isEmpty() ? document : folder.resolve(path).normalize();
    return Files.exists(file)
        && (mark < 0
            || anchors
                .computeIfAbsent(file, LinksTest::anchorsOf)
                .contains(link.substring(mark + 1)));
  }

  /** What GitHub makes of headings. */
  private static Set<String> anchorsOf(Path document) {
    String text = FENCED.matcher(ProjectFiles.text(document)).replaceAll("");
    Set<String> found = new TreeSet<>();
    for (MatchResult heading : HEADING.matcher(text).results().toList()) {
      String title = LINK_IN_HEADING.matcher(heading.group(1).strip()).replaceAll("$1");
      String plain = LEFT_OUT.matcher(title.toLowerCase(Locale.ROOT)).replaceAll("");
      String anchor = plain.replace(' ', '-');
      for (int count = 1; !found.add(anchor); count++) {
        anchor = plain.replace(' ', '-') + "-" + count;
      }
    }
    return found;
  }
}
