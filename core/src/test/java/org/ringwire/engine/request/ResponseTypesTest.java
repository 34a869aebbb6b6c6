package org.ringwire.engine.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.testing.Awaiting.PATIENCE;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.TestNodes;
import org.ringwire.testing.NodeWatcher;

@ExtendWith(NodeWatcher.class)
class ResponseTypesTest {

  record Ask(int number) {}

  sealed interface Result permits Good, Bad, Unreadable {}

  record Good(int number) implements Result {}

  sealed interface Bad extends Result permits Wrong, Late {}

  record Wrong(String why) implements Bad {}

  enum Late implements Bad {
    LITTLE
  }

  record Unreadable(Thread component) implements Result {}

  @Test
  void shouldUnderstandWhatASealedTypePermitsThoughNobodyHasRegisteredIt() {
    try (TestNodes nodes = new TestNodes("tcp")) {
      Node one = nodes.open(1);
      nodes
          .open(2)
          .handle(
              Ask.class,
              (ask, exchange) ->
                  exchange.reply(
                      switch (ask.number()) {
                        case 1 -> new Good(7);
                        case 2 -> new Wrong("a reason");
                        default -> Late.LITTLE;
                      }));
      assertThat(one.request(2, new Ask(1), Result.class, PATIENCE)).isEqualTo(new Good(7));
      assertThat(one.request(2, new Ask(2), Result.class, PATIENCE))
          .isEqualTo(new Wrong("a reason"));
      assertThat(one.request(2, new Ask(3), Result.class, PATIENCE)).isEqualTo(Late.LITTLE);
      assertThat(one.requestAsync(2, new Ask(1), Result.class).join()).isEqualTo(new Good(7));
    }
  }

  @Test
  void shouldKnowNothingThatIsNotPermitted() {
    MessageCatalog catalog = new MessageCatalog();
    ResponseTypes types = new ResponseTypes(catalog);
    types.expect(Object.class);
    assertThat(catalog.types()).isEmpty();
    types.expect(Bad.class);
    assertThat(catalog.types()).hasSize(2);
  }
}
