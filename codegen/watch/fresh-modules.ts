// Imports a configuration anew, with the plugins that it imports: a process keeps modules for ever,
// so each time they get another address.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { InputFile } from '../pipeline.ts'

const GENERATOR = dirname(dirname(fileURLToPath(import.meta.url))) + sep

/**
 * Imports that see what has changed. What is installed, and the generator itself, stays as it is.
 */
export class FreshModules {
  #round = 0
  #files = new Map<string, InputFile>()

  /** The files of the last import, with their bytes of just before. */
  get files(): readonly InputFile[] {
    return [...this.#files.values()]
  }

  /** Takes what the files hold now for what was imported: for when there was nothing to import. */
  settle(): void {
    for (const file of this.#files.keys()) this.#note(file)
  }

  /** The namespace of a module. Rejects as `import` does. */
  async import(file: string): Promise<unknown> {
    this.#round += 1
    this.#files = new Map()
    const mark = `?watched=${this.#round}`
    this.#note(file)
    const hooks = registerHooks({
      resolve: (specifier, context, next) => {
        const found = next(specifier, context)
        if (context.parentURL?.endsWith(mark) !== true || !isOwn(found.url)) return found
        this.#note(fileURLToPath(found.url))
        return { ...found, url: found.url + mark }
      },
    })
    try {
      const module: unknown = await import(pathToFileURL(file).href + mark)
      return module
    } finally {
      hooks.deregister()
    }
  }

  #note(file: string): void {
    this.#files.set(file, { file, bytes: bytesOf(file) })
  }
}

/** The bytes of a file; none when it cannot be read. */
export function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch {
    return new Uint8Array()
  }
}

function isOwn(url: string): boolean {
  if (!url.startsWith('file:') || url.includes('?') || url.includes('/node_modules/')) return false
  return !fileURLToPath(url).startsWith(GENERATOR)
}
