import type { JSX } from "preact";
import type { Tone } from "../cluster/wire.ts";

/** A shape for each tone, so that no meaning is in the colour alone. */
const shapes: Readonly<Record<Tone, JSX.Element>> = {
  ok: (
    <>
      <circle cx="7" cy="7" r="6" fill="currentColor" />
      <path d="M4.4 7.2l1.8 1.8 3.4-3.8" fill="none" stroke="var(--surface)" stroke-width="1.5" />
    </>
  ),
  busy: (
    <>
      <circle cx="7" cy="7" r="5.25" fill="none" stroke="currentColor" stroke-width="1.5" opacity="0.3" />
      <path d="M7 1.75A5.25 5.25 0 0 1 12.25 7" fill="none" stroke="currentColor" stroke-width="1.5" />
    </>
  ),
  bad: (
    <>
      <path d="M7 .8l6.2 11.4H.8z" fill="currentColor" stroke="currentColor" stroke-linejoin="round" />
      <path d="M7 5v3.4M7 9.8v1.2" stroke="var(--surface)" stroke-width="1.4" />
    </>
  ),
  idle: <circle cx="7" cy="7" r="5.25" fill="none" stroke="currentColor" stroke-width="1.5" />,
  ending: (
    <>
      <circle
        cx="7"
        cy="7"
        r="5.25"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-dasharray="2 2"
      />
      <path d="M5 7h4" stroke="currentColor" stroke-width="1.5" />
    </>
  ),
};

/** Shows how an object is. The word beside it says the same to a screen reader. */
export function StatusMark({ tone }: { tone: Tone }): JSX.Element {
  return (
    <svg class={`mark mark-${tone}`} width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      {shapes[tone]}
    </svg>
  );
}
