/** The distinct warnings of one response, in the order in which they were added. */
export interface Warnings {
  readonly texts: readonly string[];
  add(text: string): void;
}

/**
 * Beyond this many characters in total, each warning is shortened. If that does not suffice, the rest is
 * dropped.
 */
const totalLimit = 4 * 1024;
const shortenedLength = 256;

/**
 * Collects warnings within kube-apiserver's limits (filters/warning.go of k8s.io/apiserver), because clients
 * refuse responses with too long headers.
 */
export function createWarnings(): Warnings {
  const seen = new Set<string>();
  const texts: string[] = [];
  let total = 0;
  let shortening = false;

  function append(text: string): void {
    const kept = shortening ? text.slice(0, shortenedLength) : text;
    texts.push(kept);
    total += kept.length;
  }

  return {
    texts,
    add(text) {
      if (text === "" || (shortening && total >= totalLimit) || seen.has(text)) return;
      seen.add(text);
      if (!shortening && total + text.length > totalLimit) {
        shortening = true;
        const earlier = texts.splice(0);
        total = 0;
        for (const one of earlier) if (total < totalLimit) append(one);
        if (total >= totalLimit) return;
      }
      append(text);
    },
  };
}
