// Fails the build when a component of the library is used whose styles are not imported: it would
// be drawn without them, and nothing else would notice.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** Each styled component has such a module with its class names. */
const STYLED = /\/@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/u

/** `list` is the style sheet with the imports. */
export function componentStyles(list: string): Plugin {
  return {
    name: 'component-styles',
    generateBundle(_, bundle) {
      const imported = readFileSync(list, 'utf8')
      const used = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? Object.keys(file.modules) : [],
      )
      for (const id of used) {
        const style = `@mantine/core/styles/${STYLED.exec(id)?.[1] ?? ''}.css`
        if (exists(style) && !imported.includes(`'${style}'`))
          this.error(`${list} does not import ${style}`)
      }
    },
  }
}

function exists(style: string): boolean {
  return existsSync(fileURLToPath(import.meta.resolve(style)))
}
