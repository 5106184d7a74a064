// Commands of the wire as a function over a transaction: each is checked as far as that needs no
// ledger, then creates or exercises through its template. docs/ledger-rules.md, "Commands"
import { isContractId } from '../../../../generated/contract-codec.gen.ts'
import type { Command } from '../../../../generated/ledger/types.gen.ts'
import { interfaceChoice } from '../../../engine/index.ts'
import type { AnyChoice, AnyTemplate, SubmissionStep, Tx } from '../../../engine/index.ts'
import { reasonText } from '../../../errors/catalogue.ts'
import { invalidArgument, invalidField, LedgerError, ledgerError } from '../../../errors/errors.ts'

/** What the names in commands mean. */
export interface Implementations {
  template(name: string): AnyTemplate | undefined
  /** The full id of the interface of this name. */
  interface(name: string): string | undefined
}

interface ReadCommands {
  /** Contracts that the commands name. */
  readonly contractIds: readonly string[]
  /** One for each command. */
  readonly steps: readonly SubmissionStep[]
}

/**
 * All commands, or the first one's problem: INVALID_ARGUMENT, INVALID_FIELD,
 * COMMAND_PREPROCESSING_FAILED, TEMPLATES_OR_INTERFACES_NOT_FOUND
 */
export function readCommands(
  commands: readonly Command[],
  known: Implementations,
): ReadCommands | LedgerError {
  const steps: SubmissionStep[] = []
  for (const command of commands) {
    const step = readCommand(command, known)
    if (step instanceof LedgerError) return step
    steps.push(step)
  }
  const contractIds = commands.flatMap((command) =>
    'ExerciseCommand' in command ? [command.ExerciseCommand.contractId] : [],
  )
  return { contractIds, steps }
}

function readCommand(command: Command, known: Implementations): SubmissionStep | LedgerError {
  if ('CreateCommand' in command) return readCreate(command.CreateCommand, known)
  if ('ExerciseCommand' in command) return readExercise(command.ExerciseCommand, known)
  if ('CreateAndExerciseCommand' in command)
    return readCreateAndExercise(command.CreateAndExerciseCommand, known)
  return invalidArgument(reasonText('contractKeys'))
}

interface CreateCommand {
  readonly templateId: string
  readonly createArguments: unknown
}

interface ExerciseCommand {
  readonly templateId: string
  readonly contractId: string
  readonly choice: string
  readonly choiceArgument: unknown
}

function readCreate(
  { templateId, createArguments }: CreateCommand,
  { template }: Implementations,
): SubmissionStep | LedgerError {
  const found = template(templateId)
  if (found === undefined) return unknownTemplate(templateId)
  return (tx) => void tx.template(found.id).createJson(tx, createArguments, templateId)
}

function readCreateAndExercise(
  {
    templateId,
    createArguments,
    choice,
    choiceArgument,
  }: CreateCommand & Omit<ExerciseCommand, 'contractId'>,
  { template }: Implementations,
): SubmissionStep | LedgerError {
  const found = template(templateId)
  if (found === undefined) return unknownTemplate(templateId)
  if (!found.choices.has(choice)) return unknownChoice(templateId, choice)
  return (tx) => {
    const contractId = tx.template(found.id).createJson(tx, createArguments, templateId)
    ownChoice(tx, found.id, choice).exerciseJson(tx, contractId, choiceArgument)
  }
}

function readExercise(
  command: ExerciseCommand,
  { template, interface: interfaceOf }: Implementations,
): SubmissionStep | LedgerError {
  const { templateId, contractId, choice, choiceArgument } = command
  const malformed = contractIdProblem(contractId)
  if (malformed !== undefined) return malformed
  const found = template(templateId)
  if (found !== undefined) {
    if (!found.choices.has(choice)) return unknownChoice(templateId, choice)
    return (tx) => void ownChoice(tx, found.id, choice).exerciseJson(tx, contractId, choiceArgument)
  }
  const interfaceId = interfaceOf(templateId)
  if (interfaceId === undefined) return unknownTemplate(templateId)
  return (tx) =>
    void choiceOf(tx, interfaceId, command).exerciseJson(tx, contractId, choiceArgument)
}

/** INVALID_FIELD for a text that cannot be a contract id. */
export function contractIdProblem(contractId: string): LedgerError | undefined {
  return isContractId(contractId)
    ? undefined
    : invalidField('contract_id', reasonText('malformedContractId', { value: contractId }))
}

/** The interface's choice as the contract's own template has it. */
function choiceOf(tx: Tx, interfaceId: string, { contractId, choice }: ExerciseCommand): AnyChoice {
  const bound = interfaceChoice(tx.templateOf(contractId), choice, interfaceId)
  return bound ?? absent(tx, `Contract ${contractId} has no choice ${choice} of ${interfaceId}`)
}

function ownChoice(tx: Tx, templateId: string, choice: string): AnyChoice {
  const bound = tx.template(templateId).choices.get(choice)
  return bound ?? absent(tx, `${templateId} has no choice ${choice}`)
}

function absent(tx: Tx, message: string): never {
  return tx.abort({ id: '', category: 'argument', message })
}

/** The templates and interfaces that commands name. */
export function namesIn(commands: readonly Command[]): readonly string[] {
  return commands.flatMap((command) => {
    if ('CreateCommand' in command) return command.CreateCommand.templateId
    if ('ExerciseCommand' in command) return command.ExerciseCommand.templateId
    if ('CreateAndExerciseCommand' in command) return command.CreateAndExerciseCommand.templateId
    return []
  })
}

function unknownTemplate(templateId: string): LedgerError {
  const params = { type: 'TEMPLATE_ID', names: templateId }
  return ledgerError('TEMPLATES_OR_INTERFACES_NOT_FOUND', params, { items: [templateId] })
}

function unknownChoice(templateId: string, choice: string): LedgerError {
  return ledgerError('COMMAND_PREPROCESSING_FAILED', {
    reason: `${templateId} has no choice ${choice}`,
  })
}
