// Two contracts.yaml in, every change between them out, package by package: what differs is found
// by codegen/evolve, here it gets its places and levels. Pure: nothing is read, written or
// printed.
import { compareLimits } from '../evolve/compare-limits.ts'
import { compareShapes, sentenceOf } from '../evolve/compare.ts'
import type { ShapeChange } from '../evolve/compare.ts'
import { shapesOf } from '../evolve/shape.ts'
import type { PackageShape } from '../evolve/shape.ts'
import { compareVersions } from '../evolve/versions.ts'
import type { LoadedContracts } from '../load/contracts.ts'
import { pointerOf } from '../load/source.ts'
import type { Path } from '../load/source.ts'
import { compareText, fields } from '../values.ts'
import { worstFirst } from './change.ts'
import type { Change, InterfaceChanges } from './change.ts'
import { documentPath } from './places.ts'
import { CONTRACT_RULE } from './rules-contracts.ts'
import { storedChange } from './stored-change.ts'
import type { Spot } from './stored-change.ts'

const EMPTY: PackageShape = { templates: {}, interfaces: {}, types: {} }

/**
 * Every change between two documents by package name, the worst first; none for packages that are
 * the same. A package that came or went is its templates and interfaces. Limits, which packages
 * share, come last. Both must have been loaded without errors.
 */
export function diffContracts(
  before: LoadedContracts,
  after: LoadedContracts,
): readonly InterfaceChanges[] {
  const [old, now] = [shapesOf(before.ir), shapesOf(after.ir)]
  const names = [...new Set([...old.keys(), ...now.keys()])].sort(compareText)
  const packages = names.map((name) => {
    const shapes = compareShapes(old.get(name) ?? EMPTY, now.get(name) ?? EMPTY)
    const versions = versionChanges(before, after, name, shapes.length > 0)
    return { interface: name, changes: [...versions, ...shapes] }
  })
  return [...packages, { interface: 'limits', changes: compareLimits(before.ir, after.ir) }]
    .map(({ interface: name, changes }) => {
      const placed = changes.map((one) => changeOf(before, after, one))
      return { interface: name, changes: placed.sort(worstFirst) }
    })
    .filter(({ changes }) => changes.length > 0)
}

function versionChanges(
  before: LoadedContracts,
  after: LoadedContracts,
  name: string,
  isOther: boolean,
): readonly ShapeChange[] {
  const [old, now] = [before, after].map(
    ({ ir: { packages } }) => packages.find((one) => one.name === name)?.version,
  )
  if (old === undefined || now === undefined) return []
  const order = compareVersions(old, now)
  if (order === 0 && !isOther) return []
  const verb = order === 0 ? 'kept' : order < 0 ? 'raised' : 'lowered'
  const path = ['packages', name, 'version']
  return [{ rule: `package-version-${verb}`, entity: name, before: old, after: now, path }]
}

function changeOf(before: LoadedContracts, after: LoadedContracts, change: ShapeChange): Change {
  return storedChange(CONTRACT_RULE[change.rule], {
    ...change,
    place: change.entity,
    old: placeIn(before, pathOf(change)),
    now: placeIn(after, change.path),
    message: sentenceOf(change),
  })
}

/** A comparison places what is gone at what held it: in the older document it has its own line. */
function pathOf({ rule, member, path }: ShapeChange): Path {
  const isMember =
    rule.endsWith('-removed') && member !== undefined && rule !== 'template-interface-removed'
  return isMember ? [...path, member.slice(member.lastIndexOf('.') + 1)] : path
}

function placeIn({ source }: LoadedContracts, path: Path): Spot {
  const found = documentPath({ document: fields(source.data) }, path)
  return { pointer: pointerOf(found), at: source.place(path) }
}
