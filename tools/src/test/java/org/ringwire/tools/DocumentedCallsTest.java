package org.ringwire.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringwire.testing.ProjectFiles;
import picocli.CommandLine;

/** The documents show commands and options that there are. */
class DocumentedCallsTest {

  @Test
  void shouldNameCommandsAndOptionsThatThereAre() {
    List<String> wrong = new ArrayList<>();
    CommandLine commands = Main.commandLine();
    List<List<String>> calls = ProjectFiles.calls("./ringwire");
    for (List<String> words : calls) {
      CommandLine command = commands;
      int at = 0;
      while (at < words.size() && command.getSubcommands().containsKey(words.get(at))) {
        command = command.getSubcommands().get(words.get(at++));
      }
      List<String> rest = words.subList(at, words.size());
      if (isUnknownCommand(command, rest) || hasUnknownOption(command, rest)) {
        wrong.add(String.join(" ", words));
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(calls).hasSizeGreaterThan(30);
  }

  private static boolean isUnknownCommand(CommandLine command, List<String> rest) {
    return !command.getSubcommands().isEmpty()
        && !rest.isEmpty()
        && rest.getFirst().matches("[a-z]+");
  }

  /** Options that are for another program are looked at where that is. */
  private static boolean hasUnknownOption(CommandLine command, List<String> rest) {
    return command.getCommandSpec().unmatchedArgsBindings().isEmpty()
        && rest.stream()
            .filter(word -> word.startsWith("--"))
            .map(word -> word.replaceFirst("=.*", ""))
            .anyMatch(name -> !command.getCommandSpec().optionsMap().containsKey(name));
  }
}
