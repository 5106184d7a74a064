// References to component schemas in a resolved document, the only form they have there.
import { isFields } from '../values.ts'

const PREFIX = '#/components/schemas/'

/** Reference text of a component schema. */
export function schemaRef(name: string): string {
  return PREFIX + name
}

/** Component name in a reference of a resolved document. */
export function refName(ref: string): string {
  return ref.slice(PREFIX.length)
}

/** Names of the components that are referred to anywhere in a value. */
export function refsIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const item of value) refsIn(item, found)
  if (!isFields(value)) return found
  for (const [key, item] of Object.entries(value)) {
    if (key === '$ref' && typeof item === 'string') found.add(refName(item))
    else refsIn(item, found)
  }
  return found
}
