// Equality of types up to the names of the variables that they bind.
import { partsOf } from '../program/type-table.ts'
import type { Kind, Type } from '../program/types.ts'

/** What a variable stands for on one side, by name. */
type Bound = ReadonlyMap<string, number>
const NONE: Bound = new Map()

export function areEquivalent(one: Type, other: Type): boolean {
  return one === other || equivalent(one, other, NONE, NONE)
}

function equivalent(one: Type, other: Type, ones: Bound, others: Bound): boolean {
  if (one === other && (!one.open || ones.size === 0)) return true
  // Types without binders exist once.
  if (one.kind !== other.kind || one.depth !== other.depth || one.size !== other.size) return false
  if (one.kind === 'forall' && other.kind === 'forall')
    return (
      areEqualKinds(one.parameter.kind, other.parameter.kind) &&
      equivalent(
        one.body,
        other.body,
        new Map([...ones, [one.parameter.name, ones.size]]),
        new Map([...others, [other.parameter.name, ones.size]]),
      )
    )
  if (!haveEqualHeads(one, other, ones, others)) return false
  const [parts, counterparts] = [partsOf(one), partsOf(other)]
  return (
    parts.length === counterparts.length &&
    parts.every((part, index) => {
      const counterpart = counterparts[index]
      return counterpart !== undefined && equivalent(part, counterpart, ones, others)
    })
  )
}

function haveEqualHeads(one: Type, other: Type, ones: Bound, others: Bound): boolean {
  if (one.kind === 'variable' && other.kind === 'variable') {
    const [place, otherPlace] = [ones.get(one.name), others.get(other.name)]
    return place === otherPlace && (place !== undefined || one.name === other.name)
  }
  if (one.kind === 'builtin' && other.kind === 'builtin') return one.name === other.name
  if (one.kind === 'constructor' && other.kind === 'constructor')
    return one.reference === other.reference
  if (one.kind === 'struct' && other.kind === 'struct') return one.shape === other.shape
  return one.kind === 'nat' && other.kind === 'nat' && one.value === other.value
}

export function areEqualKinds(one: Kind, other: Kind): boolean {
  if (one.kind === 'arrow' && other.kind === 'arrow')
    return areEqualKinds(one.parameter, other.parameter) && areEqualKinds(one.result, other.result)
  return one.kind === other.kind
}
