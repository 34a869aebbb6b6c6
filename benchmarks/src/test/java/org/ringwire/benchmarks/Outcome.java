package org.ringwire.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of a program that ran as users run it.
 *
 * @param status its exit status
 * @param output what it printed
 * @param errors its error output
 */
public record Outcome(int status, String output, String errors) {

  private static final Path SCHEMAS = Path.of("..", "docs", "schemas"); // tests run in the module

  /** Starts a main class with words in between of which are blanks. */
  public static Process start(Class<?> main, String words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--sun-misc-unsafe-memory-access=allow"));
    command.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"); // of images
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(words.split(" ", -1)));
    return new ProcessBuilder(command).start();
  }

  /** Runs a main class to its end. */
  public static Outcome of(Class<?> main, String words) throws IOException, InterruptedException {
    Process process = start(main, words);
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Outcome(process.waitFor(), output, errors);
    } finally {
      process.destroyForcibly();
    }
  }

  /** The one line that it printed, which is as its schema says. */
  public JsonNode json(String schema) throws IOException {
    assertThat(status).as(errors).isZero();
    List<JsonNode> lines = lines(schema);
    assertThat(lines).hasSize(1);
    return lines.getFirst();
  }

  /** The lines that it printed, each as the schema says. */
  public List<JsonNode> lines(String schema) throws IOException {
    JsonSchema form =
        JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
            .getSchema(Files.readString(SCHEMAS.resolve(schema + ".schema.json")));
    List<JsonNode> lines = new ArrayList<>();
    for (String line : output.lines().toList()) {
      assertThat(form.validate(line, InputFormat.JSON)).as(line).isEmpty();
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }
}
