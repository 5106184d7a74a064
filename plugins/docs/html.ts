// The HTML around every page: of the front page, the API reference and the documentation.

/** Text as it stands between tags or in an attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

interface Page {
  readonly title: string
  /** One sentence for search engines. */
  readonly about?: string
  /** The beginning of the site: `/docs/` on this server, relative within the site itself. */
  readonly root?: string
  /** The address behind the mark. */
  readonly home?: string
  /** HTML for the head, after the theme. */
  readonly head?: string
  readonly body: string
}

/** A page under the header of the site. */
export function pageOf(page: Page): string {
  const { title, about = title, root = '/docs/', home = '/', head = '', body } = page
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(about)}">
<link rel="icon" type="image/svg+xml" href="${root}assets/mark.svg">
<link rel="stylesheet" href="${root}assets/theme.css">
<script src="${root}assets/theme.js"></script>
<script type="module" src="${root}assets/search.js"></script>
${head}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="home" href="${home}"><img src="${root}assets/mark.svg" alt="" width="28" height="28">Ledgerwright</a>
<div class="search" data-index="${root}search.json" data-root="${root}"></div>
<nav class="links" aria-label="Site"><a href="${root}index.html">Docs</a><a href="${root}api/">API</a></nav>
</header>
${body}</body>
</html>
`
}
