// Prints numbers and texts as calls of the combinators in arbitrary.gen.ts.
import type { KeywordType } from '../keywords/keyword.ts'
import { keywords } from '../keywords/table.ts'
import { keywordValue } from '../keywords/values.ts'
import type { Keys } from './arbitraries-merge.ts'
import { literal } from '../literals.ts'

type Options = readonly (readonly [string, unknown])[]

/** The limits of a type as its combinator's options; those that limit nothing are left out. */
export function limitsOf(keys: Keys, type: KeywordType): Options {
  return OPTIONS.filter(([, { of }]) => of === type).flatMap(([name, { option = '', idle }]) => {
    const value = keywordValue(keys, name)
    return value === undefined || value === idle ? [] : [[option, value] as const]
  })
}

const OPTIONS = keywords(({ option }) => option !== undefined)

/** A call with an options object, which is left out when it is empty. */
export function withOptions(name: string, options: Options, ...leading: readonly string[]): string {
  const given = options
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${literal(value)}`)
  return `${name}(${[...leading, ...(given.length === 0 ? [] : [`{ ${given.join(', ')} }`])].join(', ')})`
}

export function wholeKind(keys: Keys): string {
  const isLong = keys.format === 'int64'
  const as = (limit: number | bigint | undefined): number | bigint | undefined => {
    if (limit === undefined) return undefined
    return isLong ? BigInt(limit) : Number(limit)
  }
  const [low, high] = [lowest(keys), highest(keys)]
  return withOptions(isLong ? 'long' : 'integer', [
    ['int32', keys.format === 'int32' ? true : undefined],
    ['min', as(low)],
    ['max', as(high)],
    ['multipleOf', Number.isInteger(keys.multipleOf) ? as(keys.multipleOf) : undefined],
  ])
}

function lowest({ minimum, exclusiveMinimum }: Keys): number | bigint | undefined {
  const limits = [
    up(minimum),
    exclusiveMinimum === undefined ? undefined : BigInt(Math.floor(Number(exclusiveMinimum))) + 1n,
  ]
  return limits.reduce(
    (most, one) => (most === undefined || (one !== undefined && one > most) ? one : most),
    undefined,
  )
}

function highest({ maximum, exclusiveMaximum }: Keys): number | bigint | undefined {
  const limits = [
    down(maximum),
    exclusiveMaximum === undefined ? undefined : BigInt(Math.ceil(Number(exclusiveMaximum))) - 1n,
  ]
  return limits.reduce(
    (least, one) => (least === undefined || (one !== undefined && one < least) ? one : least),
    undefined,
  )
}

function up(limit: number | bigint | undefined): bigint | undefined {
  return limit === undefined
    ? undefined
    : typeof limit === 'bigint'
      ? limit
      : BigInt(Math.ceil(limit))
}

function down(limit: number | bigint | undefined): bigint | undefined {
  return limit === undefined
    ? undefined
    : typeof limit === 'bigint'
      ? limit
      : BigInt(Math.floor(limit))
}

export function realKind(keys: Keys): string {
  return withOptions('real', [
    ...limitsOf(keys, 'number').map(([name, value]) => [name, Number(value)] as const),
    ['decimal', keys.format === 'decimal' ? true : undefined],
  ])
}

const TEXT_FORMATS = new Set([
  'date-time',
  'date',
  'uuid',
  'uri',
  'email',
  'byte',
  'decimal',
  'readable',
])

export function textKind(isForm: boolean, keys: Keys): string {
  if (isForm && keys.format === 'binary') return 'bytes()'
  const examples = (keys.examples ?? []).filter((example) => typeof example === 'string')
  const format = keys.contentEncoding === 'base64' ? 'byte' : keys.format
  return withOptions('text', [
    ...limitsOf(keys, 'string'),
    ['format', format !== undefined && TEXT_FORMATS.has(format) ? format : undefined],
    ['examples', examples.length === 0 ? undefined : examples],
  ])
}
