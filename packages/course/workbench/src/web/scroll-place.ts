import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

interface Kept {
  readonly text: string;
  readonly top: number;
}

const storageKey = "place";

/**
 * Shows a text from its top, and the text that was shown last from where it was, also in another window.
 *
 * @param content what the box scrolls
 * @param text name of the text
 */
export function useScrollPlace(content: RefObject<HTMLElement | null>, text: string): void {
  useLayoutEffect(() => {
    const article = content.current;
    const box = article?.parentElement;
    if (!article || !box) return undefined;
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? "null") as Kept | null;
    const wanted = kept?.text === text ? kept.top : 0;
    // The text becomes longer as its diagrams are drawn.
    const observer = new ResizeObserver(() => {
      if (box.scrollTop < wanted) box.scrollTo(0, wanted);
      if (box.scrollTop >= wanted) observer.disconnect();
    });
    const release = (): void => observer.disconnect();
    const keep = (): void =>
      localStorage.setItem(storageKey, JSON.stringify({ text, top: box.scrollTop } satisfies Kept));
    box.scrollTo(0, wanted);
    observer.observe(article);
    const byHand = ["wheel", "pointerdown", "keydown"] as const;
    for (const type of byHand) box.addEventListener(type, release, { passive: true });
    box.addEventListener("scroll", keep);
    // The event comes with the next frame, which a page that is left may not have.
    addEventListener("pagehide", keep);
    return () => {
      observer.disconnect();
      for (const type of byHand) box.removeEventListener(type, release);
      box.removeEventListener("scroll", keep);
      removeEventListener("pagehide", keep);
    };
  }, [text]);
}
