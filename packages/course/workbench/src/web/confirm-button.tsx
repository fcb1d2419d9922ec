import { useId, useRef } from "preact/hooks";
import { strings } from "./strings.ts";

export interface ConfirmButtonProps {
  readonly label: string;
  readonly class: string;
  readonly busy: boolean;
  /** The question's title. Default: the button's label. */
  readonly title?: string;
  readonly text: string;
  /** The label of the button that begins. */
  readonly action: string;
  onConfirm(): void;
}

/** A button that asks before work that changes much. The browser keeps the focus in the question, and returns it. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, busy, title = label, text, action, onConfirm } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const close = (): void => dialog.current?.close();
  return (
    <>
      <button
        type="button"
        class={props.class}
        aria-disabled={busy}
        aria-haspopup="dialog"
        onClick={() => !busy && dialog.current?.showModal()}
      >
        {label}
      </button>
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
    </>
  );
}
