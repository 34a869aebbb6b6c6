package org.ringwire.tools.soak;

/** What a sender does wrong, once, so that the ledger can be seen to notice. */
enum Corruption {
  NONE,
  /** A message is booked as accepted and never sent. */
  LOSS,
  /** A message is sent twice. */
  DUPLICATE,
  /** Two messages are swapped. */
  REORDER
}
