// Has the browser fetch what every visit needs with the page itself. Else it would find out by
// itself only once the first script has run and the language is there.
import type { HtmlTagDescriptor, Plugin } from 'vite'

/** `name` is that of the chunk that is loaded by the first script. */
export function preload(name: string): Plugin {
  let base = '/'
  return {
    name: 'preload',
    configResolved: (config) => {
      base = config.base
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file : []))
        const first = chunks.find((chunk) => chunk.isDynamicEntry && chunk.name === name)
        if (first === undefined) throw new Error(`no chunk is called ${name}`)
        const needed = chunks.filter(
          (chunk) => chunk === first || first.imports.includes(chunk.fileName),
        )
        const styles = needed.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])])
        // The start is named already.
        const unnamed = needed.filter(({ fileName }) => !html.includes(fileName))
        return [
          ...unnamed.map(({ fileName }) => link(base + fileName, { rel: 'modulepreload' })),
          ...styles.map((file) => link(base + file, { rel: 'preload', as: 'style' })),
        ]
      },
    },
  }
}

function link(href: string, attrs: HtmlTagDescriptor['attrs']): HtmlTagDescriptor {
  return { tag: 'link', attrs: { ...attrs, crossorigin: true, href }, injectTo: 'head' }
}
