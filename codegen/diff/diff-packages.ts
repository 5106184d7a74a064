// Two archives in, every change between them out: what differs is found as for an upload, here it
// gets its places and levels.
import { differences } from '../../runtime/packages/summary/differences.ts'
import type { Difference } from '../../runtime/packages/summary/differences.ts'
import { compareVersions, isUtilityPackage } from '../../runtime/packages/summary/summary.ts'
import type { PackageSummary } from '../../runtime/packages/summary/summary.ts'
import { pointerOf } from '../load/source.ts'
import type { PackageVersion } from '../archives/package-version.ts'
import { compareText } from '../values.ts'
import { worstFirst } from './change.ts'
import type { Change, InterfaceChanges } from './change.ts'
import { PACKAGE_RULE } from './rules-packages.ts'
import type { PackageRuleName } from './rules-packages.ts'
import { sentence } from './sentence.ts'
import { storedChange } from './stored-change.ts'
import type { Spot } from './stored-change.ts'

/** One package of an archive. */
interface Located {
  readonly file: string
  readonly summary: PackageSummary
}

interface Found extends Omit<Difference, 'rule'> {
  readonly rule: PackageRuleName
}

/**
 * Changes of the main packages by name, then of packages that only one version of is on each side;
 * a text where a main package has no counterpart.
 */
export function diffPackages(
  before: readonly PackageVersion[],
  after: readonly PackageVersion[],
): readonly InterfaceChanges[] | string {
  const [old, now] = [byName(before), byName(after)]
  const alone = mainNames(before)
    .symmetricDifference(mainNames(after))
    .values()
    .find((name) => !old.has(name) || !now.has(name))
  if (alone !== undefined) return `package '${alone}' is on one side only`
  const known = [...before, ...after].flatMap(({ packages }) => packages)
  return [...old]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([name, one]) => {
      const other = now.get(name)
      const changes = other === undefined ? [] : changesBetween(one, other, known)
      return changes.length === 0 ? [] : [{ interface: name, changes }]
    })
}

function mainNames(versions: readonly PackageVersion[]): Set<string> {
  return new Set(versions.flatMap(({ packages: [main] }) => main?.name ?? []))
}

/** Packages by name: main ones, and others of which there is one version. */
function byName(versions: readonly PackageVersion[]): ReadonlyMap<string, Located> {
  const all = versions.flatMap(({ file, packages }) =>
    packages.map((summary, index) => ({ file, summary, isMain: index === 0 })),
  )
  const groups = Map.groupBy(all, ({ summary }) => summary.name)
  return new Map(
    [...groups].flatMap(([name, group]) => {
      const main = group.find(({ isMain }) => isMain)
      const isOne = new Set(group.map(({ summary }) => summary.packageId)).size === 1
      const [only] = isOne ? group : []
      const one = main ?? only
      return one === undefined || isUtilityPackage(one.summary) ? [] : [[name, one] as const]
    }),
  )
}

function changesBetween(
  before: Located,
  after: Located,
  known: readonly PackageSummary[],
): readonly Change[] {
  const [old, now] = [before.summary, after.summary]
  if (old.packageId === now.packageId) return []
  const found = [
    versionChange(old, now),
    ...differences(old, now, known).map((one): Found => ({ ...one, rule: `package-${one.rule}` })),
  ]
  return found.map((one) => changeOf(before, after, one)).sort(worstFirst)
}

function versionChange({ version: before }: PackageSummary, { version: after }: PackageSummary) {
  const order = compareVersions(before, after)
  const rule = order < 0 ? 'package-newer' : order > 0 ? 'package-older' : 'package-same-version'
  return { rule, place: [], before, after } as const
}

function changeOf(before: Located, after: Located, found: Found): Change {
  const { rule, place, name, before: was, after: is } = found
  const { says } = PACKAGE_RULE[rule]
  const [module, ...inside] = place.map((one) => one.name)
  const pointer = pointerOf([
    ...place.map((one) => one.name),
    ...(name === undefined ? [] : [name]),
  ])
  const spot = ({ file }: Located): Spot => ({ pointer, at: { file, line: 1, column: 1, pointer } })
  const entity =
    module === undefined ? (name ?? after.summary.name) : entityOf(module, inside[0], name)
  const subject = [entity, ...inside.slice(1)].join(' ')
  const more = !says.includes('{after}') && was !== undefined ? ': {after}, was {before}' : ''
  return storedChange(PACKAGE_RULE[rule], {
    rule,
    place: entity,
    old: spot(before),
    now: spot(after),
    before: was,
    after: is,
    message: sentence(says + more, { subject, name, before: was, after: is }),
  })
}

function entityOf(
  module: string,
  definition: string | undefined,
  name: string | undefined,
): string {
  const entity = definition ?? name
  return entity === undefined ? module : `${module}:${entity}`
}
