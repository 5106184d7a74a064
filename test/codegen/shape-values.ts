// Random JSON for the shape of a codec.
import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { Shaped } from '../../codegen/emit/support/contract-codec.ts'

const int = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)

function numeric(scale: number): Arbitrary<string> {
  const limit = 10n ** 38n - 1n
  return fc.bigInt({ min: -limit, max: limit }).map((unscaled) => {
    const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
    const places = scale === 0 ? '' : `.${digits.slice(-scale)}`
    return `${unscaled < 0n ? '-' : ''}${scale === 0 ? digits : digits.slice(0, -scale)}${places}`
  })
}

const instant = fc
  .date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString())
const contractId = fc
  .uint8Array({ minLength: 33, maxLength: 40 })
  .map((bytes) => `00${Buffer.from(bytes).toString('hex')}`)
const text = fc
  .string({ unit: 'binary' })
  .filter((one) => one.isWellFormed() && !one.includes('\0'))
const SCALARS = {
  unit: fc.constant({}),
  bool: fc.boolean(),
  int,
  decimal: numeric(10),
  text,
  party: fc.stringMatching(/^[a-z]{1,9}::12[0-9a-f]{4}$/),
  contractId,
  time: instant.map((one) => one.replace(/\.000Z$/, 'Z')),
  date: instant.map((one) => one.slice(0, 10)),
}

/** Values of a codec's type; types within themselves end after some levels. */
export function jsonOf({ shape }: Shaped, depth = 4): Arbitrary<unknown> {
  switch (shape.kind) {
    case 'numeric':
      return numeric(shape.scale)
    case 'enum':
      return fc.constantFrom(...shape.names)
    case 'record':
      return fc.record(
        Object.fromEntries(shape.fields.map(([name, of]) => [name, jsonOf(of, depth)])),
      )
    case 'variant': {
      const cases = [...shape.cases].slice(0, depth <= 0 ? 1 : undefined)
      return fc.oneof(
        ...cases.map(([tag, of]) => jsonOf(of, depth - 1).map((value) => ({ tag, value }))),
      )
    }
    case 'optional':
      return optionalOf(shape.of, depth)
    case 'list':
      return depth <= 0 ? fc.constant([]) : fc.array(jsonOf(shape.of, depth - 1), { maxLength: 3 })
    case 'textMap':
      return depth <= 0
        ? fc.constant({})
        : fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), jsonOf(shape.of, depth - 1), {
            maxKeys: 3,
            noNullPrototype: true,
          })
    case 'map':
      return depth <= 0
        ? fc.constant([])
        : fc.uniqueArray(fc.tuple(jsonOf(shape.key, depth - 1), jsonOf(shape.value, depth - 1)), {
            maxLength: 3,
            selector: ([key]) => JSON.stringify(key),
          })
    default:
      return SCALARS[shape.kind]
  }
}

/** What could be `null` itself is in a list. */
function optionalOf(of: Shaped, depth: number): Arbitrary<unknown> {
  if (depth <= 0) return fc.constant(null)
  const inner = jsonOf(of, depth - 1)
  return fc.option(
    of.shape.kind === 'optional' ? inner.map((value) => (value === null ? [] : [value])) : inner,
  )
}
