package org.ringwire.heap.image.container;

import org.ringwire.heap.image.shape.Tags;

/** The tags of collections and maps, which are part of the format. */
public final class ContainerTags {
  // Of java.util and java.util.concurrent, each with its elements or entries.
  public static final int ARRAY_LIST = Tags.CONTAINERS;
  public static final int LINKED_LIST = ARRAY_LIST + 1;
  public static final int ARRAY_DEQUE = ARRAY_LIST + 2;
  public static final int VECTOR = ARRAY_LIST + 3;
  public static final int STACK = ARRAY_LIST + 4;
  public static final int COPY_ON_WRITE_LIST = ARRAY_LIST + 5;
  public static final int HASH_SET = ARRAY_LIST + 6;
  public static final int LINKED_HASH_SET = ARRAY_LIST + 7;
  public static final int CONCURRENT_QUEUE = ARRAY_LIST + 8;
  public static final int CONCURRENT_DEQUE = ARRAY_LIST + 9;
  public static final int COPY_ON_WRITE_SET = ARRAY_LIST + 10;
  public static final int BLOCKING_QUEUE = ARRAY_LIST + 11;
  public static final int BLOCKING_DEQUE = ARRAY_LIST + 12;
  public static final int HASH_MAP = ARRAY_LIST + 16;
  public static final int LINKED_HASH_MAP = HASH_MAP + 1;
  public static final int IDENTITY_HASH_MAP = HASH_MAP + 2;
  public static final int CONCURRENT_HASH_MAP = HASH_MAP + 3;
  public static final int HASHTABLE = HASH_MAP + 4;
  public static final int SET_FROM_MAP = HASH_MAP + 5;
  public static final int TREE_MAP = ARRAY_LIST + 24;
  public static final int TREE_SET = TREE_MAP + 1;
  public static final int PRIORITY_QUEUE = TREE_MAP + 2;
  public static final int ENUM_MAP = ARRAY_LIST + 28;
  public static final int ENUM_SET = ENUM_MAP + 1;
  public static final int LARGE_ENUM_SET = ENUM_MAP + 2;

  /** The first of three: what {@code List.of}, {@code Set.of} and {@code Map.of} make. */
  public static final int UNMODIFIABLE = ARRAY_LIST + 32;

  /** The first of five: unmodifiable views of what has a first and a last element. */
  public static final int SEQUENCED_VIEWS = ARRAY_LIST + 35;

  /** The first of five: what {@code Collections.synchronizedList} and its like make. */
  public static final int SYNCHRONIZED_VIEWS = ARRAY_LIST + 40;

  /** The first of seven: what {@code Collections.unmodifiableList} and its like make. */
  public static final int UNMODIFIABLE_VIEWS = ARRAY_LIST + 48;

  public static final int SKIP_LIST_MAP = ARRAY_LIST + 56;
  public static final int SKIP_LIST_SET = SKIP_LIST_MAP + 1;
  public static final int PRIORITY_BLOCKING_QUEUE = SKIP_LIST_MAP + 2;

  /** The first of four: synchronized views of what is sorted. */
  public static final int SORTED_VIEWS = ARRAY_LIST + 59;

  private ContainerTags() {}
}
