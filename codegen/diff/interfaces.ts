// Compares sets of documents: which interfaces are the same one, and what came or went as a whole.
import type { LoadedInterface } from '../load/load-interface.ts'
import { worse } from './level.ts'
import type { Change, InterfaceChanges } from './change.ts'
import { diffContracts } from './diff-contracts.ts'
import { diffPackages } from './diff-packages.ts'
import { diffInterfaces } from './diff-interfaces.ts'
import type { Version } from './inputs.ts'
import { levelsOf } from './rules.ts'
import { keyed, match } from './sets.ts'

/**
 * Changes of every interface of two versions by name, then of every contract package, then of
 * archives; a text where a single one has no counterpart. Contracts and archives are compared where
 * both sides tell of them.
 */
export function diffVersions(
  before: Version,
  after: Version,
): readonly InterfaceChanges[] | string {
  const contracts =
    before.contracts === undefined || after.contracts === undefined
      ? undefined
      : diffContracts(before.contracts, after.contracts)
  const packages =
    before.packages === undefined || after.packages === undefined
      ? undefined
      : diffPackages(before.packages, after.packages)
  const ones = [before, after].filter(({ isOne }) => isOne)
  if (ones.some((one) => one.packages !== undefined))
    return packages ?? 'there are no archives on the other side'
  const isOfContracts = ones.some(({ documents }) => documents.length === 0)
  if (isOfContracts) return contracts ?? 'there are no contracts on the other side'
  const interfaces = diffDocuments(before, after)
  if (typeof interfaces === 'string' || typeof packages === 'string')
    return typeof interfaces === 'string' ? interfaces : (packages ?? [])
  return [...interfaces, ...(contracts ?? []), ...(packages ?? [])]
}

function diffDocuments(before: Version, after: Version): readonly InterfaceChanges[] | string {
  const [[old], [now]] = [before.documents, after.documents]
  if (before.isOne && after.isOne && old !== undefined && now !== undefined) {
    return [{ interface: now.ir.name, changes: diffInterfaces(old, now) }]
  }
  const nameOf = ({ ir }: LoadedInterface): string => ir.name
  const { pairs, gone, fresh } = match(
    keyed(before.documents, nameOf),
    keyed(after.documents, nameOf),
  )
  const single = before.isOne ? old : after.isOne ? now : undefined
  if (single !== undefined && pairs.length === 0)
    return `no interface '${single.ir.name}' on the other side`
  const changed = pairs.map(([name, one, other]) => ({
    interface: name,
    changes: diffInterfaces(one, other),
  }))
  if (single !== undefined) return changed
  return [
    ...changed,
    ...gone.map(([name, one]) => ({
      interface: name,
      changes: [wholeChange(one, 'interface-removed')],
    })),
    ...fresh.map(([name, one]) => ({
      interface: name,
      changes: [wholeChange(one, 'interface-added')],
    })),
  ]
}

/** An interface that came or went as a whole. */
export function wholeChange(
  { ir, locate }: LoadedInterface,
  rule: 'interface-added' | 'interface-removed',
): Change {
  const [callers, implementers] = levelsOf(rule, 0)
  const at = locate([])
  const said = rule === 'interface-added' ? 'new' : 'gone'
  return {
    rule,
    level: worse(callers, implementers),
    callers,
    implementers,
    place: '',
    pointer: '',
    at,
    ...(rule === 'interface-removed' ? { was: at } : {}),
    in: 'none',
    operations: [],
    message: `${ir.name}: the interface is ${said}`,
  }
}
