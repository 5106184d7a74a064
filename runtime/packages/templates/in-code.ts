// Packages that are in code: an upload under one of their names never runs in their place, and what
// uploaded packages say of their interfaces is meant of ours, where it is the same.
// docs/decisions/0056-packages-that-run.md
import type { AnyInterfaceType, Shape, Shaped } from '../../../generated/contract-codec.gen.ts'
import type { InterfaceDefinition } from '../program/definitions.ts'
import type { ValueCodecs } from './codec.ts'

export interface InCode {
  /** Names of the packages. */
  readonly names: ReadonlySet<string>
  /** Their interfaces by `<package name>:<Module>:<Entity>`. */
  readonly interfaces: ReadonlyMap<string, AnyInterfaceType>
  /** From the words of uploaded packages into ours, and back. */
  readonly inward: BoundaryWords
  readonly outward: BoundaryWords
}

/** Names in one direction. */
export interface BoundaryWords {
  /** `<package name>:<Module>:<Entity>` */
  template(reference: string): string
  /** A value of a choice or an interface in JSON. */
  payload(value: unknown, of: string): unknown
}

/** The interface in code that has the name of an uploaded one. */
export function namesake(
  { interfaces }: InCode,
  packageName: string,
  id: string,
): AnyInterfaceType | undefined {
  return interfaces.get(`${packageName}${id.slice(id.indexOf(':'))}`)
}

/** Whether values of an uploaded interface are those of one in code: its view, and our choices. */
export function isSame(
  { view, choices }: InterfaceDefinition,
  ours: AnyInterfaceType,
  codecs: ValueCodecs,
): boolean {
  return (
    haveSameShape(codecs.of(view), ours.view) &&
    Object.values(ours.choices).every(({ name, consuming, argument, result }) => {
      const choice = choices.get(name)
      return (
        choice?.consuming === consuming &&
        haveSameShape(codecs.of(choice.argument), argument) &&
        haveSameShape(codecs.of(choice.result), result)
      )
    })
  )
}

/** What types in code have in place of those of the contract language. */
const IN_CODE: Readonly<Record<string, string>> = { decimal: 'numeric', text: 'date' }

/** Places of a decimal in code. */
const DECIMAL_SCALE = 10

/** Pairs of types that are compared; a type that is made of itself has no end of others. */
const MAX_PAIRS = 10_000

/** Whether values of a type have the same form in JSON as those of one in code. */
export function haveSameShape(theirs: Shaped, ours: Shaped): boolean {
  const pending: [theirs: Shaped, ours: Shaped][] = [[theirs, ours]]
  const compared = new Map<Shaped, Set<Shaped>>()
  let pairs = 0
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [one, other] = pair
    const before = compared.get(one) ?? new Set()
    // A type may be within itself.
    if (before.has(other)) continue
    pairs += 1
    if (pairs > MAX_PAIRS) return false
    compared.set(one, before.add(other))
    const [a, b] = [one.shape, other.shape]
    if (a.kind !== b.kind && IN_CODE[b.kind] !== a.kind) return false
    if (a.kind === 'numeric' && a.scale !== DECIMAL_SCALE) return false
    if (a.kind === 'enum' && b.kind === 'enum' && a.names.join() !== b.names.join()) return false
    const [parts, others] = [partsOf(a), partsOf(b)]
    if (parts.length !== others.length) return false
    for (const [at, [name, part]] of parts.entries()) {
      const [otherName, otherPart] = others[at] ?? []
      if (name !== otherName || otherPart === undefined) return false
      pending.push([part, otherPart])
    }
  }
  return true
}

function partsOf(shape: Shape): readonly (readonly [name: unknown, part: Shaped])[] {
  switch (shape.kind) {
    case 'record':
      return shape.fields
    case 'variant':
      return [...shape.cases]
    case 'optional':
    case 'list':
    case 'textMap':
      return [['', shape.of]]
    case 'map':
      return [
        ['', shape.key],
        ['', shape.value],
      ]
    default:
      return []
  }
}
