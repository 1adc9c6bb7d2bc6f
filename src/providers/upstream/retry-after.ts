/**
 * The delay a reply asks for, in ms, or null where it asks for none: `retry-after-ms`, or `retry-after` in
 * seconds or as a date. A date is measured against the reply's own `date`, so clocks need not agree.
 */
export function retryAfterMs(headers: Headers, now: number): number | null {
  return milliseconds(headers) ?? seconds(headers) ?? untilDate(headers, now);
}

function milliseconds(headers: Headers): number | null {
  return amount(headers.get("retry-after-ms"), 1);
}

function seconds(headers: Headers): number | null {
  return amount(headers.get("retry-after"), 1_000);
}

function untilDate(headers: Headers, now: number): number | null {
  const due = httpDate(headers.get("retry-after"));
  if (Number.isNaN(due)) return null;
  const sent = httpDate(headers.get("date"));
  return Math.max(0, due - (Number.isNaN(sent) ? now : sent));
}

/** `Date.parse` takes a lone number for a year; every form of an HTTP date starts with a weekday. */
function httpDate(text: string | null): number {
  return text !== null && /^\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
}

function amount(text: string | null, unit: number): number | null {
  return text !== null && /^\s*\d{1,9}(\.\d+)?\s*$/.test(text) ? Math.ceil(Number(text) * unit) : null;
}
