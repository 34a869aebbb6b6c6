package org.ringwire.benchmarks.targets;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.ringwire.benchmarks.runs.Target;
import org.ringwire.benchmarks.runs.Target.Contender;
import org.ringwire.benchmarks.runs.Target.Goal;
import org.ringwire.benchmarks.runs.Target.Program;

/** The targets of the generated codecs; all figures come from one run of the comparison. */
final class Codecs {
  private static final List<String> WORDS = List.of("bench", "codec", "--json");

  private Codecs() {}

  static Target small() {
    return target(
        "codec-small",
        "generated codec, small message of 8 fields",
        "small",
        List.of(new Goal("hand", false, 1.3), new Goal("fory", false, 1)));
  }

  static Target points() {
    return target(
        "codec-points",
        "generated codec, 1024 points",
        "points",
        List.of(new Goal("fory", false, 1)));
  }

  private static Target target(String id, String title, String message, List<Goal> goals) {
    return new Target(
        id,
        title,
        "ns",
        codec("generated", message),
        List.of(codec("hand", message), codec("fory", message)),
        goals);
  }

  private static Contender codec(String codec, String message) {
    return new Contender(codec, Program.RINGWIRE, WORDS, result -> figure(result, codec, message));
  }

  private static double figure(JsonNode result, String codec, String message) {
    for (JsonNode row : result.required("results")) {
      if (row.required("codec").asText().equals(codec)
          && row.required("message").asText().equals(message)) {
        return row.required("nanos").asDouble();
      }
    }
    throw new IllegalArgumentException("no figure of codec=" + codec + ", message=" + message);
  }
}
