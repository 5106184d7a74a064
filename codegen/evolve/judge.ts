// Holds contracts.yaml against the lock: what may not change is an error with its place, what is
// new goes into the lock.
import type { Finding } from '../findings.ts'
import type { LoadedContracts } from '../load/contracts.ts'
import type { Path } from '../load/source.ts'
import { compareShapes, sentenceOf, storedBy } from './compare.ts'
import type { ContractsLock } from './contracts-lock.ts'
import { shapesOf } from './shape.ts'
import type { PackageShape } from './shape.ts'
import { compareVersions } from './versions.ts'

interface Judged {
  readonly findings: readonly Finding[]
  /** The lock with the shapes of now, to be written if there is no error. */
  readonly lock: ContractsLock
}

/**
 * Compares the document with the shapes that the lock keeps. `committed` answers the lock as it is
 * in version control, undefined where that is not known: the lock itself then counts as committed.
 * Asked only where a locked shape differs.
 */
export function judgeContracts(
  loaded: LoadedContracts,
  lock: ContractsLock,
  committed: () => ContractsLock | undefined,
): Judged {
  const {
    ir: { packages },
    source,
  } = loaded
  const shapes = shapesOf(loaded.ir)
  const next = new Map(lock)
  const findings: Finding[] = []
  const report = (message: string, path: Path): void => {
    findings.push({
      severity: 'error',
      rule: 'contract-evolution',
      message,
      at: source.place(path),
    })
  }
  for (const { name, version } of packages) {
    const shape = shapes.get(name)
    if (shape === undefined) continue
    const known = lock.get(name) ?? new Map<string, PackageShape>()
    judgeVersion({ name, version, shape, known, committed: () => committed()?.get(name) }, report)
    next.set(
      name,
      new Map([...known, [version, shape] as const].sort(([a], [b]) => compareVersions(a, b))),
    )
  }
  for (const name of lock.keys()) {
    if (!shapes.has(name)) report(`package '${name}' has contracts: it cannot go`, ['packages'])
  }
  return { findings, lock: next }
}

interface Candidate {
  readonly name: string
  readonly version: string
  readonly shape: PackageShape
  readonly known: ReadonlyMap<string, PackageShape>
  readonly committed: () => ReadonlyMap<string, PackageShape> | undefined
}

function judgeVersion(
  { name, version, shape, known, committed }: Candidate,
  report: (message: string, path: Path) => void,
): void {
  const locked = known.get(version)
  const isOther = locked !== undefined && JSON.stringify(locked) !== JSON.stringify(shape)
  const changes = isOther ? compareShapes(locked, shape) : []
  if (changes.length > 0 && (committed() ?? known).has(version)) {
    const [first] = changes
    const more = changes.length > 1 ? ` (and ${changes.length - 1} more)` : ''
    if (first !== undefined)
      report(
        `${sentenceOf(first)}${more}: package '${name}' needs a version after ${version}`,
        first.path,
      )
    return
  }
  const newest = [...known.keys()].at(-1)
  if (newest !== undefined && compareVersions(version, newest) < 0) {
    return report(`package '${name}' has had version ${newest}: the next one comes after it`, [
      'packages',
      name,
      'version',
    ])
  }
  const base = [...known].findLast(([one]) => one !== version)?.[1]
  if (base === undefined) return
  for (const change of compareShapes(base, shape)) {
    if (storedBy(change) === 'refused')
      report(`${sentenceOf(change)}: what was committed once has to stay`, change.path)
  }
}
