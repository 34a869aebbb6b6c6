package org.ringwire.documentation;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import org.ringwire.testing.ProjectFiles;

/**
 * An indented block of a document that is Java: one of its lines is a statement, or begins with a
 * call of a class. Parts between empty lines that begin as a type or a method do are members of a
 * class, all others together the body of a method of it.
 *
 * @param name of the class: the document and the line, from 1
 * @param text without the indentation
 */
record CodeSample(String name, String text) {

  private static final String INDENTATION = "    ";
  private static final Pattern STATEMENT = Pattern.compile("[^;]*[\\w)}\"];( *//.*)?");
  private static final Pattern CALL = Pattern.compile("[A-Z]\\w*(\\.\\w+)*\\(.*");
  private static final Pattern MEMBER =
      Pattern.compile("(?s)(@|record |class |interface |enum |static |private |public ).*");

  /** Those of a document. */
  static List<CodeSample> allOf(Path document) {
    return allOf(document, ProjectFiles.text(document));
  }

  /** Those of a text. */
  static List<CodeSample> allOf(Path document, String text) {
    List<CodeSample> found = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).startsWith(INDENTATION) || !lines.get(i - 1).isBlank()) {
        continue; // what is indented behind text belongs to it
      }
      int end = i;
      while (end < lines.size()
          && (lines.get(end).isBlank() || lines.get(end).startsWith(INDENTATION))) {
        end++;
      }
      List<String> block =
          lines.subList(i, end).stream()
              .map(line -> line.isBlank() ? "" : line.substring(INDENTATION.length()))
              .toList();
      if (block.stream().anyMatch(CodeSample::isJava)) {
        String name =
            document.toString().replaceAll("^\\W+", "").replaceAll("\\W+", "_") + "_" + (i + 1);
        found.add(new CodeSample(name, String.join("\n", block).stripTrailing()));
      }
      i = end;
    }
    return found;
  }

  private static boolean isJava(String line) {
    return STATEMENT.matcher(line).matches() || CALL.matcher(line).matches();
  }

  /** A class that extends {@code Given}. */
  JavaFileObject unit(String imports) {
    StringBuilder statements = new StringBuilder();
    StringBuilder members = new StringBuilder();
    for (String part : parts()) {
      (MEMBER.matcher(part).matches() ? members : statements).append(part).append('\n');
    }
    return unit(
        name,
        imports
            + ("class " + name + " extends Given {\nvoid run() throws Exception {\n")
            + statements
            + "}\n"
            + members
            + "}\n");
  }

  /** A compilation unit. */
  static JavaFileObject unit(String name, String source) {
    return new SimpleJavaFileObject(
        URI.create("memory:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
      }
    };
  }

  /** What empty lines outside of all braces separate. */
  private List<String> parts() {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int depth = 0;
    for (String line : text.lines().toList()) {
      if (line.isEmpty() && depth == 0) {
        parts.add(part.toString());
        part.setLength(0);
      }
      part.append(part.isEmpty() && line.isEmpty() ? "" : line + "\n");
      depth += (int) line.chars().filter(c -> c == '{').count();
      depth -= (int) line.chars().filter(c -> c == '}').count();
    }
    parts.add(part.toString());
    return parts;
  }
}
