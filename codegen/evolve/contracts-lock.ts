// The file beside contracts.yaml that keeps every shape that was ever committed, by package and
// version. It is written by `generate` and is what old contracts are read by, so it is part of the
// source, not of the output.
import { isFields } from '../values.ts'
import type { PackageShape } from './shape.ts'
import { compareVersions } from './versions.ts'

const LOCK_VERSION = 1

/** Shapes by version, oldest first, by package. */
export type ContractsLock = ReadonlyMap<string, ReadonlyMap<string, PackageShape>>

/** The lock's path: beside the document, `contracts.yaml` has `contracts.lock.json`. */
export function lockFileOf(document: string): string {
  return document.replace(/(?:\.[^./\\]+)?$/u, '.lock.json')
}

/** Reads a lock's text; a text says why it is none. */
export function parseContractsLock(text: string): ContractsLock | string {
  try {
    const data: unknown = JSON.parse(text)
    if (!isLockForm(data)) return `it is not a contracts lock of version ${LOCK_VERSION}`
    return lockOf(Object.entries(data.packages))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Nobody but this file writes one; what somebody edits by hand is found when it is compared. */
function isLockForm(
  data: unknown,
): data is { readonly packages: Readonly<Record<string, Readonly<Record<string, PackageShape>>>> } {
  return (
    isFields(data) &&
    data['lockVersion'] === LOCK_VERSION &&
    isFields(data['packages']) &&
    Object.values(data['packages']).every(
      (versions) => isFields(versions) && Object.values(versions).every(isShapeForm),
    )
  )
}

function isShapeForm(shape: unknown): shape is PackageShape {
  return (
    isFields(shape) && ['templates', 'interfaces', 'types'].every((key) => isFields(shape[key]))
  )
}

function lockOf(
  packages: readonly (readonly [string, Readonly<Record<string, PackageShape>>])[],
): ContractsLock {
  return new Map(
    packages.map(([name, versions]) => [
      name,
      new Map(Object.entries(versions).sort(([a], [b]) => compareVersions(a, b))),
    ]),
  )
}

/**
 * Text of a lock: a line for each template, interface and type, so that a review sees what changed.
 */
export function printContractsLock(lock: ContractsLock): string {
  const packages = [...lock].map(
    ([name, versions]) =>
      `    ${JSON.stringify(name)}: {\n${[...versions].map(printVersion).join(',\n')}\n    }`,
  )
  return `{\n  "lockVersion": ${LOCK_VERSION},\n  "packages": {\n${packages.join(',\n')}\n  }\n}\n`
}

function printVersion([version, shape]: readonly [string, PackageShape]): string {
  const groups = Object.entries(shape).map(
    ([key, members]) => `        ${JSON.stringify(key)}: ${printGroup(members)}`,
  )
  return `      ${JSON.stringify(version)}: {\n${groups.join(',\n')}\n      }`
}

function printGroup(members: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(members).map(
    ([name, value]) => `          ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n        }`
}
