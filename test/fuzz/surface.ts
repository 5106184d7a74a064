// Everything that can be asked: the operations of the four interfaces, from the generated route
// tables and arbitraries.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { arbitraries as ledgerDraws } from '../../generated/ledger/arbitraries.gen.ts'
import { wire as ledger } from '../../generated/ledger/routes.gen.ts'
import { arbitraries as registryDraws } from '../../generated/registry/arbitraries.gen.ts'
import { wire as registry } from '../../generated/registry/routes.gen.ts'
import { arbitraries as scanDraws } from '../../generated/scan/arbitraries.gen.ts'
import { wire as scan } from '../../generated/scan/routes.gen.ts'
import { arbitraries as validatorDraws } from '../../generated/validator/arbitraries.gen.ts'
import { wire as validator } from '../../generated/validator/routes.gen.ts'
import { member } from '../../runtime/host/member.ts'
import type { WireInterface, WireOperation } from '../../runtime/http/index.ts'
import type { FlawedCase, OperationFacts, RequestCase } from '../../runtime/testing/conform.ts'
import { parametersOf } from '../support/examples.ts'
import type { Arbitrary } from 'fast-check'

const NAMES = ['ledger', 'validator', 'scan', 'registry'] as const

export type InterfaceName = (typeof NAMES)[number]

const DOCUMENTS: ReadonlyMap<string, unknown> = new Map(
  NAMES.map((name) => [
    name,
    JSON.parse(
      readFileSync(new URL(`../../generated/${name}/openapi.json`, import.meta.url), 'utf8'),
    ),
  ]),
)

/** Names of members that any document has, once each. */
export const MEMBERS: readonly string[] = [
  ...new Set([...DOCUMENTS.values()].flatMap(membersIn)),
].sort()

function membersIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const properties = member(value, 'properties')
  const own = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return [...own, ...Object.values(value).flatMap(membersIn)]
}

/** Callers that are let in, so that a fuzz gets deep now and then. */
export type Audience =
  | 'everybody'
  | 'subject'
  | 'user'
  | 'actor'
  | 'executor'
  | 'admin'
  | 'participant-admin'
  | 'wallet-user'
  | 'operator'

export interface Target {
  /** `ledger createUser`: ids of operations are unique within an interface only. */
  readonly name: string
  readonly interface: InterfaceName
  /** The template with its mount. */
  readonly template: string
  readonly operation: WireOperation
  /** Names of parameters that may be left out. */
  readonly optional: ReadonlySet<string>
  /** The same for the conformance checks. */
  readonly facts: OperationFacts
  readonly audience: Audience
}

interface Draws {
  readonly valid: Arbitrary<RequestCase>
  readonly flawed: Arbitrary<FlawedCase> | undefined
}

/** All operations that are served. */
export function loadSurface(): readonly Target[] {
  return [
    ...targetsOf('ledger', ledger, ledgerDraws(fc).operations),
    ...targetsOf('validator', validator, validatorDraws(fc).operations),
    ...targetsOf('scan', scan, scanDraws(fc).operations),
    ...targetsOf('registry', registry, registryDraws(fc).operations),
  ]
}

function targetsOf(
  name: InterfaceName,
  wire: WireInterface,
  draws: Readonly<Record<string, Draws>>,
): readonly Target[] {
  return wire.operations.map((operation) => {
    const drawn = draws[operation.operationId]
    if (drawn === undefined)
      throw new Error(`there are no arbitraries for ${operation.operationId}`)
    return {
      name: `${name} ${operation.operationId}`,
      interface: name,
      template: wire.mount + operation.path,
      operation,
      facts: factsOf(operation, drawn),
      audience: audienceOf(operation),
      optional: new Set(
        parametersOf(operation, DOCUMENTS.get(name)).flatMap((one) =>
          one.required ? [] : [one.name],
        ),
      ),
    }
  })
}

function factsOf(
  { operationId, method, path, responses, security }: WireOperation,
  { valid, flawed }: Draws,
): OperationFacts {
  return {
    operationId,
    method,
    path,
    security,
    draws: () => ({ valid, flawed, impossible: [] }),
    parameters: [],
    refuses: [],
    decode: () => undefined,
    responses: responses.map(({ status, media }) => ({ status, media, headers: [], links: [] })),
  }
}

function audienceOf({ access }: WireOperation): Audience {
  const token = member(access, 'token')
  if (token !== 'required') return token === 'subject' ? 'subject' : 'everybody'
  const rules = rulesOf(member(access, 'anyOf'))
  const needs = rulesOf(member(access, 'allOf'))
  if (needs.some((rule) => member(rule, 'act-as') !== undefined)) return 'actor'
  if (needs.some((rule) => member(rule, 'execute-as') !== undefined)) return 'executor'
  if (rules.includes('validator-operator')) return 'operator'
  if (rules.includes('wallet-user')) return 'wallet-user'
  if (!rules.includes('admin')) return 'user'
  return rules.length === 1 ? 'participant-admin' : 'admin'
}

function rulesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** True where nobody gets a success without a valid token. */
export function demandsToken({ audience }: Target): boolean {
  return audience !== 'everybody'
}
