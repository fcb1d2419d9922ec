/** Warnings of one answer, each once, in the order in which they were added. */
export interface Warnings {
  readonly texts: readonly string[];
  add(text: string): void;
}

/** Beyond this many characters in all, each warning is shortened; beyond it once more, the rest is left out. */
const totalLimit = 4 * 1024;
const shortenedLength = 256;

/**
 * Collects warnings with kube-apiserver's limits (filters/warning.go of k8s.io/apiserver): an answer whose headers are
 * too long is refused by its client.
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
