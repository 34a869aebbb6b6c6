package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.ringwire.MessagingException;
import org.ringwire.codec.Reader;
import org.ringwire.codec.Writer;
import org.ringwire.codec.runtime.ChoiceCodec;
import org.ringwire.codec.runtime.EnumIndex;
import org.ringwire.codec.runtime.EvolvedCodec;
import org.ringwire.codec.runtime.Fixed;
import org.ringwire.codec.runtime.KeyBound;
import org.ringwire.codec.runtime.PrimitiveArrays;
import org.ringwire.codec.runtime.RecordCodec;
import org.ringwire.codec.runtime.Sequences;
import org.ringwire.codec.runtime.Skipper;
import org.ringwire.codec.runtime.Values;

/** The classes and signatures that generated code refers to. */
final class Names {
  static final ClassDesc MEMORY = of(MemorySegment.class);
  static final ClassDesc WRITER = of(Writer.class);
  static final ClassDesc READER = of(Reader.class);
  static final ClassDesc CODEC = of(RecordCodec.class);
  static final ClassDesc EVOLVED = of(EvolvedCodec.class);
  static final ClassDesc MESSAGING_EXCEPTION = of(MessagingException.class);
  static final ClassDesc SKIPPER = of(Skipper.class);
  static final ClassDesc CHOICE = of(ChoiceCodec.class);
  static final ClassDesc ENUM_INDEX = of(EnumIndex.class);
  static final ClassDesc FIXED = of(Fixed.class);
  static final ClassDesc VALUES = of(Values.class);
  static final ClassDesc SEQUENCES = of(Sequences.class);
  static final ClassDesc PRIMITIVE_ARRAYS = of(PrimitiveArrays.class);
  static final ClassDesc ITERATOR = of(Iterator.class);
  static final ClassDesc MAP = of(Map.class);
  static final ClassDesc KEY_BOUND = of(KeyBound.class);
  static final ClassDesc ENTRIES = of(Sequences.Entries.class);
  static final ClassDesc ENTRY = of(Map.Entry.class);
  static final ClassDesc OPTIONAL = of(Optional.class);
  static final ClassDesc LIST = of(List.class);
  static final ClassDesc SET = of(Set.class);

  static final MethodTypeDesc LENGTH = MethodTypeDesc.of(CD_int, CD_Object);
  static final MethodTypeDesc ENCODE = MethodTypeDesc.of(CD_void, CD_Object, WRITER);
  static final MethodTypeDesc DECODE = MethodTypeDesc.of(CD_Object, READER);
  static final MethodTypeDesc LENGTH_OF = MethodTypeDesc.of(CD_long, CD_Object, CD_int);
  static final MethodTypeDesc WRITE = MethodTypeDesc.of(CD_void, CD_Object, WRITER, CD_int);
  static final MethodTypeDesc READ = MethodTypeDesc.of(CD_Object, READER, CD_int);
  static final MethodTypeDesc SKIP = MethodTypeDesc.of(CD_void, READER, CD_int);
  static final MethodTypeDesc WRITE_AT = MethodTypeDesc.of(CD_void, CD_Object, MEMORY, CD_long);
  static final MethodTypeDesc READ_AT = MethodTypeDesc.of(CD_Object, MEMORY, CD_long);
  static final MethodTypeDesc ADVANCE = MethodTypeDesc.of(CD_long, CD_long);
  static final MethodTypeDesc GET_MEMORY = MethodTypeDesc.of(MEMORY);

  private Names() {}

  static ClassDesc of(Class<?> type) {
    return ClassDesc.ofDescriptor(type.descriptorString());
  }
}
