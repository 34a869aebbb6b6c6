package org.ringwire.heap.image.classes;

import java.util.List;

/** Asks a sender what it has declared. */
@FunctionalInterface
public interface ClassService {

  /**
   * What the sender has declared from a number on; may wait for the answer.
   *
   * @param number the first that is wanted
   * @return descriptions of this number and those that follow
   * @throws org.ringwire.MessagingException if there is no answer
   */
  List<String> declaredFrom(int number);
}
