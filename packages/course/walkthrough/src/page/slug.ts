/** GitHub's anchor of a heading: lower case, punctuation dropped, spaces to hyphens, `-1` for the second of a name. */
export function createSlugger(): (title: string) => string {
  const seen = new Map<string, number>();
  return (title) => {
    const slug = title
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}
