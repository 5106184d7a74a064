// Random values of package types for property tests, by the shapes of their codecs.
import type { Codec, Shape, Shaped } from './contract-codec.ts'
import type { Arbitrary, default as fastCheck } from 'fast-check'

type FastCheck = typeof fastCheck

/** Levels of types within themselves. */
const LEVELS = 4

/**
 * Arbitrary values of a codec's type, for the fast-check that is handed in.
 *
 * @example fc.assert(fc.property(valuesOf(fc, Iou.payload), (iou) => isFair(iou)))
 */
export function valuesOf<T>(fc: FastCheck, codec: Codec<T>): Arbitrary<T> {
  return jsonOf(fc, codec, LEVELS).map((json) => codec.decode(json))
}

/** Arbitrary values of a codec's type, as JSON of the ledger interface. */
export function jsonOf(fc: FastCheck, { shape }: Shaped, depth = LEVELS): Arbitrary<unknown> {
  const of = (part: Shaped, levels = depth - 1): Arbitrary<unknown> => jsonOf(fc, part, levels)
  switch (shape.kind) {
    case 'enum':
      return fc.constantFrom(...shape.names)
    case 'record':
      return fc.record(
        Object.fromEntries(shape.fields.map(([name, field]) => [name, of(field, depth)])),
      )
    case 'variant': {
      const cases = [...shape.cases].slice(0, depth <= 0 ? 1 : undefined)
      return fc.oneof(...cases.map(([tag, held]) => of(held).map((value) => ({ tag, value }))))
    }
    case 'optional':
      return depth <= 0 ? fc.constant(null) : fc.option(listedWithin(shape.of, of(shape.of)))
    case 'list':
      return depth <= 0 ? fc.constant([]) : fc.array(of(shape.of), { maxLength: 3 })
    case 'textMap':
      return depth <= 0
        ? fc.constant({})
        : fc.dictionary(textOf(fc), of(shape.of), {
            maxKeys: 3,
            noNullPrototype: true,
          })
    case 'map':
      return depth <= 0
        ? fc.constant([])
        : fc.uniqueArray(fc.tuple(of(shape.key), of(shape.value)), {
            maxLength: 3,
            selector: ([key]) => JSON.stringify(key),
          })
    default:
      return scalarOf(fc, shape)
  }
}

/** What could be `null` itself is in a list. */
function listedWithin({ shape }: Shaped, inner: Arbitrary<unknown>): Arbitrary<unknown> {
  return shape.kind === 'optional' ? inner.map((value) => (value === null ? [] : [value])) : inner
}

function scalarOf(fc: FastCheck, shape: Shape): Arbitrary<unknown> {
  switch (shape.kind) {
    case 'unit':
      return fc.constant({})
    case 'bool':
      return fc.boolean()
    case 'int':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
    case 'numeric':
      return numericOf(fc, shape.scale)
    case 'decimal':
      return numericOf(fc, 10)
    case 'party':
      return fc.stringMatching(/^[a-z]{1,9}::12[0-9a-f]{4}$/)
    case 'contractId':
      return fc.stringMatching(/^00[0-9a-f]{66}$/)
    case 'time':
      return fc
        .tuple(instantOf(fc), fc.integer({ min: 0, max: 999 }))
        .map(([one, micros]) => one.replace('Z', `${String(micros).padStart(3, '0')}Z`))
        .map((one) => one.replace('.000000Z', 'Z'))
    case 'date':
      return instantOf(fc).map((one) => one.slice(0, 10))
    default:
      return textOf(fc)
  }
}

function textOf(fc: FastCheck): Arbitrary<string> {
  return fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed() && !one.includes('\0'))
}

function numericOf(fc: FastCheck, scale: number): Arbitrary<string> {
  const limit = 10n ** 38n - 1n
  return fc.bigInt({ min: -limit, max: limit }).map((unscaled) => {
    const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
    const places = scale === 0 ? '' : `.${digits.slice(-scale)}`
    return `${unscaled < 0n ? '-' : ''}${scale === 0 ? digits : digits.slice(0, -scale)}${places}`
  })
}

function instantOf(fc: FastCheck): Arbitrary<string> {
  const [min, max] = [new Date('0001-01-01T00:00:00Z'), new Date('9999-12-31T00:00:00Z')]
  return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
}
