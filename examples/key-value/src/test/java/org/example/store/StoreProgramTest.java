package org.example.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program says when it cannot start: a line, not a stack. */
class StoreProgramTest {

  @TempDir private Path folder;

  private static void shouldSay(String message, String... arguments) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int status = StoreProgram.run(arguments, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    String errors = bytes.toString(StandardCharsets.UTF_8);
    assertEquals(2, status);
    assertEquals(1, errors.lines().count(), errors);
    assertTrue(errors.contains(message), errors);
  }

  @Test
  void shouldSayThatTheFileOfNodesIsMissing() throws IOException {
    String absent = folder.resolve("absent.json").toString();
    shouldSay("there is no file " + absent, "1", absent);
  }

  @Test
  void shouldSayWhatIsWrongWithTheFileOfNodes() throws IOException {
    String file = Files.writeString(folder.resolve("nodes.json"), "{\"1\": 7401}").toString();
    shouldSay("is malformed", "1", file);
  }

  @Test
  void shouldSayThatTheFileDoesNotNameTheNode() throws IOException {
    String file =
        Files.writeString(folder.resolve("nodes.json"), "{\"1\": \"127.0.0.1:0\"}").toString();
    shouldSay("says nothing of node 2", "2", file);
  }

  @Test
  void shouldSpreadKeysOverTheNodesOfTheFileWhateverTheirNumbers() throws IOException {
    String nodes = "{\"3\": \"127.0.0.1:0\", \"70\": \"127.0.0.1:1\"}";
    String file = Files.writeString(folder.resolve("nodes.json"), nodes).toString();
    StringBuilder commands = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      commands.append("put key").append(i).append(" value\n");
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    InputStream in = System.in;
    PrintStream out = System.out;
    System.setIn(new ByteArrayInputStream(commands.toString().getBytes(StandardCharsets.UTF_8)));
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertEquals(0, StoreProgram.run(new String[] {"3", file}, out));
    } finally {
      System.setIn(in);
      System.setOut(out);
    }
    String text = said.toString(StandardCharsets.UTF_8);
    assertTrue(text.startsWith("node 3 of [3, 70] listens on "), text);
    assertTrue(text.contains("was null"), text); // its own keys
    assertTrue(text.contains("cannot reach node: nodeId=70"), text); // which nobody has started
  }

  @Test
  void shouldExplainItself() throws IOException {
    shouldSay("usage: ", "1");
    shouldSay("usage: ", "one", "nodes.json");
  }
}
