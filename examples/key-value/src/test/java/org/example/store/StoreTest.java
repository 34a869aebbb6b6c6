package org.example.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringwire.MessagingException;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;

/** Three nodes in one process, as one would test any program that uses Ringwire. */
class StoreTest {

  private static final List<Integer> IDS = List.of(1, 2, 3);

  private final NodeDirectory.Mutable directory = NodeDirectory.mutable();
  private final List<Store> stores = new ArrayList<>();

  private void open(String transport) {
    for (int id : IDS) {
      NodeConfig.Builder config = NodeConfig.builder(id).transport(transport).peers(directory);
      if (transport.equals("tcp")) {
        config.listen("127.0.0.1:0");
      } else {
        config.listen("store-" + id);
      }
      Store store = Store.open(config.build(), IDS);
      directory.put(id, store.address());
      stores.add(store);
    }
  }

  @AfterEach
  void close() {
    stores.forEach(Store::close);
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldFindOnEachNodeWhatAnotherHasPut(String transport) throws Exception {
    open(transport);
    List<Thread> threads =
        IntStream.range(0, 3)
            .mapToObj(i ->
                Thread.ofVirtual()
                    .start(() -> {
                      for (int key = i; key < 3000; key += 3) {
                        assertNull(stores.get(i).put("key " + key, "value " + key));
                      }
                    }))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(3000, stores.stream().mapToInt(Store::size).sum());
    assertTrue(stores.stream().allMatch(store -> store.size() > 500));

    List<CompletableFuture<String>> values =
        IntStream.range(0, 3000)
            .mapToObj(key -> stores.get(key % 2).getAsync("key " + key))
            .toList();
    for (int key = 0; key < 3000; key++) {
      assertEquals("value " + key, values.get(key).get());
    }
    assertEquals("value 5", stores.get(0).remove("key 5"));
    assertNull(stores.get(1).get("key 5"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "tcp"})
  void shouldSayWhichNodeIsGone(String transport) {
    open(transport);
    String key =
        IntStream.range(0, 100)
            .mapToObj(String::valueOf)
            .filter(k -> stores.get(0).owner(k) == 3)
            .findFirst()
            .orElseThrow();
    stores.get(0).put(key, "there");
    stores.get(2).close();
    MessagingException e = assertThrows(MessagingException.class, () -> stores.get(0).get(key));
    assertTrue(e.getMessage().contains("nodeId=3"), e.getMessage());
  }
}
