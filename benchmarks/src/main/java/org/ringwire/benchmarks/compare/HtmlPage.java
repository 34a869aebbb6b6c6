package org.ringwire.benchmarks.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** A page that works without a network: library, figures and tables are in it. */
public final class HtmlPage {
  /** Chart.js draws lines and bars on logarithmic axes; its one file is all that it needs. */
  private static final String LIBRARY =
      "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.js";

  private static final ObjectMapper JSON = new ObjectMapper();

  private HtmlPage() {}

  static String of(String conditions, List<Outcomes> outcomes, List<CompareTable> tables)
      throws IOException {
    return of(
        "Ringwire and others, in turns",
        escaped(conditions.replace("**", ""))
            + "</p>\n<p>Two processes per system, the same object, the same checks.",
        Charts.of(outcomes),
        tables(tables));
  }

  /**
   * A page of plots and tables.
   *
   * @param heading what was measured
   * @param text how, as a paragraph of HTML
   * @param charts each with title, type (line or bar), x, y, labels, and series of name and values
   * @param tables in HTML
   * @return the page
   * @throws IOException if a resource of the page cannot be read
   */
  public static String of(String heading, String text, List<ObjectNode> charts, String tables)
      throws IOException {
    return resource("compare.html")
        .replace("@@HEADING@@", escaped(heading))
        .replace("@@TEXT@@", text)
        .replace("@@TABLES@@", tables)
        .replace("@@CHARTS@@", inScript(JSON.writeValueAsString(charts)))
        // Without the line that makes browsers ask for the library's sources.
        .replace("@@LIBRARY@@", inScript(resource(LIBRARY).replaceAll("(?m)^//# .*$", "")));
  }

  private static String tables(List<CompareTable> tables) {
    StringBuilder text = new StringBuilder();
    for (CompareTable table : tables) {
      text.append("<h3>").append(escaped(table.title())).append("</h3>\n<table>\n");
      appendRow(text, "th", table.header());
      table.rows().forEach(row -> appendRow(text, "td", row));
      text.append("</table>\n");
      table
          .remarks()
          .forEach(remark -> text.append("<p>").append(escaped(remark)).append("</p>\n"));
    }
    return text.toString();
  }

  private static void appendRow(StringBuilder text, String element, List<String> cells) {
    text.append("<tr>");
    for (String cell : cells) {
      text.append('<').append(element).append('>').append(escaped(cell));
      text.append("</").append(element).append('>');
    }
    text.append("</tr>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Nothing in a script may end it. */
  private static String inScript(String text) {
    return text.replace("</", "<\\/");
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
