import type { StepStatus } from "../protocol.ts";

const paths = {
  play: "M4.5 3v10l8-5z",
  check: "m3.5 8.5 3 3 6-7",
  alert: "M8 4v5m0 2.5v.5",
  chevron: "m6 4 4 4-4 4",
  down: "m4 6 4 4 4-4",
  close: "m4.5 4.5 7 7m0-7-7 7",
  external: "M6.5 3.5h-3v9h9v-3M9 3h4v4m0-4L7.5 8.5",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Zm0 0v11",
  bolt: "M9 2 4 9h4l-1 5 5-7H8z",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2",
} as const;

const filled: readonly string[] = ["play"];

/** A small picture. It says nothing to a screen reader: the text beside it does. */
export function Icon({ name }: { readonly name: keyof typeof paths }) {
  return (
    <svg class={filled.includes(name) ? "icon filled" : "icon"} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The status of a step or command: a shape, so that colour is not needed to tell them apart. */
export function StatusMark({ status }: { readonly status: StepStatus }) {
  return (
    <span class={`state-mark mark-${status.replace(" ", "-")}`} aria-hidden="true">
      {status === "done" && <Icon name="check" />}
      {status === "differs" && <Icon name="alert" />}
    </span>
  );
}
