package org.ringwire.tools.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Records as one line of JSON, in the order of their components, nulls included; and back. */
public final class JsonLine {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder().disable(SerializationFeature.INDENT_OUTPUT).build();

  private JsonLine() {}

  /** A record as one line. */
  public static String of(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("cannot be written as JSON: " + value, e);
    }
  }

  /**
   * A record from text.
   *
   * @throws CommandException if the text does not fit
   */
  public static <T> T read(String text, Class<T> type) {
    try {
      return MAPPER.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new CommandException(
          "not a " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
    }
  }
}
