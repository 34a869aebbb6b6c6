package org.ringwire.heap.image.container;

import java.util.Iterator;
import java.util.Map;
import org.ringwire.heap.image.shape.ContainerShape;
import org.ringwire.heap.image.shape.Output;

/** What has keys and values, and is sent as these by turns, in the order of iteration. */
abstract class EntriesShape extends ContainerShape {

  EntriesShape(Class<?> type, int tag) {
    super(type, tag);
  }

  /** Writes so many references to keys and values, which must be all that there are. */
  final long encodeEntries(Map<?, ?> map, int count, long a, Output out) {
    long at = a;
    Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
    for (int i = 0; i < count; i += 2) {
      if (!entries.hasNext()) {
        throw changed(null);
      }
      Map.Entry<?, ?> entry = entries.next();
      at = out.reference(entry.getKey(), at);
      at = out.reference(entry.getValue(), at);
    }
    if (entries.hasNext()) {
      throw changed(null);
    }
    return at;
  }
}
