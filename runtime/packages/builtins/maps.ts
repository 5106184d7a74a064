// Maps with text as keys, and maps with anything that can be compared.
import { insert, lookUp, remove } from '../values/map.ts'
import { listOf, NONE, some, Struct } from '../values/value.ts'
import { map } from './arguments.ts'
import type { Meter } from '../values/meter.ts'
import type { Value, ValueMap } from '../values/value.ts'

const ENTRY_NAMES = ['key', 'value']
const ENTRY_CELLS = 8

export const mapFunctions = {
  GENMAP_INSERT: inserting,
  GENMAP_LOOKUP: lookingUp,
  GENMAP_DELETE: deleting,
  GENMAP_KEYS: (meter: Meter, given: Value) => listed(meter, map(given), ({ key }) => key),
  GENMAP_VALUES: (meter: Meter, given: Value) => listed(meter, map(given), ({ value }) => value),
  GENMAP_SIZE: sizeOf,
  TEXTMAP_INSERT: inserting,
  TEXTMAP_LOOKUP: lookingUp,
  TEXTMAP_DELETE: deleting,
  TEXTMAP_TO_LIST: (meter: Meter, given: Value) =>
    listed(meter, map(given), ({ key, value }) => new Struct(ENTRY_NAMES, [key, value])),
  TEXTMAP_SIZE: sizeOf,
}

function inserting(meter: Meter, key: Value, value: Value, given: Value): Value {
  return insert(map(given), key, value, meter)
}

function lookingUp(meter: Meter, key: Value, given: Value): Value {
  const entry = lookUp(map(given), key, meter)
  return entry === undefined ? NONE : some(entry.value)
}

function deleting(meter: Meter, key: Value, given: Value): Value {
  return remove(map(given), key, meter)
}

function sizeOf(_: Meter, given: Value): Value {
  return BigInt(map(given).size)
}

function listed(
  meter: Meter,
  given: ValueMap,
  of: (entry: { readonly key: Value; readonly value: Value }) => Value,
): Value {
  meter.work(given.size)
  meter.allocate(ENTRY_CELLS * given.size)
  return listOf(given.entries().map(of))
}
