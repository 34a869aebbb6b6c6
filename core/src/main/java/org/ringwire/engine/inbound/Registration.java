package org.ringwire.engine.inbound;

import org.ringwire.Dispatch;
import org.ringwire.Handler;

/**
 * A user's handler and how its messages reach it.
 *
 * @param handler called per message
 * @param dispatch by which thread
 */
public record Registration(Handler<Object> handler, Dispatch dispatch) {}
