package org.ringwire.heap.image.container;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import org.ringwire.heap.image.shape.Shape;

/**
 * Collections and maps that few graphs have: their classes are not loaded because a graph has one
 * of the {@link Containers}.
 */
public final class RareContainers {
  private RareContainers() {}

  /** One for each class. */
  public static List<Shape> all() {
    List<Shape> shapes = new ArrayList<>();
    shapes.add(new CopyOnWriteSetShape(CopyOnWriteArraySet.class, ContainerTags.COPY_ON_WRITE_SET));
    shapes.add(new BlockingQueueShape(LinkedBlockingQueue.class, ContainerTags.BLOCKING_QUEUE));
    shapes.add(new BlockingQueueShape(LinkedBlockingDeque.class, ContainerTags.BLOCKING_DEQUE));
    shapes.add(SetFromMapShape.of(ContainerTags.SET_FROM_MAP));
    shapes.add(new SortedShape(ConcurrentSkipListMap.class, ContainerTags.SKIP_LIST_MAP));
    shapes.add(new SortedShape(ConcurrentSkipListSet.class, ContainerTags.SKIP_LIST_SET));
    shapes.add(new SortedShape(PriorityBlockingQueue.class, ContainerTags.PRIORITY_BLOCKING_QUEUE));
    shapes.add(EnumSetShape.of("java.util.JumboEnumSet", ContainerTags.LARGE_ENUM_SET));
    shapes.addAll(SynchronizedShape.sorted());
    shapes.addAll(UnmodifiableViewShape.sequenced());
    return shapes;
  }
}
