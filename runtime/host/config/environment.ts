// Reads configuration from environment variables by one fixed rule: LEDGERWRIGHT__SECTION__KEY.
// `__` parts the names, a name in capitals with `_` is the key in camel case, and the value is JSON
// where it is JSON, else text.
import type { Layer } from './layers.ts'
import { plain } from '../nearest.ts'
import { isTree } from './layers.ts'

const PREFIX = 'LEDGERWRIGHT__'
const SHORT: Readonly<Record<string, readonly string[]>> = {
  PORT: ['server', 'port'],
  HOST: ['server', 'host'],
}

/** One layer a variable, in a fixed order; PORT and HOST first, so that the long names win. */
export function environmentLayers(
  env: Readonly<Record<string, string | undefined>>,
  known: unknown,
): readonly Layer[] {
  const short = Object.entries(SHORT).flatMap(([name, path]) => layerOf(name, env[name], path))
  const long = Object.keys(env)
    .filter((name) => name.startsWith(PREFIX))
    .sort()
    .flatMap((name) =>
      layerOf(name, env[name], keysOf(name.slice(PREFIX.length).split('__'), known)),
    )
  return [...short, ...long]
}

function layerOf(name: string, text: string | undefined, path: readonly string[]): Layer[] {
  if (text === undefined || text === '') return []
  return [{ origin: `environment ${name}`, values: nest(path, readText(text)) }]
}

/** `['server', 'port']` and 1 are `{ server: { port: 1 } }`. */
export function nest(path: readonly string[], value: unknown): unknown {
  return path
    .toReversed()
    .reduce<unknown>((inner, key) => Object.fromEntries([[key, inner]]), value)
}

/**
 * Numbers, booleans, lists and objects as JSON; everything else, and numbers that would lose
 * digits, as text.
 */
export function readText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'number' && String(value) !== text ? text : value
  } catch {
    return text
  }
}

/**
 * Finds each name among the keys that lower layers have (`MY_SWEEP` is `my-sweep` there), else
 * makes it camel case.
 */
function keysOf(names: readonly string[], known: unknown): readonly string[] {
  let node = known
  return names.map((name) => {
    const keys = isTree(node) ? Object.keys(node) : []
    const key = keys.find((candidate) => plain(candidate) === plain(name)) ?? camelCase(name)
    node = Array.isArray(node) ? node[Number(name)] : isTree(node) ? node[key] : undefined
    return key
  })
}

function camelCase(name: string): string {
  return name.toLowerCase().replaceAll(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
