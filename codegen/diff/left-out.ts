// Compares what the generator leaves out of its form and readers of the documents rely on all the
// same: servers, and keywords that no generated code checks. Who hears "no changes" must be able to
// believe it.
import { SCHEMA_MAPS, SCHEMA_UNSUPPORTED } from '../load/keywords.ts'
import type { Path } from '../load/source.ts'
import { fields, isFields, items, text } from '../values.ts'
import { note, onlyIn } from './comparison.ts'
import type { Spot } from './comparison.ts'
import { same } from './sets.ts'

/** Data, or maps whose keys are no keywords. */
const DATA: ReadonlySet<string> = new Set([
  'example',
  'examples',
  'default',
  'enum',
  'const',
  'mapping',
  'encoding',
  'required',
])

/** Notes changes in places that both resolved documents have. `spotOf`: what a path belongs to. */
export function compareLeftOut(
  before: unknown,
  after: unknown,
  spotOf: (path: Path) => Spot,
): void {
  const walk = (old: unknown, now: unknown, path: Path, isMap: boolean): void => {
    if (Array.isArray(old) && Array.isArray(now))
      old.forEach((item, index) => {
        walk(item, now[index], [...path, String(index)], false)
      })
    if (!isFields(old) || !isFields(now)) return
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const [was, is, at] = [old[key], now[key], [...path, key]]
      if (!isMap && key === 'servers') compareServers(spotOf(at), was, is)
      else if (!isMap && SCHEMA_UNSUPPORTED.has(key)) compareKeyword(spotOf(at), key, was, is)
      else if (isMap || (!DATA.has(key) && !key.startsWith('x-')))
        walk(was, is, at, !isMap && (SCHEMA_MAPS.has(key) || key === 'schemas'))
    }
  }
  walk(before, after, [], false)
}

function compareKeyword(spot: Spot, name: string, before: unknown, after: unknown): void {
  if (!same(before, after))
    note(spot, 'unchecked-keyword-changed', {
      name,
      before,
      after,
      ...onlyIn(before, after),
    })
}

/** Another host is where it runs; another path is what callers wrote. */
function compareServers(spot: Spot, before: unknown, after: unknown): void {
  if (same(before, after)) return
  const [old, now] = [prefixes(before), prefixes(after)]
  const isKnown = old.size > 0 && now.size > 0
  const gone = isKnown ? [...old].filter((path) => !now.has(path)) : []
  const fresh = isKnown ? [...now].filter((path) => !old.has(path)) : []
  for (const name of gone) note(spot, 'server-path-removed', { name })
  for (const name of fresh) note(spot, 'server-path-added', { name })
  if (gone.length + fresh.length === 0) note(spot, 'servers-changed', onlyIn(before, after))
}

function prefixes(servers: unknown): ReadonlySet<string> {
  return new Set(
    items(servers).map((server) => {
      const url = text(fields(server)['url']) ?? ''
      return (
        url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*|^\{[^{}]*\}/iu, '').replace(/\/$/u, '') || '/'
      )
    }),
  )
}
