// The packages that are in code here. docs/ledger-rules.md, "Packages"
import { interfaceTypes, packages, templateTypes } from '../../../generated/contracts.gen.ts'
import type { InCode } from '../../packages/templates/in-code.ts'
import type { WireWords } from '../interactive/wire-words.ts'

/**
 * Our packages by their own names and those that clients read, which are the names of what is
 * uploaded.
 */
export function ownPackages({ outward }: WireWords): InCode {
  const names = Object.keys(packages).flatMap((name) => [name, outward.package(name)])
  const ids = [...Object.values(templateTypes), ...Object.values(interfaceTypes)].flatMap(
    ({ id, packageName }) => {
      const reference = `${packageName}${id.slice(id.indexOf(':'))}`
      return [
        [reference, id],
        [outward.template(reference), id],
      ] as const
    },
  )
  return { names: new Set(names), ids: new Map(ids) }
}
