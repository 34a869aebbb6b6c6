/**
 * The binary interface of {@code libibverbs}: how it is found and called, the layouts of its
 * structs, its errors.
 */
@NullMarked
package org.ringwire.infiniband.verbs.library;

import org.jspecify.annotations.NullMarked;
