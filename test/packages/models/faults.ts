// Faults of the product, all put into the sources at once behind a switch: a process that loads
// them this way has one fault at a time, or none. Nothing of the product may be loaded before.
import { registerHooks } from 'node:module'
import { editedBy } from '../../support/source-edit.ts'
import type { Edit } from '../../support/source-edit.ts'
import type { Rule } from './judge.ts'

export interface Fault extends Edit {
  readonly id: string
  readonly what: string
  /** The rules of which one must find it. */
  readonly foundBy: readonly Rule[]
}

const SWITCH = 'plantedFault'
const isOn = (id: string): string => `(Reflect.get(globalThis, '${SWITCH}') === '${id}')`

const INTERPRETER = 'runtime/engine/interpreter.ts'
const TEMPLATES = 'runtime/packages/templates/package-template.ts'
const EVENTS = 'runtime/interfaces/ledger/projection/events.ts'

/** A fault that has an expression be another one. */
function fault(
  [id, what, ...foundBy]: readonly [id: string, what: string, ...foundBy: readonly Rule[]],
  file: string,
  [search, instead]: readonly [search: string, instead: (isOn: string, original: string) => string],
): Fault {
  return { id, what, foundBy, file, search, replacement: instead(isOn(id), search) }
}

export const FAULTS: readonly Fault[] = [
  fault(
    ['unchecked-exercise', 'choices are exercised without authority', 'authority', 'refusal'],
    INTERPRETER,
    [
      'this.#authorise(controllers, () => `exercise of ${exercise.name}`)',
      (on, original) => `if (!${on}) ${original}`,
    ],
  ),
  fault(
    ['unchecked-create', 'contracts are created without authority', 'authority', 'refusal'],
    INTERPRETER,
    [
      'this.#authorise(contract.signatories, () => `create of ${template.type.name}`)',
      (on, original) => `if (!${on}) ${original}`,
    ],
  ),
  fault(
    [
      'inherited-authority',
      'a choice has the authority of those around it',
      'authority',
      'refusal',
    ],
    INTERPRETER,
    [
      'const authorisers = union(contract.signatories, controllers)',
      (on) =>
        `const authorisers = union(contract.signatories, controllers, ${on} ? parent.authorisers : [])`,
    ],
  ),
  fault(
    [
      'wrong-actors',
      'a choice of an interface is its contract’s signatories’',
      'actors',
      'refusal',
    ],
    TEMPLATES,
    [
      'demandSigned(payload, runner.parties(controllers, [selfOf(payload), given]))',
      (on, original) =>
        `${on} && interfaceId !== undefined ? template.rules.signatories(payload) : ${original}`,
    ],
  ),
  fault(['one-actor', 'one of several actors is enough', 'actors'], INTERPRETER, [
    'controllers: distinct(rules.controllers(payload, argument))',
    (on, original) => `${original}.slice(0, ${on} ? 1 : Infinity)`,
  ]),
  fault(['unchecked-fetch', 'anybody’s contracts are fetched', 'refusal'], INTERPRETER, [
    'if (meets(signatories, authorisers) || meets(observers, authorisers)) return contract',
    (on, original) => `if (${on}) return contract; ${original}`,
  ]),
  fault(
    ['unseen', 'contracts are used by who does not see them', 'refusal'],
    'runtime/engine/lookup.ts',
    [
      'meets(parties, signatories) || meets(parties, observers) || disclosed.has(contractId)',
      (on, original) => `${on} || ${original}`,
    ],
  ),
  fault(['spent-twice', 'what is archived goes on', 'spent', 'active', 'supply'], INTERPRETER, [
    'if (consuming) this.archived.add(contract.contractId)',
    (on) => `if (consuming && !${on}) this.archived.add(contract.contractId)`,
  ]),
  fault(['kept-undone', 'what an exception undid stays', 'undone'], INTERPRETER, [
    'const undone = this.#events.splice(events)',
    (on, original) => original.replace('(events)', `(${on} ? Infinity : events)`),
  ]),
  fault(['observer-lost', 'contracts have no observers', 'stakeholders'], TEMPLATES, [
    'observers: (payload) => runner.parties(observers, [payload])',
    (on) => `observers: (payload) => ${on} ? [] : runner.parties(observers, [payload])`,
  ]),
  fault(['observers-sign', 'who sees a contract signs it', 'stakeholders', 'refusal'], TEMPLATES, [
    'signatories: (payload) => runner.parties(signatories, [payload])',
    (on) =>
      `signatories: (payload) => [...runner.parties(signatories, [payload]), ...(${on} ? runner.parties(observers, [payload]) : [])]`,
  ]),
  fault(['choice-observer-lost', 'choices have no observers', 'witnesses'], INTERPRETER, [
    'observers: rules.observers?.(payload, argument) ?? []',
    (on) => `observers: ${on} ? [] : rules.observers?.(payload, argument) ?? []`,
  ]),
  fault(
    ['parent-hidden', 'who sees a choice does not see what it does', 'witnesses'],
    INTERPRETER,
    [
      'union(this.#frame.witnesses, contract.signatories, contract.observers)',
      (on) => `union(${on} ? [] : this.#frame.witnesses, contract.signatories, contract.observers)`,
    ],
  ),
  fault(['observers-told', 'observers see choices that change nothing', 'witnesses'], INTERPRETER, [
    'consuming ? contract.observers : []',
    (on) => `consuming || ${on} ? contract.observers : []`,
  ]),
  fault(['all-effects', 'everybody sees the whole tree', 'effects', 'witnesses'], EVENTS, [
    'const witnesses = view.filter.named(event.witnesses)',
    (on) =>
      `const witnesses = view.filter.named(${on} ? events.flatMap((each) => each.witnesses) : event.witnesses)`,
  ]),
  fault(['divulged', 'what was seen once is shown as a change of one’s own', 'delta'], EVENTS, [
    'const witnesses = view.filter.named(stakeholdersOf(event)) const extras',
    (on) =>
      `const witnesses = view.filter.named(${on} ? event.witnesses : stakeholdersOf(event)); const extras`,
  ]),
  fault(
    ['contracts-of-others', 'a contract is shown to who names it', 'contract'],
    'runtime/interfaces/ledger/contract-handlers.ts',
    [
      'if (state === undefined || witnesses.length === 0)',
      (on) => `if (state === undefined || (witnesses.length === 0 && !${on}))`,
    ],
  ),
  fault(
    ['blob-of-others', 'the event of a creation is shown to who names its contract', 'contract'],
    'runtime/interfaces/ledger/streams/active-contracts.ts',
    [
      'const witnesses = filter.named(contractStakeholders(contract))',
      (on) =>
        `const witnesses = ${on} ? (filter.parties ?? []) : filter.named(contractStakeholders(contract))`,
    ],
  ),
  fault(
    ['inexact', 'differences are one unit too large', 'supply', 'answer'],
    'runtime/packages/builtins/numeric.ts',
    [
      "sum('SUB_NUMERIC', a, b, -1n)",
      (on) =>
        `${on} ? sum('ADD_NUMERIC', sum('SUB_NUMERIC', a, b, -1n), new Numeric(1n, numeric(a).scale), 1n) : sum('SUB_NUMERIC', a, b, -1n)`,
    ],
  ),
]

/** Loads the product's files with all faults in them, none of which is on. */
export function plant(): void {
  const sources = editedBy(FAULTS)
  registerHooks({
    load: (url, context, next) => {
      const source = sources.get(url)
      return source === undefined
        ? next(url, context)
        : { format: 'module', source, shortCircuit: true }
    },
  })
}

/** Has this fault be there, and no other. */
export function turnOn(id: string | undefined): void {
  Reflect.set(globalThis, SWITCH, id)
}
