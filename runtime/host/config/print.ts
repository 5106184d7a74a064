// Shows the configuration to a person or a program: each value with its origin, secrets masked.
import type { Configuration } from './configuration.ts'
import { MASK, maskUrls } from '../mask.ts'
import { joinPath } from '../options.ts'
import { originOf } from './layers.ts'
import { soundsSecret } from './secrets.ts'

/** One value of the configuration. `value` is JSON, masked where it is secret. */
interface ConfigLine {
  readonly path: string
  readonly value: unknown
  readonly origin: string
}

/** Every value in the order of the sections; without `effective` only those that somebody set. */
export function configLines(config: Configuration, effective: boolean): readonly ConfigLine[] {
  const lines: ConfigLine[] = []
  const walk = (value: unknown, path: string): void => {
    const children = typeof value === 'object' && value !== null ? Object.entries(value) : []
    for (const [key, child] of children) if (child !== undefined) walk(child, joinPath(path, [key]))
    if (children.length > 0) return
    const origin = originOf(path, config.origins) ?? 'default'
    if (effective || origin !== 'default')
      lines.push({ path, value: shown(value, path, config), origin })
  }
  walk(config.values, '')
  return lines
}

function shown(value: unknown, path: string, config: Configuration): unknown {
  if (config.secrets.has(path) || (soundsSecret(path) && value !== null)) return MASK
  return typeof value === 'string' ? maskUrls(value) : value
}
