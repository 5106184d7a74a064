// Text, as a sequence of code points, and parties, which are texts of a narrow alphabet.
import { EvaluationError } from '../values/failure.ts'
import { isCodePoint } from '../values/text.ts'
import { listOf, NONE, some } from '../values/value.ts'
import { integer, list, text } from './arguments.ts'
import type { Meter } from '../values/meter.ts'
import type { Value } from '../values/value.ts'

const PARTY = /^[a-zA-Z0-9:\-_ ]{1,255}$/
const CONS_CELLS = 3
/** Steps that a character is worth that becomes an element of a list. */
const CHARACTER_STEPS = 4
/** Characters in a cell. */
const CELL_CHARACTERS = 8

export const textFunctions = {
  APPEND_TEXT: (meter: Meter, first: Value, second: Value) => {
    const [a, b] = [text(first), text(second)]
    meter.allocate(cellsOf(a.length + b.length))
    return a + b
  },
  EXPLODE_TEXT: (meter: Meter, value: Value) => {
    const given = text(value)
    spend(meter, given)
    return listOf([...given])
  },
  IMPLODE_TEXT: (meter: Meter, value: Value) => {
    const parts: string[] = []
    for (let rest = list(value); rest !== null; rest = rest.tail) {
      const part = text(rest.head)
      meter.work(1)
      meter.allocate(cellsOf(part.length))
      parts.push(part)
    }
    return parts.join('')
  },
  TEXT_TO_CODE_POINTS: (meter: Meter, value: Value) => {
    const given = text(value)
    spend(meter, given)
    return listOf(Array.from(given, (character) => BigInt(character.codePointAt(0) ?? 0)))
  },
  CODE_POINTS_TO_TEXT: (meter: Meter, value: Value) => {
    const parts: string[] = []
    for (let rest = list(value); rest !== null; rest = rest.tail) {
      meter.work(1)
      parts.push(characterOf(integer(rest.head)))
    }
    meter.allocate(cellsOf(parts.length))
    return parts.join('')
  },
  PARTY_TO_TEXT: (_: Meter, party: Value) => text(party),
  TEXT_TO_PARTY: (_: Meter, value: Value) => {
    const given = text(value)
    return PARTY.test(given) ? some(given) : NONE
  },
  COERCE_CONTRACT_ID: (_: Meter, contractId: Value) => text(contractId),
  CONTRACT_ID_TO_TEXT: () => NONE,
}

function characterOf(codePoint: bigint): string {
  if (isCodePoint(codePoint)) return String.fromCodePoint(Number(codePoint))
  const message = `invalid code point 0x${codePoint.toString(16)}.`
  throw new EvaluationError({ kind: 'error', message })
}

/** The work of taking a text apart. */
function spend(meter: Meter, given: string): void {
  meter.work(CHARACTER_STEPS * given.length)
  meter.allocate(CONS_CELLS * given.length)
}

function cellsOf(characters: number): number {
  return 1 + Math.ceil(characters / CELL_CHARACTERS)
}
