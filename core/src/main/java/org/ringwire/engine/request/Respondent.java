package org.ringwire.engine.request;

/** Who answers requests. What is outstanding to one leaves as much to the others. */
public interface Respondent {

  /** Those who wait for its answers. */
  Crowd crowd();
}
