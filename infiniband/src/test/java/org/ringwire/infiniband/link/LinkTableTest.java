package org.ringwire.infiniband.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkTableTest {

  @Test
  void shouldGiveEachNumberOnceAndTheOneThatCameBackFirstAgain() {
    LinkTable<String> table = new LinkTable<>();
    for (int number = 0; number < LinkTable.MOST; number++) {
      assertThat(table.add(null)).isEqualTo(number);
    }
    assertThat(table.add(null)).isEqualTo(-1);
    table.remove(777);
    table.remove(5);
    assertThat(table.add(null)).isEqualTo(777);
    assertThat(table.add(null)).isEqualTo(5);
    assertThat(table.add(null)).isEqualTo(-1);
  }

  @Test
  void shouldKnowNobodyByNumbersThatWereNotGiven() {
    LinkTable<String> table = new LinkTable<>();
    assertThat(table.get(-1)).isNull();
    assertThat(table.get(LinkTable.MOST)).isNull();
    assertThat(table.get(LinkTable.MOST - 1)).isNull();
  }
}
