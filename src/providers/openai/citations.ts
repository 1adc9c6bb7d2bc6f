/** Sources an answer names. Offsets are not kept, so naming the same page twice says nothing new. */
import type { Citation } from "../../../machines/evidence.ts";
import { cut } from "../upstream/cut.ts";
import type { UpstreamAnnotation } from "./upstream.ts";

/** Bounds that let the list fit a stored result; 200 full ones are under 500 KiB. */
const maxCitations = 200;
const maxUrlLength = 2_048;
const maxTitleBytes = 300;

/** A `url_citation` as a citation; null for other annotations, and for a URL too long to be kept whole. */
export function citationOf(annotation: UpstreamAnnotation | undefined): Citation | null {
  const { type, url, title } = annotation ?? {};
  if (type !== "url_citation" || url === undefined || url.length > maxUrlLength) return null;
  return { url, title: title === undefined ? null : cut(title, maxTitleBytes) };
}

export function withCitation(citations: readonly Citation[], citation: Citation | null): readonly Citation[] {
  if (citation === null || citations.length >= maxCitations) return citations;
  return citations.some(({ url }) => url === citation.url) ? citations : [...citations, citation];
}
