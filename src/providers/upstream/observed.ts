/** What happens on the socket itself: the one place that knows whether a request ever left. */
import type { Dispatcher } from "undici";

export interface SocketEvents {
  /** Whether the request should still go out; asked when the connection is there and nothing is written yet. */
  wanted(): boolean;
  /** From here on the request may have left. */
  leaving(): void;
  /** Bytes arrived, still encoded: headers, chunks, padding, anything. */
  heard(): void;
}

/** Gives the dispatcher with its socket observed. */
export function observed(dispatcher: Dispatcher, events: SocketEvents): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) => dispatch(options, observedHandler(handler, events)),
  );
}

function observedHandler(
  handler: Dispatcher.DispatchHandler,
  events: SocketEvents,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller, context) {
      handler.onRequestStart?.(controller, context);
      if (!events.wanted()) controller.abort(new Error("No longer wanted."));
      if (!controller.aborted) events.leaving();
    },
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart(...args) {
      events.heard();
      handler.onResponseStart?.(...args);
    },
    onResponseData(...args) {
      events.heard();
      handler.onResponseData?.(...args);
    },
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}
