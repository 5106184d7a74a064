// The word map that the configuration asks for. Its file may hold settings that go with the words,
// such as constants of the wire: they stand above the defaults and below what the deployer says.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { member } from '../member.ts'
import { isTree } from './layers.ts'
import type { Layer } from './layers.ts'

/** A preset is named, not found by a path. */
const PRESET = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/

interface Places {
  /** Folder of the presets. */
  readonly presets: string | undefined
  /** Folder that a relative file starts from. */
  readonly base: string
}

/** The file of a section `vocabulary`, absolute, there or not; undefined where none is named. */
export function vocabularyFile(section: unknown, { presets, base }: Places): string | undefined {
  const preset = member(section, 'preset')
  const file = member(section, 'file')
  if (typeof file === 'string') return resolve(base, file)
  if (typeof preset !== 'string' || !PRESET.test(preset) || presets === undefined) return undefined
  return join(presets, `${preset}.yaml`)
}

/** The settings of a word map; none where it cannot be read, which is reported when it is used. */
export async function vocabularySettings(file: string | undefined): Promise<readonly Layer[]> {
  if (file === undefined || !existsSync(file)) return []
  const { CORE_SCHEMA, load } = await import('js-yaml')
  try {
    const words: unknown = load(readFileSync(file, 'utf8'), { schema: CORE_SCHEMA })
    const values = member(words, 'configuration')
    return isTree(values) ? [{ origin: file, values }] : []
  } catch {
    return []
  }
}
