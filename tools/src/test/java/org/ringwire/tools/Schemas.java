package org.ringwire.tools;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Validates the output of commands against the schemas of {@code docs/schemas}. */
public final class Schemas {

  private static final Path FOLDER = Path.of("..", "docs", "schemas"); // tests run in the module

  private Schemas() {}

  /** What is wrong with one line of JSON by the schema {@code NAME.schema.json}. */
  public static List<String> problems(String name, String json) {
    try {
      JsonSchema schema =
          JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
              .getSchema(Files.readString(FOLDER.resolve(name + ".schema.json")));
      return schema.validate(json, InputFormat.JSON).stream()
          .map(ValidationMessage::getMessage)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the schema of " + name, e);
    }
  }
}
