/**
 * Words and turns that a reader had to read twice, with what to write instead. The list grows when a reader
 * finds another habit. It judges no prose: a text without these words can still be hard to read.
 */
const habits: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // Skips the user `nobody` in lines of /etc/passwd.
  [/\b(?:nobody(?!:[x/])|somebody|everybody|anybody|whoever)\b/i, "name the actor"],
  [/\b(?:is|are) told\b/i, "say what the caller receives or what the program reports"],
  [/\bhea(?:rs|rd) of\b/i, "say what is received or read"],
  [/\bof its own accord\b/i, "leave it out, or say what triggers it"],
  [/\bare to be\b/i, "use must or should"],
  // `None` is a value of Kubernetes: a server's message may say "is None".
  [/\bis none\b/, "say what is missing or invalid"],
  [/^Who (?:has|does|is|loses|knows|wants|reads|asks)\b/, "begin with the subject"],
];

/** The longest comment line, in columns. */
const columns = 120;

/** A marker of controller-gen, which cannot wrap. */
const marker = /^\s*(?:\/\/|\*) \+kubebuilder:/;

/** Returns lines that use one of the habits, and comment lines that are too long, as `file:line what`. */
export function checkEnglish(file: string, text: string): string[] {
  const isCode = !file.endsWith(".md");
  return text.split("\n").flatMap((line, index) => {
    const at = `${file}:${index + 1}`;
    const words = line.replace(/^\s*(?:\/\/|\/\*\*?|\*|#|\|)\s*/, "");
    const problems = habits.flatMap(([pattern, instead]) => {
      const found = pattern.exec(words);
      return found ? [`${at} "${found[0]}": ${instead}`] : [];
    });
    if (isCode && line.length > columns && /^\s*(?:\/\/|\/?\*)/.test(line) && !marker.test(line))
      problems.push(`${at} is a comment of ${line.length} columns: at most ${columns}`);
    return problems;
  });
}
