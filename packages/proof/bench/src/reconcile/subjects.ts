/** Who does the work, and on which server: by the name that `--only` knows. */
export const subjects = {
  go: { title: "Go", server: "real", colour: "#e3894b" },
  ours: { title: "ours", server: "real", colour: "#2f81f7" },
  embedded: { title: "ours, embedded", server: "embedded", colour: "#79b8ff" },
} as const;

export type SubjectName = keyof typeof subjects;

export const subjectNames = Object.keys(subjects) as SubjectName[];

/** @throws RangeError when there is no such subject */
export function only(names: readonly string[]): SubjectName[] {
  for (const name of names) {
    if (!(subjectNames as string[]).includes(name))
      throw new RangeError(`no subject is called ${name}: there are ${subjectNames.join(", ")}`);
  }
  return names.length === 0 ? subjectNames : subjectNames.filter((name) => names.includes(name));
}
