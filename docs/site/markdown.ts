// Markdown as HTML: headings get the anchors that readers of the repository know, code is coloured
// here so that the browser needs no script for it, and links to pages become links to HTML.
import { posix } from 'node:path'
import hljs from 'highlight.js/lib/common'
import { Marked } from 'marked'
import type { Token } from 'marked'
import { escapeHtml } from '../../plugins/docs/html.ts'

const REPOSITORY = 'https://github.com/ledgerwright/ledgerwright/blob/main/'

export interface Heading {
  readonly depth: number
  readonly text: string
  readonly id: string
}

/** The text below a heading: what a search finds. */
export interface Passage {
  readonly id: string
  readonly heading: string
  readonly text: string
}

export interface Rendered {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly passages: readonly Passage[]
  /** Pages and anchors that the page links to: a file and `#anchor`, relative to docs/. */
  readonly links: readonly string[]
  /** Files shown on the page, relative to docs/. */
  readonly pictures: readonly string[]
}

/** Renders one page. `file` is its place below docs/, from which its links are resolved. */
export function renderMarkdown(file: string, source: string): Rendered {
  const links: string[] = []
  const pictures: string[] = []
  const marked = new Marked()
  const tokens = marked.lexer(source)
  const { headings, passages } = outline(tokens)
  const ids = headings.values()
  marked.use({
    renderer: {
      heading({ tokens: inline, depth }) {
        const { value } = ids.next()
        const id = value?.id ?? ''
        const anchor = depth === 1 ? '' : `<a class="anchor" href="#${id}" aria-label="Link">#</a>`
        return `<h${depth} id="${id}">${this.parser.parseInline(inline)}${anchor}</h${depth}>\n`
      },
      code: ({ text, lang }) => codeBlock(text, lang),
      link({ href, tokens: inline }) {
        const { address, within } = resolveLink(file, href)
        if (within !== undefined) links.push(within)
        return `<a href="${escapeHtml(address)}">${this.parser.parseInline(inline)}</a>`
      },
      image({ href, text }) {
        pictures.push(posix.join(posix.dirname(file), href))
        return `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}" loading="lazy">`
      },
    },
  })
  const html = marked
    .parser(tokens)
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
  return { title: headings[0]?.text ?? file, html, headings, passages, links, pictures }
}

/** The address of a page's HTML, relative to docs/: `README.md` is the start page of its folder. */
export function htmlOf(file: string): string {
  return file.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html')
}

function outline(tokens: readonly Token[]): Pick<Rendered, 'headings' | 'passages'> {
  const headings: Heading[] = []
  const texts: string[][] = []
  const used = new Map<string, number>()
  for (const token of tokens) {
    if (token.type === 'heading') {
      const text = plain(token['text'])
      headings.push({ depth: token['depth'], text, id: anchorOf(text, used) })
      texts.push([])
    } else if (token.type !== 'html') texts.at(-1)?.push(plain(token.raw))
  }
  const passages = headings.map(({ id, text }, index) => ({
    id,
    heading: text,
    text: (texts[index] ?? []).join(' ').replaceAll(/\s+/g, ' ').trim(),
  }))
  return { headings, passages }
}

/** The text without the marks of Markdown. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^```.*$/gm, '')
    .replaceAll(/[`*|]|^#+ |^- |-{3,}/gm, '')
    .replaceAll('&lt;', '<')
}

/** The anchor of a heading; equal ones are numbered as in the repository's own pages. */
function anchorOf(text: string, used: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  const count = used.get(slug) ?? 0
  used.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}

function codeBlock(text: string, lang: string | undefined): string {
  const language = lang !== undefined && hljs.getLanguage(lang) !== undefined ? lang : 'plaintext'
  const { value } = hljs.highlight(text, { language })
  return `<div class="code"><pre tabindex="0"><code>${value}\n</code></pre></div>\n`
}

/** The site has the pages and the pictures on them; any other file is in the repository alone. */
function resolveLink(file: string, href: string): { address: string; within?: string } {
  if (/^[a-z]+:/.test(href)) return { address: href }
  const [path = '', anchor] = href.split('#')
  const target = path === '' ? file : posix.join(posix.dirname(file), path)
  if (target.startsWith('../')) return { address: REPOSITORY + href.replace(/^(\.\.\/)+/, '') }
  const suffix = anchor === undefined ? '' : `#${anchor}`
  if (!target.endsWith('.md')) return { address: `${REPOSITORY}docs/${target}` }
  return { address: (path === '' ? '' : htmlOf(path)) + suffix, within: target + suffix }
}
