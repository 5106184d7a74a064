// The packages that are in code here. docs/ledger-rules.md, "Packages"
import { packages } from '../../../generated/contracts.gen.ts'
import type { WireWords } from '../interactive/wire-words.ts'

/**
 * Names of the packages that are in code, our own and those that clients read: what is uploaded
 * under one of them never runs.
 */
export function ownPackageNames({ outward }: WireWords): ReadonlySet<string> {
  const names = Object.keys(packages)
  return new Set([...names, ...names.map((name) => outward.package(name))])
}
