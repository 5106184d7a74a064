// Compares what documents say as a whole.
import { fields } from '../values.ts'
import { compareMembers, note, onlyIn } from './comparison.ts'
import type { Comparison, Spot } from './comparison.ts'
import { compareSchemes } from './security.ts'
import { differing } from './sets.ts'
import type { RuleName } from './rules.ts'

const SETTINGS: ReadonlyMap<string, RuleName> = new Map([
  ['mount', 'mount-changed'],
  ['name', 'interface-renamed'],
  ['checks', 'checks-changed'],
  ['problems', 'problems-changed'],
])
/** The generator's marker in documents that it wrote. */
const MARKER = 'x-generated'

/** Notes changes of title, version, settings and security schemes. */
export function compareDocuments(comparison: Comparison): void {
  const { before, after } = comparison
  const spot: Spot = { in: comparison, old: [], new: [], subject: after.title, ways: 0 }
  compareMembers(spot, before, after, [
    ['title', 'title-changed', ['info', 'title']],
    ['version', 'version-changed', ['info', 'version']],
    ['openapi', 'openapi-version-changed'],
  ])
  for (const [name, was, is] of differing(before.extensions, after.extensions)) {
    if (name === 'x-interface') compareSettings(spot, was, is)
    else if (name !== MARKER)
      note(spot, 'document-extension-changed', {
        name,
        before: was,
        after: is,
        keys: [name],
        ...onlyIn(was, is),
      })
  }
  compareSchemes(spot)
}

function compareSettings(spot: Spot, before: unknown, after: unknown): void {
  for (const [name, was, is] of differing(fields(before), fields(after))) {
    const keys = ['x-interface', name]
    note(spot, SETTINGS.get(name) ?? 'document-extension-changed', {
      name,
      before: was,
      after: is,
      keys,
      ...onlyIn(was, is),
    })
  }
}
