package org.ringwire.infiniband.connect;

/**
 * A message of the exchange that comes before a link: the opener offers, the other side answers or
 * refuses.
 */
public sealed interface Exchange {

  /**
   * The opener's end.
   *
   * @param terms of that end
   */
  record Offer(Terms terms) implements Exchange {}

  /**
   * The other end, which is ready to receive.
   *
   * @param terms of that end
   */
  record Answer(Terms terms) implements Exchange {}

  /**
   * There will be no link.
   *
   * @param reason for people; cut to {@link ExchangeFormat#LONGEST_BODY} bytes of UTF-8
   */
  record Refusal(String reason) implements Exchange {}
}
