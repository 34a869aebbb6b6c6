package org.ringwire.infiniband.device;

import java.util.HashMap;
import java.util.Map;

/** Options of the transport, whatever the system properties say. */
public final class Settings {

  private Settings() {}

  /** Options by names, each followed by its value; the last one of a name counts. */
  public static IbOptions of(String... settings) {
    Map<String, String> values = HashMap.newHashMap(settings.length);
    for (int i = 0; i < settings.length; i += 2) {
      values.put(IbOptions.PREFIX + settings[i], settings[i + 1]);
    }
    return IbOptions.of(values::get);
  }
}
