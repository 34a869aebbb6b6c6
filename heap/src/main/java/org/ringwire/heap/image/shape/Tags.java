package org.ringwire.heap.image.shape;

/** The byte in front of every reference of an image. */
public final class Tags {
  /** No object. */
  public static final int NULL = 0;

  /** An object that came before; its number among the tracked ones follows in 4 bytes. */
  public static final int BACK = 1;

  /** An object that follows later, behind everything that is nested less deep. */
  public static final int DEFERRED = 2;

  /** A class that this image did not have so far: its description follows, then the object. */
  public static final int DECLARE = 3;

  /** An object of a declared class whose number, above those that have a tag, is in 4 bytes. */
  public static final int WIDE = 4;

  /** As {@link #DECLARE}, with the number of the class, which outlives the image, in 4 bytes. */
  public static final int DECLARE_AS = 5;

  /** No more graphs, of an image that has many. */
  public static final int END = 6;

  // Classes that every image knows.
  public static final int STRING = 16;
  public static final int BOOLEAN = 17;
  public static final int BYTE = 18;
  public static final int CHARACTER = 19;
  public static final int SHORT = 20;
  public static final int INTEGER = 21;
  public static final int LONG = 22;
  public static final int FLOAT = 23;
  public static final int DOUBLE = 24;

  /** The first of eight, in the order of the boxes. */
  public static final int PRIMITIVE_ARRAYS = 25;

  public static final int OBJECT = 33;
  public static final int OBJECT_ARRAY = 34;
  public static final int STRING_ARRAY = 35;
  public static final int CLASS = 36;
  public static final int SINGLETON = 37;

  /** The first of the simple values. */
  public static final int VALUES = 48;

  /** The first of the collections and maps. */
  public static final int CONTAINERS = 64;

  /** The first of the classes that the image itself declares, in the order of declaration. */
  public static final int DECLARED = 128;

  /** How many tags there are. */
  public static final int COUNT = 256;

  /** What a tag may need with all that belongs to it, but for the description of a class. */
  public static final int ROOM = 8;

  /** What is left over of that if the tag is a byte. */
  public static final int SPARE = ROOM - 1;

  private Tags() {}
}
