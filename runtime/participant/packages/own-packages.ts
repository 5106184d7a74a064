// The packages that are in code here. docs/ledger-rules.md, "Packages"
import { interfaceTypes, packages } from '../../../generated/contracts.gen.ts'
import type { InCode } from '../../packages/templates/in-code.ts'
import type { WireWords } from '../interactive/wire-words.ts'

/**
 * Our packages by their own names and those that clients read, which are the names of what is
 * uploaded.
 */
export function ownPackages({ inward, outward }: WireWords): InCode {
  const names = Object.keys(packages).flatMap((name) => [name, outward.package(name)])
  const interfaces = Object.values(interfaceTypes).flatMap((type) => {
    const reference = `${type.packageName}${type.id.slice(type.id.indexOf(':'))}`
    return [[reference, type] as const, [outward.template(reference), type] as const]
  })
  return { names: new Set(names), interfaces: new Map(interfaces), inward, outward }
}
