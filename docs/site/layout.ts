// The HTML around a page: header with search, navigation, headings of the page, neighbours.
import type { Entry, Section } from './contents.ts'
import { escapeHtml, pageOf } from '../../plugins/docs/html.ts'
import { htmlOf } from './markdown.ts'
import type { Heading, Rendered } from './markdown.ts'

/** A whole page. `file` is relative to docs/; links are relative, so the site can lie anywhere. */
export function layout(file: string, page: Rendered, sections: readonly Section[]): string {
  const root = '../'.repeat(file.split('/').length - 1)
  const entries = sections.flatMap((section) => section.entries)
  return pageOf({
    title: `${page.title} · Ledgerwright`,
    about: entries.find((entry) => entry.file === file)?.about ?? page.title,
    root,
    home: `${root}index.html`,
    body: `<div class="frame">
<nav class="side" aria-label="Documentation"><details class="menu"><summary>Menu</summary>
${sections.map((section) => navigation(section, file, root)).join('\n')}
</details></nav>
<main id="content">
${page.html}${neighbours(entries, file, root)}</main>
${onThisPage(page.headings)}
</div>
`,
  })
}

function navigation({ title, entries }: Section, file: string, root: string): string {
  const items = entries.map((entry) => {
    const current = entry.file === file ? ' aria-current="page"' : ''
    return `<li><a href="${root}${htmlOf(entry.file)}"${current}>${escapeHtml(entry.title)}</a></li>`
  })
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
}

function onThisPage(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (shown.length < 2) return '<aside class="toc"></aside>'
  const items = shown.map(
    ({ depth, id, text }) =>
      `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  return `<aside class="toc"><nav aria-label="On this page"><h2>On this page</h2>\n<ul>\n${items.join('\n')}\n</ul></nav></aside>`
}

function neighbours(entries: readonly Entry[], file: string, root: string): string {
  const at = entries.findIndex((entry) => entry.file === file)
  if (at === -1) return ''
  const link = (entry: Entry | undefined, rel: string, label: string): string =>
    entry === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${root}${htmlOf(entry.file)}"><small>${label}</small>${escapeHtml(entry.title)}</a>`
  const previous = link(entries[at - 1], 'prev', 'Previous')
  return `<nav class="pager" aria-label="Pages">${previous}${link(entries[at + 1], 'next', 'Next')}</nav>\n`
}
