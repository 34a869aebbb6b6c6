package org.ringwire.benchmarks.heap.figure;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Table 2 of the paper: an array of 1024 objects and what they lead to, seen depth first and
 * breadth first. What is measured is the traversal with the same copy of each object's fields in
 * both orders; and into how many blocks of memory that lie one after the other the objects fall in
 * the order in which they are met, which is the length of the paper's send list.
 */
final class Traversal {
  static final List<String> ORDERS = List.of("depth-first", "depth-first-stack", "breadth-first");

  /** Objects on the levels below an element of the array. */
  static final List<String> STRUCTURES = List.of("1-0-0", "1-1-0", "1-2-0", "1-1-1");

  static final int ELEMENTS = 1024;
  private static final int OBJECT_BYTES = Long.BYTES;
  private static final int MOST_OBJECTS = 3 * ELEMENTS;

  private final Person[] array = new Person[ELEMENTS];
  private final MemorySegment memory = Arena.ofAuto().allocate(MOST_OBJECTS * OBJECT_BYTES);
  private final ArrayDeque<Person> open = new ArrayDeque<>();
  private long made;
  private long at;

  Traversal(String structure) {

    for (int i = 0; i < ELEMENTS; i++) {
      array[i] = person(structure);
    }
  }

  /** What an array leads to; numbered in the order in which objects were made. */
  static final class Person {
    final long number;
    @Nullable Person first;
    @Nullable Person second;

    Person(long number) {
      this.number = number;
    }
  }

  private Person person(String structure) {
    Person person = new Person(made++);
    if (!structure.equals("1-0-0")) {
      person.first = new Person(made++);
    }
    if (structure.equals("1-2-0")) {
      person.second = new Person(made++);
    } else if (structure.equals("1-1-1")) {
      Objects.requireNonNull(person.first).first = new Person(made++);
    }
    return person;
  }

  /** Copies all objects; returns how many bytes that were. */
  long run(String order) {
    at = 0;
    switch (order) {
      case "depth-first" -> {
        for (Person person : array) {
          nest(person);
        }
      }
      case "depth-first-stack" -> stack();
      default -> queue();
    }
    return at;
  }

  private void copy(Person person) {
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, person.number);
    at += OBJECT_BYTES;
  }

  private void nest(Person person) {
    copy(person);
    if (person.first != null) {
      nest(person.first);
    }
    if (person.second != null) {
      nest(person.second);
    }
  }

  private void stack() {
    for (Person person : array) {
      open.push(person);
      while (!open.isEmpty()) {
        Person next = open.pop();
        copy(next);
        if (next.second != null) {
          open.push(next.second);
        }
        if (next.first != null) {
          open.push(next.first);
        }
      }
    }
  }

  private void queue() {
    for (Person person : array) {
      open.addLast(person);
    }
    while (!open.isEmpty()) {
      Person next = open.removeFirst();
      copy(next);
      if (next.first != null) {
        open.addLast(next.first);
      }
      if (next.second != null) {
        open.addLast(next.second);
      }
    }
  }

  /**
   * How many blocks the objects fall into if they lie in memory as they were made: what was made
   * directly after another is its continuation.
   */
  int blocks(String order) {
    long end = run(order);
    int blocks = 0;
    long last = -2;
    for (long from = 0; from < end; from += OBJECT_BYTES) {
      long number = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, from);
      if (number != last + 1) {
        blocks++;
      }
      last = number;
    }
    return blocks;
  }
}
