// Whether an answer is one that the documents allow, whatever was asked: never a server error, a
// documented status and body, nothing of the inside, and no success for who cannot be let in.
import { parseExact } from '../../generated/support.gen.ts'
import { examine } from '../../runtime/testing/conform/answer-checks.ts'
import type { Answer } from '../../runtime/testing/conform/sender.ts'
import type { Caller } from './callers.ts'
import type { Wire } from './mutate-wire.ts'
import { demandsToken } from './surface.ts'
import type { Target } from './surface.ts'

export interface Asked {
  /** Undefined where path or method were changed. */
  readonly target: Target | undefined
  readonly caller: Caller
  readonly wire: Wire
}

export interface Fault {
  /** Faults of one cause are shown once. */
  readonly cause: string
  readonly sentence: string
}

export interface Judgement {
  /** The JSON of the answer, where it has any. */
  readonly value: unknown
  readonly faults: readonly Fault[]
  /** The reason why a 5xx is right. */
  readonly excuse?: string
}

interface Excuse {
  readonly reason: string
  readonly status: number
  readonly text: RegExp
  readonly target: RegExp
}

/** Every 5xx that is documented and that a fuzz may bring about. */
export const EXCUSES: readonly Excuse[] = [
  {
    reason:
      'the operator may take a round in flight between synchronizers; until it is assigned again there is none (docs/differences.md)',
    status: 503,
    text: /None of the rounds are open|There are no mining rounds/,
    target: /^(validator|scan) /,
  },
]

/** Statuses of the dispatcher itself, which `default` of each operation declares. */
const OF_DISPATCHER = new Set([405, 408, 413, 414, 415, 417, 431])
/** The dispatcher, too, where the request names another server. */
const FOREIGN = /or of a page that is not its own, by its header /
/** Answers where no operation was found, or to what is no HTTP. */
const OF_NO_OPERATION = new Set([
  200, 204, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 408, 409, 412, 413, 414, 415, 417,
  429, 431,
])

/** Words that only the inside knows, unless the request has said them. */
const INSIDES: readonly RegExp[] = [
  /\b(?:Type|Range|Reference|Syntax|Assertion)Error\b/,
  /Cannot (?:read|set) propert|is not a function|is not iterable|is not defined|Maximum call stack/,
  /node_modules|\bnode:[a-z]+|\/(?:runtime|plugins|generated|codegen)\/|\.ts:\d+/,
  /\[object \w+\]|\bundefined\b|\bNaN\b/,
  /\bknex\b|better-sqlite|\bsqlite3?\b/i,
  /the index (?:'s )?row|no such (?:table|column)|UNIQUE constraint/i,
]

export function judge({ target, caller, wire }: Asked, answer: Answer): Judgement {
  const text = answer.status >= 400 ? answer.body.toString('utf8') : ''
  const leak = text === '' ? undefined : leakIn(text, wire)
  const leaks =
    leak === undefined
      ? []
      : [fault(target, answer.status, 'inside', `the body shows ${JSON.stringify(leak)}`)]
  // Only what never got to an operation bears no trace.
  const isOfSocket =
    !answer.headers.has('traceparent') && answer.status >= 400 && answer.status < 500
  if (target === undefined || isOfSocket)
    return { value: undefined, faults: [...leaks, ...withoutOperation(answer)] }
  const excuse = EXCUSES.find(
    (one) => one.status === answer.status && one.text.test(text) && one.target.test(target.name),
  )?.reason
  const rules = {
    maxResponseMs: undefined,
    isAllowed: () => excuse !== undefined,
    parse: parseExact,
  }
  const { value, complaints } = examine(target.facts, answer, rules)
  const faults = complaints.map(({ check, sentence }) =>
    fault(target, answer.status, check, sentence),
  )
  const isIn = answer.status < 300 && !caller.isValid && demandsToken(target)
  return {
    value,
    ...(excuse === undefined ? {} : { excuse }),
    faults: [
      ...faults,
      ...leaks,
      ...(isDeclared(target, answer.status) || FOREIGN.test(text)
        ? []
        : [fault(target, answer.status, 'status', `${answer.status} is declared by default only`)]),
      ...(isIn
        ? [
            fault(
              target,
              answer.status,
              'authentication',
              `a success for a caller with the token "${caller.name}"`,
            ),
          ]
        : []),
    ],
  }
}

function fault(target: Target | undefined, status: number, check: string, sentence: string): Fault {
  const plain = sentence
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/[0-9a-f]{8,}|\d+/gi, '#')
    .slice(0, 160)
  return {
    cause: `${target?.name ?? 'no operation'} ${check} ${status} ${plain}`,
    sentence: `${check}: ${sentence}`,
  }
}

/**
 * The ledger's documents say what every status looks like by `default`; the others name each.
 * docs/ledger-rules.md, "Errors"
 */
function isDeclared(
  { interface: name, operation: { responses } }: Target,
  status: number,
): boolean {
  if (name === 'ledger' || OF_DISPATCHER.has(status)) return true
  return responses.some((response) => response.status === String(status))
}

function withoutOperation(answer: Answer): readonly Fault[] {
  const { status, headers } = answer
  if (!OF_NO_OPERATION.has(status))
    return [
      fault(
        undefined,
        status,
        'status',
        `the status is ${status}: ${answer.body.toString('utf8').slice(0, 100)}`,
      ),
    ]
  if (status === 405 && headers.get('allow') === undefined)
    return [fault(undefined, status, 'allow', 'there is no header Allow')]
  return []
}

function leakIn(text: string, { target, body, headers }: Wire): string | undefined {
  for (const pattern of INSIDES) {
    const found = pattern.exec(text)?.[0]
    if (found === undefined) continue
    const said = `${target} ${body?.toString('utf8') ?? ''} ${headers.flat().join(' ')}`
    if (!said.includes(found))
      return text.slice(Math.max(0, text.indexOf(found) - 40), text.indexOf(found) + 60)
  }
  return undefined
}
