/**
 * The binary interface of {@code libibverbs}: how it is found, its functions, with those of the C
 * library that events need, the layouts of its structs, its errors and what may help. Pointers are
 * numbers here; what they point to, and who closes it, is known to the packages above only.
 */
@NullMarked
package org.ringwire.infiniband.verbs.library;

import org.jspecify.annotations.NullMarked;
