// What a planted fault is, and the words that several of them use.
import type { Call, Complaint, Hooks, Reply } from '../call.ts'
import { isFields } from '../exact-json.ts'
import type { Fields } from '../exact-json.ts'

/** The checks of docs/decisions/0005-conformance.md. */
export const CHECKS = [
  'not-a-server-error',
  'status',
  'content-type',
  'response-headers',
  'response-body',
  'flawed-refused',
  'valid-accepted',
  'missing-header-refused',
  'unsupported-method',
  'allow-header',
  'use-after-delete',
  'created-is-there',
  'authentication',
  'response-time',
] as const

export type CheckName = (typeof CHECKS)[number]

export interface Fault {
  readonly name: string
  readonly check: CheckName
  /** Names the operations that show it, where it is not about all of a path. */
  readonly sentence: string
  /** Made anew for each server, so that what a fault remembers is its own. */
  readonly hooks: () => Hooks
}

type Line = readonly [name: string, sentence: string, hooks: Hooks | (() => Hooks)]

/** A list of faults of one check, from a line each. */
export function faultsOf(check: CheckName, lines: readonly Line[]): readonly Fault[] {
  return lines.map(([name, sentence, hooks]) => {
    return { name, check, sentence, hooks: typeof hooks === 'function' ? hooks : () => hooks }
  })
}

/** Changes the answers of one operation that have `status`. */
export function onAnswer(
  operationId: string,
  status: number,
  change: (reply: Reply, call: Call) => Reply,
): Hooks {
  return {
    after: (call, reply) =>
      call.operationId === operationId && reply.status === status ? change(reply, call) : reply,
  }
}

/** Changes the JSON object in the answers of one operation that have `status`. */
export function onBody(
  operationId: string,
  status: number,
  change: (value: Fields, call: Call) => unknown,
): Hooks {
  return onAnswer(operationId, status, (reply, call) => {
    return isFields(reply.json) ? { ...reply, json: change(reply.json, call) } : reply
  })
}

/** Answers in place of one operation where `holds`. */
export function insteadOf(
  operationId: string,
  holds: (call: Call) => boolean,
  reply: Reply,
): Hooks {
  return {
    instead: (call) => (call.operationId === operationId && holds(call) ? reply : undefined),
  }
}

/** Lets the complaints of one operation pass that have `rule` at `pointer`. */
export function overlooking(operationId: string, rule: string, pointer: string): Hooks {
  const isIt = (one: Complaint): boolean =>
    one.rule === rule && (one.pointer === pointer || pointer === '*')
  return { tolerates: (call, complaint) => call.operationId === operationId && isIt(complaint) }
}

/** An answer without one of its headers. */
export function withoutHeader({ headers, ...reply }: Reply, name: string): Reply {
  return {
    ...reply,
    headers: Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)),
  }
}

/** A member of the request's body. */
export function sent({ body }: Call, name: string): unknown {
  return isFields(body) ? body[name] : undefined
}

/** An unhandled exception as it looks from outside. */
export const CRASH: Reply = {
  status: 500,
  headers: {},
  text: 'TypeError: undefined is not a function',
}
