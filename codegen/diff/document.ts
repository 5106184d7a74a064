// Compares what documents say as a whole.
import { fields } from '../values.ts'
import { note } from './comparison.ts'
import type { Comparison, Spot } from './comparison.ts'
import { compareSchemes } from './security.ts'
import { onlyIn } from './schema-values.ts'
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
  const spot: Spot = { old: [], new: [], subject: after.title, ways: 0 }
  const texts = [
    ['title', 'title-changed', ['info', 'title']],
    ['version', 'version-changed', ['info', 'version']],
    ['openapi', 'openapi-version-changed', ['openapi']],
  ] as const
  for (const [key, rule, keys] of texts) {
    if (before[key] !== after[key])
      note(comparison, spot, rule, { before: before[key], after: after[key], keys })
  }
  for (const [name, was, is] of differing(before.extensions, after.extensions)) {
    if (name === 'x-interface') compareSettings(comparison, spot, was, is)
    else if (name !== MARKER)
      note(comparison, spot, 'document-extension-changed', {
        name,
        before: was,
        after: is,
        keys: [name],
        ...onlyIn(was, is),
      })
  }
  compareSchemes(comparison, spot)
}

function compareSettings(
  comparison: Comparison,
  spot: Spot,
  before: unknown,
  after: unknown,
): void {
  for (const [name, was, is] of differing(fields(before), fields(after))) {
    const keys = ['x-interface', name]
    note(comparison, spot, SETTINGS.get(name) ?? 'document-extension-changed', {
      name,
      before: was,
      after: is,
      keys,
      ...onlyIn(was, is),
    })
  }
}
