package org.ringwire.codec.generate.emit;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import org.ringwire.codec.generate.layout.Layout;

/** The static methods that a generated class has for each container among its components. */
enum PartMethod {
  LENGTH,
  WRITE,
  READ,
  STORE_AT,
  LOAD_AT;

  MethodTypeDesc signature(Layout layout) {
    ClassDesc type = Names.of(ValueEmitter.typeRead(layout));
    return switch (this) {
      case LENGTH -> MethodTypeDesc.of(CD_long, type, CD_int);
      case WRITE -> MethodTypeDesc.of(CD_void, type, Names.WRITER, CD_int);
      case READ -> MethodTypeDesc.of(type, Names.READER, CD_int);
      case STORE_AT -> MethodTypeDesc.of(CD_void, type, Names.MEMORY, CD_long);
      case LOAD_AT -> MethodTypeDesc.of(type, Names.MEMORY, CD_long);
    };
  }

  String methodName(int number) {
    String word =
        switch (this) {
          case LENGTH -> "length";
          case WRITE -> "write";
          case READ -> "read";
          case STORE_AT -> "storeAt";
          case LOAD_AT -> "loadAt";
        };
    return word + number;
  }
}
