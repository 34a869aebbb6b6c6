/**
 * How threads wait: every pause, park and yield of the library. {@link org.ringwire.idle.Load}
 * finds out whether the process has cores to spin on, {@link org.ringwire.idle.WaitingPlace}
 * decides for one wait, {@link org.ringwire.idle.Pause} waits. Where there is one core, {@code
 * CoreOffers} finds out whether to offer it before parking.
 */
@NullMarked
package org.ringwire.idle;

import org.jspecify.annotations.NullMarked;
