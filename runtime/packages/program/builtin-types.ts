// The types that are part of the language: number in an archive, name, and what they are of: types,
// or a number.

const table = [
  [0, 'Unit', []],
  [1, 'Bool', []],
  [2, 'Int64', []],
  [3, 'Date', []],
  [4, 'Timestamp', []],
  [5, 'Numeric', ['nat']],
  [6, 'Party', []],
  [7, 'Text', []],
  [8, 'ContractId', ['star']],
  [9, 'Optional', ['star']],
  [10, 'List', ['star']],
  [11, 'GenMap', ['star', 'star']],
  [13, 'Any', []],
  [14, 'AnyException', []],
  [15, 'TypeRep', []],
  [16, 'Arrow', ['star', 'star']],
  [17, 'Update', ['star']],
  [18, 'FailureCategory', []],
  [19, 'TextMap', ['star']],
] as const

export type BuiltinTypeName = (typeof table)[number][1]

/** Types by number. */
export const builtinTypes: ReadonlyMap<number, BuiltinTypeName> = new Map(
  table.map(([number, name]) => [number, name]),
)

/** Types by name, with the kinds of what they are of. */
export const builtinTypeParameters: ReadonlyMap<BuiltinTypeName, readonly ('star' | 'nat')[]> =
  new Map(table.map(([, name, parameters]) => [name, parameters]))
