import type { TestOutcome } from "../course.ts";
import { showTab } from "./actions.ts";
import { ScrollPre } from "./scroll-pre.tsx";
import { useStore } from "./store.ts";
import { strings } from "./strings.ts";
import { WithCode } from "./with-code.tsx";

/** The results of an exercise's tests: what each expects and where to look, and below it all that its runner says. */
export function TestResults({ tests }: { readonly tests: readonly TestOutcome[] }) {
  const passed = tests.filter(({ status }) => status === "passed").length;
  return (
    <>
      <p class="test-summary">{strings.testsPass(passed, tests.length)}</p>
      <ul class="test-results">
        {tests.map((test, i) => (
          <TestResult key={test.name} test={test} showsFile={test.file !== tests[i - 1]?.file} />
        ))}
      </ul>
    </>
  );
}

function TestResult({
  test: { name, file, status, message, advice, values, place },
  showsFile,
}: {
  readonly test: TestOutcome;
  readonly showsFile: boolean;
}) {
  const store = useStore();
  const passed = status === "passed";
  const isLong = message.includes("\n");
  return (
    <li>
      <span class={passed ? "sign-passed" : "sign-failed"} aria-hidden="true">
        {passed ? "✓" : status === "failed" ? "✗" : "!"}
      </span>
      <p>
        <span class="sr">{strings.testStatuses[status]}: </span>
        <strong>{name}</strong> {showsFile && <span class="note">{file}</span>}
      </p>
      {message !== "" && !isLong && <p class="test-reason">{message}</p>}
      {values && (
        <dl>
          <dt>{strings.expectedValue(values.key)}</dt>
          <dd>{values.expected}</dd>
          <dt>{strings.receivedValue(values.key)}</dt>
          <dd>{values.received}</dd>
        </dl>
      )}
      {advice.map((one) => (
        <p key={one}>
          <WithCode text={one} />
        </p>
      ))}
      {place && (
        <button
          type="button"
          class="plain"
          onClick={() => showTab(store, { kind: "file", path: place.file }, place.line)}
        >
          {strings.openPlace(place.file)}
        </button>
      )}
      {isLong && (
        // Without values, only these lines say what differs.
        <details open={values === undefined}>
          <summary>{strings.wholeMessage}</summary>
          <ScrollPre class="lines diff">
            {message.split("\n").map((line, i) => (
              <span key={i} class={line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : ""}>
                {`${line}\n`}
              </span>
            ))}
          </ScrollPre>
        </details>
      )}
    </li>
  );
}
