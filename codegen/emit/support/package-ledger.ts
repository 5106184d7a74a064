// Typed commands: values in, values out, over whatever sends a command and answers the transaction.
import { DecodeError, isFields } from './contract-codec.ts'
import type { Codec, Json } from './contract-codec.ts'
import type { ContractId } from './package-codec.ts'
import type { Choice, Template } from './package-types.ts'

/** Members of JsCommands that stay the same, or are given with one call. */
export interface CommandOptions {
  readonly actAs: string[]
  readonly readAs?: string[]
  /** A random one, when absent. */
  readonly commandId?: string
  readonly workflowId?: string
  readonly disclosedContracts?: {
    readonly contractId?: string
    readonly createdEventBlob: string
    readonly templateId?: string
    readonly synchronizerId?: string
  }[]
  readonly packageIdSelectionPreference?: string[]
}

type Command =
  | { CreateCommand: { templateId: string; createArguments: Json } }
  | { ExerciseCommand: Target & { contractId: string } }
  | { CreateAndExerciseCommand: Target & { createArguments: Json } }

interface Target {
  templateId: string
  choice: string
  choiceArgument: Json
}

interface Submission {
  commands: CommandOptions & { commandId: string; commands: Command[] }
  transactionFormat: {
    eventFormat: { filtersByParty: Record<string, { cumulative: never[] }>; verbose: boolean }
    transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS'
  }
}

/**
 * Sends a submission and waits for its transaction: `submitAndWaitForTransaction` of a generated
 * client, or the POST to /v2/commands/submit-and-wait-for-transaction.
 */
export type Submit = (
  body: Submission,
) => Promise<{ readonly status: number; readonly body?: unknown }>

/** What the ledger answered in place of a transaction. */
export class SubmissionError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    const cause = isFields(body) && typeof body['cause'] === 'string' ? `: ${body['cause']}` : ''
    super(`the ledger answered ${status}${cause}`)
    this.name = 'SubmissionError'
    this.status = status
    this.body = body
  }
}

/** The update of a command. */
export interface Update {
  readonly updateId: string
  /** As the ledger interface has it. */
  readonly events: readonly unknown[]
}

export interface Created<T> extends Update {
  readonly contractId: ContractId<T>
}

export interface Exercised<R> extends Update {
  readonly result: R
}

/** Commands of these parties. Each throws SubmissionError for what the ledger refuses. */
export interface PackageLedger {
  create<T>(
    template: Template<T>,
    payload: T,
    options?: Partial<CommandOptions>,
  ): Promise<Created<T>>
  exercise<T, A, R>(
    choice: Choice<T, A, R>,
    contractId: ContractId<NoInfer<T>>,
    argument: NoInfer<A>,
    options?: Partial<CommandOptions>,
  ): Promise<Exercised<R>>
  createAndExercise<T, A, R>(
    template: Template<T>,
    payload: T,
    choice: Choice<NoInfer<T>, A, R>,
    argument: NoInfer<A>,
    options?: Partial<CommandOptions>,
  ): Promise<Created<T> & Exercised<R>>
}

/**
 * A ledger for typed commands.
 *
 * @example const ledger = packageLedger((body) => client.submitAndWaitForTransaction({ body }), {
 *   actAs: [alice] })
 */
export function packageLedger(submit: Submit, options: CommandOptions): PackageLedger {
  const run = async (
    command: Command,
    more: Partial<CommandOptions> | undefined,
  ): Promise<Update> => {
    const merged = { ...options, ...more }
    const commandId = merged.commandId ?? crypto.randomUUID()
    const { status, body } = await submit({
      commands: { ...merged, commandId, commands: [command] },
      transactionFormat: {
        eventFormat: {
          filtersByParty: Object.fromEntries(
            merged.actAs.map((party) => [party, { cumulative: [] }]),
          ),
          verbose: true,
        },
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      },
    })
    if (status !== 200) throw new SubmissionError(status, body)
    return updateIn(body)
  }
  return {
    create: async (template, payload, more) => {
      const createArguments = template.payload.encode(payload)
      const update = await run(
        { CreateCommand: { templateId: template.id, createArguments } },
        more,
      )
      return { ...update, contractId: contractIn(update, 'CreatedEvent') }
    },
    exercise: async (choice, contractId, argument, more) => {
      const target = targetOf(choice.of, choice, argument)
      const update = await run({ ExerciseCommand: { ...target, contractId } }, more)
      return { ...update, result: resultIn(update, choice.result) }
    },
    createAndExercise: async (template, payload, choice, argument, more) => {
      const createArguments = template.payload.encode(payload)
      const target = targetOf(template.id, choice, argument)
      const update = await run({ CreateAndExerciseCommand: { ...target, createArguments } }, more)
      const contractId = contractIn(update, 'CreatedEvent')
      return { ...update, contractId, result: resultIn(update, choice.result) }
    },
  }
}

function targetOf<T, A, R>(
  templateId: string,
  { name, argument: codec }: Choice<T, A, R>,
  argument: A,
): Target {
  return { templateId, choice: name, choiceArgument: codec.encode(argument) }
}

function updateIn(body: unknown): Update {
  const transaction = isFields(body) ? body['transaction'] : undefined
  const { updateId, events } = isFields(transaction) ? transaction : {}
  if (typeof updateId !== 'string' || !Array.isArray(events))
    throw new DecodeError('/transaction', 'expected a transaction')
  return { updateId, events }
}

/** The first event of a kind: the command's own, what it leads to comes after. */
function eventIn({ events }: Update, kind: string): Readonly<Record<string, unknown>> {
  for (const event of events) {
    const held = isFields(event) ? event[kind] : undefined
    if (isFields(held)) return held
  }
  throw new DecodeError('/transaction/events', `expected a ${kind}`)
}

function contractIn(update: Update, kind: string): string {
  return String(eventIn(update, kind)['contractId'])
}

function resultIn<R>(update: Update, codec: Codec<R>): R {
  return codec.decode(eventIn(update, 'ExercisedEvent')['exerciseResult'], '/exerciseResult')
}
