import { useLayoutEffect } from "preact/hooks";

interface Kept {
  /** Of the page of the tutorial. */
  readonly page: string;
  /** `aria-label` of the region. */
  readonly region: string;
  /** What the element is called. */
  readonly name: string;
  /** Which one of that name in the region. */
  readonly at: number;
}

const storageKey = "focus";

/**
 * Focuses the page's text when the window is opened, and after a reload what had the focus: the same control, or else
 * its region's first one. The keyboard goes on from there.
 *
 * @param page name of the page of the tutorial
 */
export function useFocusPlace(page: string): void {
  // Before the first frame: what is typed or focused after it must keep the focus.
  useLayoutEffect(() => {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as Kept | null;
    const found = kept?.page === page ? find(kept) : undefined;
    // The text scrolls to where it was by itself.
    (found ?? document.querySelector<HTMLElement>("article"))?.focus({ preventScroll: true });
    const keep = (): void => {
      const place = placeOf(document.activeElement);
      if (place) sessionStorage.setItem(storageKey, JSON.stringify({ page, ...place } satisfies Kept));
      else sessionStorage.removeItem(storageKey);
    };
    addEventListener("pagehide", keep);
    return () => removeEventListener("pagehide", keep);
  }, [page]);
}

function placeOf(element: Element | null): Omit<Kept, "page"> | undefined {
  const region = element?.closest<HTMLElement>("[data-region][aria-label]");
  if (!(element instanceof HTMLElement) || !region?.ariaLabel) return undefined;
  const name = nameOf(element);
  return { region: region.ariaLabel, name, at: named(region, name).indexOf(element) };
}

function find({ region, name, at }: Kept): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>("[data-region]")];
  const box = all.find(({ ariaLabel }) => ariaLabel === region);
  if (!box || box.offsetParent === null) return undefined;
  return named(box, name)[at] ?? box.querySelector<HTMLElement>("[data-first]") ?? undefined;
}

function named(region: HTMLElement, name: string): HTMLElement[] {
  return [...region.querySelectorAll<HTMLElement>("a[href], button, summary, textarea, [tabindex]")].filter(
    (one) => nameOf(one) === name,
  );
}

function nameOf({ ariaLabel, textContent }: HTMLElement): string {
  return ariaLabel ?? textContent.slice(0, 100);
}
