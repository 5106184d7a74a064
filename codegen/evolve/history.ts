// How contracts of earlier versions of a template are read: which versions one codec reads, and
// where an upgrade stands between two of them.
import type { ContractsIr, NamedTypeIr, ShapeIr, TemplateIr } from '../contracts-ir.ts'
import { typeNames } from '../contracts-ir.ts'
import { sha256 } from '../json.ts'
import { parseType } from '../load/type-expression.ts'
import { comparePayload, storedBy } from './compare.ts'
import type { ContractsLock } from './contracts-lock.ts'
import type { Members, PackageShape, TypeShape } from './shape.ts'

/** A version of a package that is not the newest. */
interface EarlierVersion {
  readonly version: string
  /** The template's id in contracts of that version. */
  readonly templateId: string
  /** The version whose shape reads it; undefined: the newest. */
  readonly readBy: string | undefined
}

/** Payloads of `from` are read by no later shape: code makes them payloads of `to`. */
interface Upgrade {
  readonly from: string
  /** Undefined: the newest. */
  readonly to: string | undefined
  /** The version whose shape reads what the upgrade answers; undefined: the newest. */
  readonly readBy: string | undefined
}

export interface TemplateHistory {
  /** Oldest first. */
  readonly earlier: readonly EarlierVersion[]
  readonly upgrades: readonly Upgrade[]
}

/** Types of one version of a package that readers of old payloads need. */
export interface OldTypes {
  readonly packageName: string
  readonly version: string
  readonly types: readonly NamedTypeIr[]
}

/** The template's former versions in the lock; the newest is the document's. */
export function historyOf(
  { name, module, package: owner }: TemplateIr,
  lock: ContractsLock,
): TemplateHistory {
  const shapes = [...(lock.get(owner.name) ?? [])].filter(([, shape]) =>
    Object.hasOwn(shape.templates, name),
  )
  const versions = shapes.map(([version]) => version)
  const newest = versions.length - 1
  const called = (at: number): string | undefined => (at === newest ? undefined : versions[at])
  const endOf = (at: number): number => {
    let end = at
    while (end < newest && !needsUpgrade(shapes[end]?.[1], shapes[end + 1]?.[1], name)) end += 1
    return end
  }
  const earlier = versions.slice(0, -1).map((version, at) => ({
    version,
    templateId: `${sha256(`${owner.name}-${version}`)}:${module}:${name}`,
    readBy: called(endOf(at)),
  }))
  const upgrades = versions
    .slice(0, -1)
    .flatMap((from, at) =>
      endOf(at) === at ? [{ from, to: called(at + 1), readBy: called(endOf(at + 1)) }] : [],
    )
  return { earlier, upgrades }
}

function needsUpgrade(
  before: PackageShape | undefined,
  after: PackageShape | undefined,
  name: string,
): boolean {
  if (before === undefined || after === undefined) return false
  return comparePayload(before, after, name).some((change) => storedBy(change) === 'upgrade')
}

/** Every version whose types are needed, with the payloads of the templates that need them. */
export function oldTypesOf(ir: ContractsIr, lock: ContractsLock): readonly OldTypes[] {
  const needed = new Map<
    string,
    { readonly packageName: string; readonly version: string; readonly templates: string[] }
  >()
  for (const template of ir.templates) {
    const {
      name,
      package: { name: packageName },
    } = template
    const { upgrades } = historyOf(template, lock)
    for (const version of upgrades.flatMap(({ from, to, readBy }) => [from, to, readBy])) {
      if (version === undefined) continue
      const key = `${packageName} ${version}`
      const entry = needed.get(key) ?? { packageName, version, templates: [] }
      if (!entry.templates.includes(name)) entry.templates.push(name)
      needed.set(key, entry)
    }
  }
  return [...needed.values()].map(({ packageName, version, templates }) => {
    const shape = lock.get(packageName)?.get(version)
    return {
      packageName,
      version,
      types: shape === undefined ? [] : payloadTypes(shape, templates),
    }
  })
}

function payloadTypes(shape: PackageShape, templates: readonly string[]): readonly NamedTypeIr[] {
  const found = new Map<string, NamedTypeIr>()
  const open = [...templates]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const fields = templates.includes(name) ? shape.templates[name]?.fields : undefined
    const type = fields === undefined ? shape.types[name] : { record: fields }
    if (type === undefined || found.has(name)) continue
    const made = shapeIr(type)
    found.set(name, { name, shape: made })
    if (made.kind !== 'enum') open.push(...made.members.flatMap((member) => typeNames(member.type)))
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function shapeIr(type: TypeShape): ShapeIr {
  if ('enum' in type) return { kind: 'enum', names: type.enum }
  return 'record' in type
    ? { kind: 'record', members: members(type.record) }
    : { kind: 'variant', members: members(type.variant) }
}

function members(
  words: Members,
): Extract<ShapeIr, { readonly kind: 'record' | 'variant' }>['members'] {
  return Object.entries(words).flatMap(([name, word]) => {
    const parsed = parseType(word)
    return parsed.ok ? [{ name, type: parsed.type }] : []
  })
}
