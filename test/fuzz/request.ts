// Puts a request together: what is asked, with values that make sense, and what is wrong with it.
import { ownerIn, sensible } from './sense.ts'
import type { Dice } from '../drive/dice.ts'
import type { Bank } from './bank.ts'
import { breakBytes, mutateValue, textOf } from './mutate.ts'
import { mutateWire } from './mutate-wire.ts'
import type { Wire } from './mutate-wire.ts'
import { RECIPES } from './recipes.ts'
import type { Kitchen } from './recipes.ts'
import { MEMBERS } from './surface.ts'
import type { Target } from './surface.ts'

export interface Made {
  readonly wire: Wire
  /** The JSON of the body as it was meant; undefined where it is none or was changed. */
  readonly body: unknown
  /** Ways in which it was made, for the report: `recipe, text, header`. */
  readonly how: string
  /** False where path or method may name another operation, or none. */
  readonly isSame: boolean
  /** It may break the framing, or take long: it needs a connection of its own. */
  readonly isWild: boolean
}

interface Draft {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly raw?: string
  readonly how: string
}

const FILLED = 0.8
const LARGE = 60_000
/** The head of a request may have 16 KiB; a refusal of a longer one closes the connection. */
const LONG = 6_000
/** They may wait for more to come. */
const STREAMS = /^ledger get(?:Updates|ActiveContracts|Completions)$/

/** A request of an operation; `header` is its Authorization. */
export function makeRequest(
  target: Target,
  header: string | undefined,
  bank: Bank,
  kitchen: Kitchen,
): Made {
  const { dice } = kitchen
  const draft = draftOf(target, bank, kitchen)
  const many = Number(dice.kind({ 0: 50, 1: 38, 2: 8, 3: 4 }))
  const body = bodyOf(target, draft, dice, many > 0 && dice.chance(0.6))
  const headers: (readonly [string, string])[] = [
    ...(header === undefined ? [] : [['authorization', header] as const]),
    ...(body.bytes === undefined ? [] : [['content-type', body.type] as const]),
  ]
  const text = targetText(target, draft)
  const start: Made = {
    wire: {
      method: target.operation.method,
      target: text,
      headers,
      ...(body.bytes === undefined ? {} : { body: body.bytes }),
    },
    body: body.isMeant ? draft.body : undefined,
    how: [draft.how, ...body.how].join(', '),
    // Such segments name another path.
    isSame: Object.values(draft.path).every((value) => !['', '.', '..'].includes(String(value))),
    isWild: STREAMS.test(target.name) || (body.bytes?.length ?? 0) > LARGE || text.length > LONG,
  }
  return Array.from({ length: Math.max(0, many - body.how.length) }).reduce<Made>(
    (made) => worse(made, dice),
    start,
  )
}

function draftOf(target: Target, bank: Bank, kitchen: Kitchen): Draft {
  const { dice } = kitchen
  const kind = dice.kind({ recipe: 5, valid: 3, flawed: 1, bare: 1 })
  const base = bank.take(target, kind === 'flawed' ? 'flawed' : 'valid', dice)
  const raw = base.body?.raw
  const drawn = {
    path: base.path,
    query: base.query,
    body: base.body?.value,
    how: kind,
    ...(raw === undefined ? {} : { raw }),
  }
  if (kind === 'flawed' || kind === 'bare') return drawn
  const filled = {
    ...drawn,
    path: filledParameters(target, base.path, kitchen),
    query: filledParameters(target, thinned(target, base.query, dice), kitchen),
    body: filledBody(base.body?.value, ownerIn(target.template), kitchen),
  }
  const dish = kind === 'recipe' ? RECIPES.get(target.name)?.(kitchen) : undefined
  if (dish === undefined) return { ...filled, how: 'valid' }
  return {
    ...filled,
    path: { ...filled.path, ...dish.path },
    query: dish.query ?? filled.query,
    body: dish.body ?? filled.body,
  }
}

/**
 * The query without most optional parameters: drawn requests have too many of them to be answered.
 */
function thinned({ optional }: Target, query: Draft['query'], dice: Dice): Draft['query'] {
  return Object.fromEntries(
    Object.entries(query).filter(([name]) => !optional.has(name) || dice.chance(0.4)),
  )
}

function filledParameters(
  { template }: Target,
  values: Draft['path'],
  { memory, dice, party }: Kitchen,
): Draft['path'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const owner = ownerIn(template, template.indexOf(`{${name}}`))
      return [
        name,
        dice.chance(FILLED)
          ? sensible(memory, { name, owner, value, party, mayBeNew: false }, dice)
          : value,
      ]
    }),
  )
}

function filledBody(value: unknown, owner: string, kitchen: Kitchen, name = ''): unknown {
  const { memory, dice, party } = kitchen
  if (value instanceof Uint8Array) return value
  if (Array.isArray(value))
    return value.map((item: unknown) => filledBody(item, owner, kitchen, name))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        filledBody(item, name === '' ? owner : name, kitchen, key),
      ]),
    )
  }
  if (value === null || value === undefined || typeof value === 'boolean' || !dice.chance(FILLED))
    return value
  return sensible(memory, { name, owner, value, party, mayBeNew: true }, dice)
}

interface BodyBytes {
  readonly bytes: Buffer | undefined
  readonly type: string
  readonly how: readonly string[]
  readonly isMeant: boolean
}

function bodyOf(
  { operation }: Target,
  { body, raw }: Draft,
  dice: Dice,
  isWrong: boolean,
): BodyBytes {
  const type = operation.body?.media[0]?.mediaType ?? 'application/json'
  if (raw !== undefined) return { bytes: Buffer.from(raw), type, how: [], isMeant: false }
  if (body === undefined) return { bytes: undefined, type, how: [], isMeant: false }
  if (body instanceof Uint8Array) {
    const bytes = Buffer.from(body)
    if (!isWrong) return { bytes, type, how: [], isMeant: true }
    const broken = breakBytes(bytes, dice)
    return { bytes: broken.body, type, how: [broken.name], isMeant: false }
  }
  if (!isWrong) return { bytes: Buffer.from(textOf(body)), type, how: [], isMeant: true }
  const { name, text } = mutateValue(body, MEMBERS, dice)
  return { bytes: Buffer.from(text), type, how: [name], isMeant: false }
}

/** The request with one more thing wrong, around the body or in its bytes. */
function worse(made: Made, dice: Dice): Made {
  const { body } = made.wire
  // A body in chunks that breaks off is waited for.
  if (body !== undefined && !made.how.endsWith('chunked') && dice.chance(0.4)) {
    const { name, body: broken, headers = [] } = breakBytes(body, dice)
    const wire = { ...made.wire, body: broken, headers: [...made.wire.headers, ...headers] }
    return {
      ...made,
      wire,
      body: undefined,
      how: `${made.how}, ${name}`,
      isWild: made.isWild || headers.length > 0,
    }
  }
  const { name, wire, isSame } = mutateWire(made.wire, dice)
  return {
    ...made,
    wire,
    body: undefined,
    how: `${made.how}, ${name}`,
    isSame: made.isSame && isSame,
    isWild: true,
  }
}

function targetText({ template }: Target, { path, query }: Draft): string {
  const inPath = template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    encoded(path[name] ?? 'x'),
  )
  const parts = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${encoded(name)}=${encoded(one)}`),
  )
  return parts.length === 0 ? inPath : `${inPath}?${parts.join('&')}`
}

function encoded(value: unknown): string {
  return encodeURIComponent(String(value).toWellFormed())
}
