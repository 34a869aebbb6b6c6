package org.ringwire.heap;

/**
 * An object that looks at itself after it was received. Images bypass constructors, so what a
 * constructor checks has to be checked here if senders are not trusted.
 */
public interface Validated {

  /**
   * Called once for each received object of this type, when the whole graph is complete and before
   * anybody else sees it; in the order in which the objects lie in the image, on the thread that
   * decodes.
   *
   * @throws RuntimeException if the object must not exist; the whole graph is then refused
   */
  void validate();
}
