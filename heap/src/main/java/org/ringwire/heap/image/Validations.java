package org.ringwire.heap.image;

import org.ringwire.heap.Validated;
import org.ringwire.heap.image.shape.Deferred;
import org.ringwire.heap.image.shape.Refusal;

/** Objects that say for themselves whether they are valid, once their graph is whole. */
final class Validations {
  private final Deferred<Validated> objects = new Deferred<>();

  void add(Validated object) {
    objects.add(object);
  }

  void clear() {
    objects.clear();
  }

  /**
   * Asks each of them.
   *
   * @throws org.ringwire.codec.DecodingException if one is not valid
   */
  void run() {
    while (!objects.isEmpty()) {
      Validated object = objects.next();
      try {
        object.validate();
      } catch (Exception | LinkageError e) { // declared or not
        throw Refusal.of("an object is not valid: class=" + object.getClass().getName(), e);
      }
    }
  }
}
