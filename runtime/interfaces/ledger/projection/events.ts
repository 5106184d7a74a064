// Events of an update in their wire shapes, cut down to what a caller asked for and may see.
// docs/ledger-rules.md, "Updates"
import type {
  ArchivedEvent,
  CreatedEvent,
  Event,
  ExercisedEvent,
  JsInterfaceView,
} from '../../../../generated/ledger/types.gen.ts'
import type { CreateEvent, ExerciseEvent, LedgerEvent } from '../../../engine/transaction.ts'
import type { AnyTemplate, Templated } from '../../../engine/template.ts'
import type { ContractRecord } from '../../../store/store.ts'
import { encodeBlob, rejectionIn } from '../../../engine/index.ts'
import { rejectionError } from '../commands/rejection-error.ts'
import { timeText } from '../../../participant/time.ts'
import type { EventFilter, Extras, Subject } from './event-filter.ts'

/** The status of a view that its contract's code does not give. */
const FAILED_PRECONDITION = 9

/** The code for what a contract, or an exercise, is of. */
export type TemplateOf = (subject: Templated) => AnyTemplate | undefined

/** How events of one update are to be shown. */
interface View {
  readonly offset: bigint
  readonly filter: EventFilter
  readonly templateOf: TemplateOf
  /** The same for all that is shown at once: its views share limits. */
  readonly together: object
}

/**
 * What changed in the set of active contracts, for stakeholders: creates that stay, archives of
 * what was there before.
 */
export function acsDelta(events: readonly LedgerEvent[], view: View): readonly Event[] {
  const lasting = lastingChanges(events)
  return events.flatMap((event): readonly Event[] => {
    if (!lasting.has(event.node)) return []
    if (event.kind === 'exercise') {
      const end = archival(event, view)
      return end === undefined ? [] : [{ ArchivedEvent: end }]
    }
    const witnesses = view.filter.named(stakeholdersOf(event))
    const extras = view.filter.asks(subjectOf(event, view), witnesses)
    if (extras === undefined) return []
    const shown = { ...view, extras, witnesses, delta: true }
    return [{ CreatedEvent: created(event.contract, event.node, shown) }]
  })
}

/** All that happened before a witness's eyes. */
export function ledgerEffects(events: readonly LedgerEvent[], view: View): readonly Event[] {
  const lasting = lastingChanges(events)
  return events.flatMap((event): readonly Event[] => {
    const witnesses = view.filter.named(event.witnesses)
    const extras = view.filter.asks(subjectOf(event, view), witnesses)
    if (extras === undefined) return []
    const delta = lasting.has(event.node) && view.filter.named(stakeholdersOf(event)).length > 0
    if (event.kind === 'create')
      return [
        {
          CreatedEvent: created(event.contract, event.node, { ...view, extras, witnesses, delta }),
        },
      ]
    return [{ ExercisedEvent: exercised(event, view, witnesses, delta) }]
  })
}

interface CreatedView extends Omit<View, 'together'> {
  /** Absent: it is shown by itself. */
  readonly together?: object
  readonly extras: Extras
  readonly witnesses: readonly string[]
  /** Whether it shows in the set of active contracts of a witness. */
  readonly delta: boolean
}

/** A contract as the event of its creation. */
export function created(contract: ContractRecord, node: number, view: CreatedView): CreatedEvent {
  const { contractId, templateId, packageName, payload, signatories, observers, createdAt } =
    contract
  const { offset, extras, witnesses, delta } = view
  return {
    offset,
    nodeId: node,
    contractId,
    templateId,
    createArgument: JSON.parse(payload),
    createdEventBlob: extras.blob ? encodeBlob(contract) : '',
    interfaceViews: viewsOf(contract, view),
    witnessParties: [...witnesses],
    signatories: [...signatories],
    observers: [...observers],
    createdAt: timeText(createdAt),
    packageName,
    representativePackageId: packageOf(templateId),
    acsDelta: delta,
  }
}

function viewsOf(contract: ContractRecord, view: CreatedView): JsInterfaceView[] {
  const { extras, templateOf, together = contract } = view
  return extras.views.map((interfaceId) => ({
    interfaceId,
    ...statusOf(() => templateOf(contract)?.viewOf(contract, interfaceId, together)),
    implementationPackageId: packageOf(contract.templateId),
  }))
}

/** The view, or why the contract has none. */
function statusOf(read: () => unknown): Pick<JsInterfaceView, 'viewStatus' | 'viewValue'> {
  try {
    const viewValue = read()
    return { viewStatus: { code: 0, message: '', details: [] }, viewValue }
  } catch (error) {
    const rejection = rejectionIn(error)
    if (rejection === undefined) throw error
    const { cause } = rejectionError(rejection)
    return { viewStatus: { code: FAILED_PRECONDITION, message: cause, details: [] } }
  }
}

/** The end of a contract for its stakeholders; undefined where the filter does not ask for it. */
export function archival(event: ExerciseEvent, view: View): ArchivedEvent | undefined {
  const { node, contractId, templateId, packageName } = event
  const witnesses = view.filter.named(stakeholdersOf(event))
  if (view.filter.asks(subjectOf(event, view), witnesses) === undefined) return undefined
  return {
    offset: view.offset,
    nodeId: node,
    contractId,
    templateId,
    witnessParties: [...witnesses],
    packageName,
    implementedInterfaces: [...(view.templateOf(event)?.interfaces ?? [])],
  }
}

function exercised(
  event: ExerciseEvent,
  view: View,
  witnesses: readonly string[],
  delta: boolean,
): ExercisedEvent {
  const { node, contractId, templateId, packageName, interfaceId, choice, argument, result } = event
  const { consuming, actingParties, lastDescendant } = event
  return {
    offset: view.offset,
    nodeId: node,
    contractId,
    templateId,
    ...(interfaceId === undefined ? {} : { interfaceId }),
    choice,
    choiceArgument: argument,
    actingParties: [...actingParties],
    consuming,
    witnessParties: [...witnesses],
    lastDescendantNodeId: lastDescendant,
    exerciseResult: result,
    packageName,
    implementedInterfaces: consuming ? [...(view.templateOf(event)?.interfaces ?? [])] : [],
    acsDelta: delta,
  }
}

/**
 * Nodes that a contract's life begins or ends with, without contracts that lived within the update
 * only.
 */
function lastingChanges(events: readonly LedgerEvent[]): ReadonlySet<number> {
  const ends = new Map(
    events.flatMap((event) =>
      event.kind === 'exercise' && event.consuming ? [[event.contractId, event.node]] : [],
    ),
  )
  const nodes = new Set(ends.values())
  for (const event of events) {
    if (event.kind !== 'create') continue
    const end = ends.get(event.contract.contractId)
    if (end === undefined) nodes.add(event.node)
    else nodes.delete(end)
  }
  return nodes
}

function stakeholdersOf(event: LedgerEvent): readonly string[] {
  return event.kind === 'exercise' ? event.stakeholders : contractStakeholders(event.contract)
}

/** Signatories and observers. */
export function contractStakeholders({
  signatories,
  observers,
}: ContractRecord): readonly string[] {
  return [...new Set([...signatories, ...observers])]
}

function subjectOf(event: CreateEvent | ExerciseEvent, { templateOf }: View): Subject {
  const subject = event.kind === 'exercise' ? event : event.contract
  const { templateId, packageName } = subject
  return { templateId, packageName, template: templateOf(subject) }
}

function packageOf(templateId: string): string {
  return templateId.slice(0, templateId.indexOf(':'))
}
