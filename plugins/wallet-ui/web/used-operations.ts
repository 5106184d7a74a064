// Keeps the operations that the wallet names, and drops the rest of the printed clients: they have
// some three hundred, the wallet calls fewer than eighty.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const CLIENT = /\/generated\/\w+\/client\.gen\.ts$/u
/** A method of the object that `createClient` answers. */
const METHOD = /^ {4}(\w+): \(input.*\n/gmu
/** Operations are named by a text (hooks) or called on a client. */
const NAME = /(?:'|\.)(\w+)(?:'|\()/gu

/** `sources` is the folder in which operations are named. */
export function usedOperations(sources: string): Plugin {
  const used = namesIn(sources)
  return {
    name: 'used-operations',
    enforce: 'pre',
    transform: {
      filter: { id: CLIENT },
      handler: (code) => ({
        code: code.replaceAll(METHOD, (line, name: string) => (used.has(name) ? line : '')),
        map: null,
      }),
    },
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  const texts = globSync('**/*.{ts,tsx}', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  )
  return new Set(texts.flatMap((text) => [...text.matchAll(NAME)].map(([, name = '']) => name)))
}
