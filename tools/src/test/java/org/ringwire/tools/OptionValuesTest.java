package org.ringwire.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that no command takes. */
final class OptionValuesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "demo --nodes x; --nodes takes a whole number, not x",
        "demo --nodes 1.5; --nodes takes a whole number, not 1.5",
        "demo --nodes=; --nodes takes a whole number, not ''",
        "demo --nodes 2147483648; --nodes takes numbers that are not as large, not 2147483648",
        "bench stream --handlers x; --handlers takes a whole number, not x",
        "soak --seed 9223372036854775808; --seed takes numbers that are not as large, not 92233720",
        "soak --minutes x; --minutes takes a number, not x",
        "soak --minutes=; --minutes takes a number, not ''",
        "bench overload --threads 1,x; --threads takes a whole number, not x",
        "bench stream --mode=; --mode takes park|spin|adaptive, not ''",
        "bench stream --json=maybe; Invalid value for option '--json': 'maybe' is not a boolean",
        "bench stream --mode spin --mode spin; (park|spin|adaptive) should be specified only once",
      })
  void shouldSayInWordsOfPeopleWhatIsTaken(String words, String message) {
    requireRefusal(words, message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node --id 1 --listen 127.0.0.1:0 --peers=",
        "node --id 1 --listen 127.0.0.1:0 --secret-file=",
        "top 127.0.0.1:1 --tls-identity= --tls-trust=x",
        "soak --keep=",
        "bench stream --profile="
      })
  void shouldTakeNoEmptyNameOfAFile(String words) {
    requireRefusal(words, " takes a path, not ''");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"node --id 1 --listen 127.0.0.1:x", "ping 127.0.0.1:x", "top 127.0.0.1:x"})
  void shouldTakeNoEmptyNameOfACluster(String words) {
    requireRefusal(words + " --cluster=", ": --cluster takes a name, not ''");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo --modules=,",
        "demo --modules=java.base,",
        "demo --modules=",
        "bench overload --threads=,",
        "bench overload --threads=1,",
        "bench overload --waiting=never,",
        "bench scale --peers=1,10,"
      })
  void shouldTakeNoListWithAnEmptyElement(String words) {
    requireRefusal(
        words,
        " takes values with commas between them, none of them empty, not '"
            + words.substring(words.indexOf('=') + 1)
            + "'; see ./ringwire ");
  }

  private static void requireRefusal(String words, String message) {
    CommandRun run = CommandRun.of(words.split(" ", -1));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .startsWith("ringwire ")
        .contains(message);
  }
}
