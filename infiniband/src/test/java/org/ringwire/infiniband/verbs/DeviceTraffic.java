package org.ringwire.infiniband.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Reports what the counters of the device say about the tests of a class, and fails the class if no
 * packet went over the device: what it tested was something else.
 */
@SuppressWarnings("exports") // of JUnit, to tests
public final class DeviceTraffic implements BeforeAllCallback, AfterAllCallback {

  private Map<String, Long> before = Map.of();

  /** By JUnit. */
  public DeviceTraffic() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    before = counters();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Map<String, Long> after = counters();
    Map<String, String> grown = new HashMap<>();
    after.forEach((name, value) -> {
      long difference = value - before.getOrDefault(name, 0L);
      if (difference != 0) {
        grown.put(name, Long.toString(difference));
      }
    });
    context.publishReportEntry(grown);
    assertThat(grown).as("counters of the device").containsKey("sent_pkts");
  }

  private static Map<String, Long> counters() {
    return new Sysfs("rxe0", 1).counters();
  }
}
