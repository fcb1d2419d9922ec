import { useEffect, useRef, useState } from "preact/hooks";
import { saveAnswer } from "./actions.ts";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";

/** A question of the page. The answer is kept, and what follows is shown only after it. */
export function Question({ id }: { readonly id: string }) {
  const store = useStore();
  const { view } = useUi();
  const [text, setText] = useState("");
  const answered = useRef<HTMLParagraphElement>(null);
  const [sent, setSent] = useState(false);
  const answer = view.answers[id];
  const isNew = sent && answer !== undefined;
  // The form, which had the focus, was removed.
  useEffect(() => {
    if (isNew) answered.current?.focus();
  }, [isNew]);
  if (answer !== undefined)
    return (
      <p class="answered" ref={answered} tabIndex={-1}>
        {answer === "" ? strings.skipped : `${strings.yourAnswer}: ${answer}`}
      </p>
    );
  const save = (given: string): void => {
    setSent(true);
    void saveAnswer(store, id, given);
  };
  const send = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== "") save(text.trim());
  };
  return (
    <form class="question" onSubmit={send}>
      <label>
        {strings.question}
        <textarea
          rows={2}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send(event);
          }}
        />
      </label>
      <div class="buttons">
        <button type="submit" class="primary" disabled={text.trim() === ""}>
          {strings.answer}
        </button>
        <button type="button" class="quiet" onClick={() => save("")}>
          {strings.skip}
        </button>
      </div>
    </form>
  );
}
