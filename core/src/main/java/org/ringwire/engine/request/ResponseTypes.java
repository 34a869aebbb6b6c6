package org.ringwire.engine.request;

import org.ringwire.codec.MessageCatalog;
import org.ringwire.engine.outbound.SendContext;

/**
 * Makes known to a catalog what responses may be, before they arrive: nothing is loaded or
 * generated because a peer names it. Any thread; a class is looked into once.
 */
public final class ResponseTypes {

  private final MessageCatalog catalog;
  private final ClassValue<Boolean> expected =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          SendContext.current().forgetClock(); // codecs that are generated take their time
          if (type.isRecord() || type.isEnum()) {
            catalog.typeOf(type);
          } else {
            expectPermitted(type);
          }
          return true;
        }
      };

  public ResponseTypes(MessageCatalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Before a request is sent: a record or an enum, or all of those that a sealed type permits.
   *
   * @throws IllegalArgumentException if no codec can be made for the record
   */
  public void expect(Class<?> type) {
    boolean _ = expected.get(type);
  }

  private void expectPermitted(Class<?> type) {
    Class<?>[] permitted = type.getPermittedSubclasses();
    if (permitted == null) {
      return;
    }
    for (Class<?> subtype : permitted) {
      if (subtype.isRecord() || subtype.isEnum()) {
        tryExpect(subtype);
      } else {
        expectPermitted(subtype);
      }
    }
  }

  /** The others can be responses all the same; one of this type is refused when it comes. */
  private void tryExpect(Class<?> type) {
    try {
      catalog.typeOf(type);
    } catch (IllegalArgumentException e) {
      // there is no codec for it
    }
  }
}
