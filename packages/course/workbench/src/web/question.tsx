import { useState } from "preact/hooks";
import { saveAnswer } from "./actions.ts";
import { useStore, useUi } from "./store.ts";
import { strings } from "./strings.ts";

/** A question of the page. The answer is kept, and what follows is shown only after it. */
export function Question({ id }: { readonly id: string }) {
  const store = useStore();
  const { view } = useUi();
  const [text, setText] = useState("");
  const answer = view.answers[id];
  if (answer !== undefined)
    return <p class="answered">{answer === "" ? strings.skipped : `${strings.yourAnswer}: ${answer}`}</p>;
  const send = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== "") void saveAnswer(store, id, text.trim());
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
        <button type="button" class="quiet" onClick={() => void saveAnswer(store, id, "")}>
          {strings.skip}
        </button>
      </div>
    </form>
  );
}
