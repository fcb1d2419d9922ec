import type { RefObject } from "preact";
import { useId } from "preact/hooks";
import { strings } from "./strings.ts";

interface ConfirmDialogProps {
  /** Opens it with `showModal`. */
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly title: string;
  readonly text: string;
  /** Of the button that begins. */
  readonly action: string;
  onConfirm(): void;
}

/** A question before work that changes much. The browser keeps the focus in it, and gives it back at the end. */
export function ConfirmDialog({ dialog, title, text, action, onConfirm }: ConfirmDialogProps) {
  const id = useId();
  const close = (): void => dialog.current?.close();
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <p id={`${id}-text`}>{text}</p>
      <div class="buttons">
        <button type="button" class="plain" onClick={close}>
          {strings.cancel}
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            close();
            onConfirm();
          }}
        >
          {action}
        </button>
      </div>
    </dialog>
  );
}
