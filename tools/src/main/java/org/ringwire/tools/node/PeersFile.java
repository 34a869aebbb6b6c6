package org.ringwire.tools.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.ringwire.Node;
import org.ringwire.tools.CommandException;

/** A file that says where nodes are: {@code {"2": "host:port", ...}}. */
final class PeersFile {

  private PeersFile() {}

  /**
   * Reads one.
   *
   * @throws CommandException if it is not there or says something else
   */
  static Map<Integer, String> read(Path file) {
    JsonNode tree;
    try {
      tree = new ObjectMapper().readTree(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new CommandException("there is no file " + file + ": correct --peers", e);
    } catch (JsonProcessingException e) {
      throw new CommandException(
          "the peers file " + file + " is not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new CommandException("the peers file " + file + " cannot be read: " + e, e);
    }
    if (!tree.isObject()) {
      throw wrong(file, "it must be an object");
    }
    Map<Integer, String> peers = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : tree.properties()) {
      if (!entry.getValue().isTextual() || entry.getValue().textValue().isBlank()) {
        throw wrong(file, "the address of node " + entry.getKey() + " must be text");
      }
      peers.put(nodeId(file, entry.getKey()), entry.getValue().textValue());
    }
    return peers;
  }

  private static int nodeId(Path file, String key) {
    try {
      int id = Integer.parseInt(key);
      if (id >= 0 && id <= Node.MAX_ID) {
        return id;
      }
    } catch (NumberFormatException _) {
      // said below
    }
    throw wrong(file, "'" + key + "' is not a node id in 0.." + Node.MAX_ID);
  }

  private static CommandException wrong(Path file, String problem) {
    return new CommandException(
        "the peers file " + file + " is wrong: " + problem + ", as in {\"2\": \"host:port\"}");
  }
}
