// Prints a YAML catalogue (error codes, wire names) as constants: each top-level key becomes one,
// typed to the letter.
import { isFields, sortedEntries, sortDeep } from '../values.ts'
import type { Fields } from '../values.ts'
import { literal, propertyKey } from '../literals.ts'
import { pascal } from './names.ts'

/** Text of a catalogue file, without marker. Keys come sorted. */
export function printCatalogue(data: Fields): string {
  return sortedEntries(data)
    .filter(([key]) => propertyKey(key) === key)
    .map(([key, value]) => printConstant(key, value))
    .join('\n')
}

function printConstant(key: string, value: unknown): string {
  const constant = `export const ${key} = ${printValue(sortDeep(value), '')} as const\n`
  return isFields(value)
    ? `${constant}\nexport type ${pascal(key)}Key = keyof typeof ${key}\n`
    : constant
}

/** One line a member on the two outer levels, literals below. */
function printValue(value: unknown, pad: string): string {
  if (!isFields(value) || pad.length >= 2 || Object.keys(value).length === 0) return literal(value)
  const members = Object.entries(value).map(
    ([key, item]) => `${pad}  ${propertyKey(key)}: ${printValue(item, `${pad}  `)},\n`,
  )
  return `{\n${members.join('')}${pad}}`
}
