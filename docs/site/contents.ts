// The order of the site, from docs/README.md, so that the repository and the site have the same.

/** A page as the navigation names it. `file` is relative to docs/. */
export interface Entry {
  readonly file: string
  readonly title: string
  readonly about: string
}

export interface Section {
  readonly title: string
  readonly entries: readonly Entry[]
}

const ENTRY = /^- \[([^\]]+)\]\(([^)]+\.md)\): (.+)$/gm

/** Each `##` heading of the contents page with the pages listed below it. */
export function readContents(markdown: string): readonly Section[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      entries: [...part.matchAll(ENTRY)].map(([, title = '', file = '', about = '']) => ({
        file,
        title,
        about,
      })),
    }))
}
