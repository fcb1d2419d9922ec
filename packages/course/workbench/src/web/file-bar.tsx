import type { ComponentChildren, RefObject } from "preact";
import { Icon } from "./icons.tsx";
import { strings } from "./strings.ts";

export interface FileBarProps {
  readonly path: string;
  /** A few words. They are cut where there is no room. */
  readonly state: string;
  /** The buttons. */
  readonly children?: ComponentChildren;
}

/** Names a file and its state above its text. It is one row at any width, so that nothing below it moves. */
export function FileBar({ path, state, children }: FileBarProps) {
  return (
    <div class="file-status">
      <span class="path" title={path}>
        {path}
      </span>
      <span class="grow" />
      <span class="file-state" role="status" title={state}>
        {state}
      </span>
      {children}
    </div>
  );
}

export interface OwnEditorButtonProps {
  readonly busy: boolean;
  readonly button: RefObject<HTMLButtonElement | null>;
  open(): void;
}

/** Opens the file in the learner's own editor. */
export function OwnEditorButton({ busy, button, open }: OwnEditorButtonProps) {
  return (
    <button
      ref={button}
      type="button"
      class="quiet"
      title={strings.openInEditor}
      aria-label={strings.openInEditor}
      aria-disabled={busy}
      onClick={open}
    >
      <Icon name="external" />
      <span class="own-editor-label">{strings.openInEditor}</span>
    </button>
  );
}

export interface FileMessageProps {
  readonly text: string;
  readonly isProblem: boolean;
  /** Default: it goes away with its cause. */
  readonly onClose?: () => void;
}

/** Something to read about a file: what to choose, and what came of it. */
export function FileMessage({ text, isProblem, onClose }: FileMessageProps) {
  return (
    <div class="file-message">
      <p class={isProblem ? "problem" : ""} role="status">
        {text}
      </p>
      {onClose && (
        <button type="button" class="close" aria-label={strings.closeMessage} onClick={onClose}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
