// Reads the keys of a template in contracts.yaml: the names under which its active contracts are
// found, and in which of a store's three columns each is kept.
import type { KeyColumn, KeyIr } from '../contracts-ir.ts'
import { isFields } from '../values.ts'
import type { Fields } from '../values.ts'
import type { Path } from './source.ts'

const KEY_NAME = /^[a-z][A-Za-z0-9]*$/u
const COLUMNS: readonly KeyColumn[] = [1, 2, 3]

/** Types whose values have one text, by what they are in memory. */
const KINDS: ReadonlyMap<unknown, KeyIr['kind']> = new Map([
  ['Party', 'text'],
  ['Text', 'text'],
  ['ContractId', 'text'],
  ['Int', 'integer'],
  ['Round', 'integer'],
] as const)

/** Says what is wrong, at a path below the keys. */
type Report = (below: Path, message: string) => void

/**
 * The keys under `keys`: a type by name, `{ owner: Party }`, in the columns 1, 2 and 3, or with a
 * column, `{ round: { type: Round, column: 3 } }`. What is none is reported and left out.
 */
export function readKeys(value: unknown, report: Report): readonly KeyIr[] {
  if (value === undefined) return []
  if (!isFields(value)) {
    report([], 'expected an object of names and types')
    return []
  }
  const taken = new Map<KeyColumn, string>()
  return Object.entries(value).flatMap(([name, item], index): readonly KeyIr[] => {
    const key = readKey(name, item, index, (message) => report([name], message))
    if (key === undefined) return []
    const other = taken.get(key.column)
    if (other !== undefined) {
      report([name], `'${name}' and '${other}' are both in column ${key.column}`)
      return []
    }
    taken.set(key.column, name)
    return [key]
  })
}

function readKey(
  name: string,
  item: unknown,
  index: number,
  report: (message: string) => void,
): KeyIr | undefined {
  const { type, column } = isFields(item) ? placed(item, report) : { type: item, column: index + 1 }
  const kind = KINDS.get(type)
  const known = COLUMNS.find((each) => each === column)
  if (!KEY_NAME.test(name)) report(`'${name}' is not a name of a key`)
  else if (kind === undefined)
    report(`the type of a key is ${[...KINDS.keys()].join(', ')}: '${name}' has none of them`)
  else if (known === undefined) report(`'${name}' is in none of the columns 1, 2 and 3`)
  else return { name, column: known, kind }
  return undefined
}

function placed(item: Fields, report: (message: string) => void): Fields {
  const unknown = Object.keys(item).find((key) => key !== 'type' && key !== 'column')
  if (unknown !== undefined) report(`unknown key '${unknown}'; known are type, column`)
  return item
}
