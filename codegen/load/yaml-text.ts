// Reads a YAML text: its values, with integers exact, and where each of them stands.
import { FAILSAFE_SCHEMA, load, Type, YAMLException } from 'js-yaml'
import type { EventType, State } from 'js-yaml'
import { once } from '../once.ts'
import { isFields } from '../values.ts'
import type { ParsedText, Path, TextPlace } from './parsed-text.ts'

const NULL = /^(?:~|null|Null|NULL)?$/u
const TRUE = /^(?:true|True|TRUE)$/u
const FALSE = /^(?:false|False|FALSE)$/u
const INTEGER = /^(?:[-+]?\d+|0o[0-7]+|0x[\dA-Fa-f]+)$/u
const REAL = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/u
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/u
const NO_NUMBER = /^\.(?:nan|NaN|NAN)$/u
const FORMS = [NULL, TRUE, FALSE, INTEGER, REAL, INFINITE, NO_NUMBER]

/** YAML 1.2's core schema with merges; a value of any other tag is taken as written. */
const SCHEMA = FAILSAFE_SCHEMA.extend({
  implicit: [
    new Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (text) => text === '<<' }),
    new Type('tag:yaml.org,2002:null', {
      kind: 'scalar',
      resolve: (text: unknown) => FORMS.some((form) => form.test(String(text))),
      construct: (text: unknown) => plainValue(String(text)),
    }),
  ],
  explicit: (['scalar', 'sequence', 'mapping'] as const).map(
    (kind) => new Type('', { kind, multi: true }),
  ),
})
/** As deep as the stack bears; what is deeper ends in an error of the stack. */
const OPTIONS = { schema: SCHEMA, maxDepth: 100_000 }

/** A value as it was met in the text, with what was met within it. */
interface Met extends TextPlace {
  readonly within: Met[]
  value: unknown
}

/** Reads a YAML text; what is wrong with it comes back in `errors`. */
export function parseYaml(content: string): ParsedText {
  const top: Met = { line: 1, column: 1, within: [], value: undefined }
  const open = [top]
  const listener = (event: EventType, state: State): void => {
    const above = open.at(-1) ?? top
    if (event === 'open') {
      const { line, position, lineStart } = state
      const met = { line: line + 1, column: position - lineStart + 1, within: [], value: undefined }
      above.within.push(met)
      open.push(met)
    } else {
      above.value = state.result
      open.pop()
    }
  }
  try {
    const data: unknown = load(content, { ...OPTIONS, listener }) ?? null
    return { data, errors: [], place: placesIn(top.within[0] ?? top) }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    return { data: {}, errors: [complaint(error)], place: () => top }
  }
}

function complaint({ reason, mark }: YAMLException): ParsedText['errors'][number] {
  const code = reason === 'duplicated mapping key' ? 'DUPLICATE_KEY' : 'SYNTAX'
  // What concerns the text as a whole has no mark.
  const { line = 0, column = 0 } = isFields(mark) ? mark : {}
  return { code, message: reason, line: line + 1, column: column + 1 }
}

function placesIn(root: Met): ParsedText['place'] {
  const membersOf = once(readMembers)
  return (path: Path) => {
    let at = { place: root, inner: root }
    for (const part of path) {
      const next = membersOf(at.inner).get(part)
      if (next === undefined) break
      at = next
    }
    return { line: at.place.line, column: at.place.column }
  }
}

/** A member: where its key or, in a list, its value stands, and the value itself. */
interface Member {
  readonly place: Met
  readonly inner: Met
}

/** The members of a mapping by key, or of a list by number. */
function readMembers(met: Met): ReadonlyMap<string, Member> {
  // A value that might have been a key was met once more, within itself.
  const [first] = met.within
  if (first !== undefined && first.value === met.value) return readMembers(first)
  const members = new Map<string, Member>()
  const { value, within } = met
  let at = 0
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const inner = within[at]
      if (inner === undefined || !Object.is(inner.value, item)) continue
      members.set(String(index), { place: inner, inner })
      at += 1
    }
  } else if (isFields(value)) {
    for (; at < within.length; at += 1) {
      const [place, inner] = [within[at], within[at + 1]]
      const key = String(place?.value)
      if (place === undefined || !Object.hasOwn(value, key)) continue
      const hasValue = inner !== undefined && Object.is(inner.value, value[key])
      members.set(key, { place, inner: hasValue ? inner : place })
      if (hasValue) at += 1
    }
  }
  return members
}

function plainValue(text: string): unknown {
  if (NULL.test(text)) return null
  if (TRUE.test(text)) return true
  if (FALSE.test(text)) return false
  if (INTEGER.test(text)) return integer(text)
  if (NO_NUMBER.test(text)) return Number.NaN
  if (INFINITE.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  return Number.parseFloat(text)
}

/** A bigint where a number would be rounded. */
function integer(text: string): number | bigint {
  const exact = BigInt(text)
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
}
