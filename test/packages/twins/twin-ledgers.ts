// Two ledgers with one clock: ours, and one on which the released packages run. Each command is
// done on both, in the words of each, and what it answers, creates and archives is compared.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { payload } from '../../../codegen/emit/support/translation.ts'
import { namesOf } from '../../../codegen/emit/support/translation.ts'
import { inwardDictionary, outwardDictionary } from '../../../codegen/vocabulary/words.ts'
import { allTemplates } from '../../../runtime/contracts/index.ts'
import { simulatedClock } from '../../../runtime/host/clock.ts'
import { createEngine } from '../../../runtime/engine/index.ts'
import type {
  AnyChoice,
  AnyTemplate,
  Engine,
  Json,
  Rejected,
  Transaction,
  Tx,
} from '../../../runtime/engine/index.ts'
import { uploadedShapes } from '../../../runtime/packages/templates/shapes.ts'
import { payersInTurn } from '../../../runtime/work/order.ts'
import { path } from '../../interfaces/ledger-kit.ts'
import { describe, START, SYNCHRONIZER } from '../../support/ledger.ts'
import { newStore } from '../../support/test-store.ts'
import { vocabulary } from '../released.ts'
import { isKnown, isOneSided, isStricter } from './known-differences.ts'
import type { Known } from './known-differences.ts'
import type { ReleasedTemplates } from './released-templates.ts'
import { differences, fitted, withTexts } from './values.ts'
import type { Difference } from './values.ts'

const outward = outwardDictionary(vocabulary)
const inward = inwardDictionary(vocabulary)
const [toReleased, toOurs] = [outward, inward].map((words) =>
  payload(words, 'templateId', 'choice'),
)
const [releasedNames, ourNames] = [namesOf(outward), namesOf(inward)]
const ours = new Map(allTemplates.map((each) => [each.name, each]))
const ownById = new Map(allTemplates.map((each) => [each.id, each]))

/** The template of what a featured activity leaves on the released ledger. */
const MARKER = 'FeaturedAppActivityMarker'

/** The template in whose words one that only they have is translated. */
const ROUND = ours.get('OpenMiningRound')?.reference

type Side = 'ours' | 'released'

/** A contract of both ledgers, or of one where the other has no such thing. */
export interface Twin {
  /** Its name in values. */
  readonly label: string
  readonly template: string
  /** The payload in our words, with labels for contracts. */
  readonly payload: unknown
  readonly ids: Readonly<Partial<Record<Side, string>>>
}

/** A choice in our words; contracts are called by their labels. */
export interface Command {
  readonly actAs: readonly string[]
  readonly on: Twin
  readonly choice: string
  readonly argument: object
  /** Microseconds that pass before. */
  readonly wait?: bigint
  /** Name and argument of the released choice, in our words, where they differ. */
  readonly released?: { readonly choice?: string; readonly argument?: object }
}

/** Contracts that somebody creates, in our words. */
export interface Creation {
  readonly actAs: readonly string[]
  readonly create: string
  readonly payloads: readonly object[]
  /** Payloads for the released template, where it needs more. */
  readonly released?: readonly object[]
}

/** `apart`: only one of both did it, which is meant; from then on the ledgers differ. */
export type Outcome = 'done' | 'refused' | 'apart'

interface Done {
  readonly ok: true
  readonly result: unknown
  readonly transaction: Transaction
}

interface Created {
  readonly template: string
  readonly payload: unknown
  readonly parties: readonly string[]
  readonly views: object
  readonly id: string
}

export class TwinLedgers {
  readonly clock = simulatedClock(START)
  readonly #engines: Readonly<Record<Side, Engine>>
  readonly #released: ReleasedTemplates
  readonly #parties: readonly string[]
  readonly #known: readonly Known[]
  readonly #twins = new Map<string, Twin>()
  readonly #labels: Readonly<Record<Side, Map<string, string>>> = {
    ours: new Map(),
    released: new Map(),
  }
  readonly #archived = new Set<string>()

  private constructor(
    engines: (clock: TwinLedgers['clock']) => Readonly<Record<Side, Engine>>,
    released: ReleasedTemplates,
    parties: readonly string[],
    known: readonly Known[],
  ) {
    this.#known = known
    this.#engines = engines(this.clock)
    this.#released = released
    this.#parties = parties
  }

  /** Two empty ledgers. */
  static async open(
    released: ReleasedTemplates,
    parties: readonly string[],
    known: readonly Known[],
  ): Promise<TwinLedgers> {
    const stores = await Promise.all([newStore(), newStore()])
    const [own, other] = stores.map(({ contracts }) => contracts)
    assert.ok(own !== undefined && other !== undefined)
    const common = {
      order: payersInTurn,
      newSeed: () => new Uint8Array(randomBytes(32)),
      synchronizerId: SYNCHRONIZER,
    }
    return new TwinLedgers(
      (clock) => ({
        ours: createEngine({ ...common, clock, store: own, templates: allTemplates }),
        released: createEngine({ ...common, clock, store: other, templates: [], source: released }),
      }),
      released,
      parties,
      known,
    )
  }

  /** Active contracts that both ledgers have, oldest first. */
  active(template: string): readonly Twin[] {
    return [...this.#twins.values()].filter(
      (each) => each.template === template && !this.#archived.has(each.label),
    )
  }

  /** Does a command on both, and says what became of it. */
  do(command: Command | Creation): Promise<Outcome> {
    return 'create' in command ? this.#create(command) : this.exercise(command)
  }

  /** Creates a contract on both. */
  async create(
    template: string,
    actAs: readonly string[],
    payload: object,
    released = payload,
  ): Promise<Twin> {
    await this.#create({ create: template, actAs, payloads: [payload], released: [released] })
    return this.active(template).at(-1) ?? assert.fail(`there is a ${template}`)
  }

  /** Creates on the released ledger what ours does without; the payload is in our words. */
  async createReleased(entity: string, actAs: readonly string[], payload: object): Promise<void> {
    const any = this.#released.named(entity)
    assert.ok(any !== undefined)
    const value = toReleased?.(this.#named(payload, 'released'), { templateId: ROUND })
    const done = await this.#submit('released', actAs, (tx) => any.createJson(tx, value))
    assert.ok(done.ok, done.ok ? '' : describe(done))
    for (const each of created(done, 'released', (id) => this.#released.get(id)))
      this.#label({ released: each.id }, this.#seen(each, 'released'))
  }

  async #create({
    create: template,
    actAs,
    payloads,
    released = payloads,
  }: Creation): Promise<Outcome> {
    const [own, other] = [ours.get(template), this.#releasedTemplate(template)]
    const shape = uploadedShapes(other)?.payload
    assert.ok(own !== undefined && other !== undefined && shape !== undefined)
    const owner = { templateId: own.reference }
    const done = await this.#both(template, {
      ours: await this.#submit('ours', actAs, (tx) => {
        for (const each of payloads) own.createJson(tx, this.#named(each, 'ours'))
      }),
      released: await this.#submit('released', actAs, (tx) => {
        for (const each of released)
          other.createJson(tx, fitted(toReleased?.(this.#named(each, 'released'), owner), shape))
      }),
    })
    return typeof done === 'string' ? done : 'done'
  }

  async exercise({ actAs, on, choice, argument, released }: Command): Promise<Outcome> {
    const own = { choice, argument }
    const done = await this.#both(choice, {
      ours: await this.#submit('ours', actAs, (tx) => this.#exercise(tx, 'ours', on, own)),
      released: await this.#submit('released', actAs, (tx) =>
        this.#exercise(tx, 'released', on, { ...own, ...released }),
      ),
    })
    if (typeof done === 'string') return done
    const owner = {
      templateId: this.#releasedTemplate(on.template)?.reference,
      choice: releasedNames.name(choice),
    }
    const answers = differences(
      this.#labelled(done.ours.result, 'ours'),
      this.#labelled(toOurs?.(done.released.result, owner), 'released'),
    )
    this.#demandNone(choice, answers)
    return 'done'
  }

  /** The work of both, or the outcome where one refused. */
  async #both(
    of: string,
    { ours: own, released }: Readonly<Record<Side, Done | Rejected>>,
  ): Promise<Readonly<Record<Side, Done>> | Outcome> {
    if (own.ok && released.ok) {
      const done = { ours: own, released: await this.#rewarded(own, released) }
      this.#pair(of, done)
      return done
    }
    if (isApart('released', released, own) || isApart('ours', own, released)) return 'apart'
    assert.equal(own.ok, released.ok, `${of}: ${describeBoth({ ours: own, released })}`)
    return 'refused'
  }

  /** A featured activity leaves a marker there: turned into the coupon that ours makes at once. */
  async #rewarded(own: Done, released: Done): Promise<Done> {
    const all = created(released, 'released', (id) => this.#released.get(id))
    const markerCids = all.filter(({ template }) => template === MARKER).map(({ id }) => id)
    if (markerCids.length === 0) return released
    const coupons = created(own, 'ours', (id) => ownById.get(id))
    const round = JSON.stringify(
      path(coupons.find(({ template }) => template === 'AppRewardCoupon')?.payload, 'round'),
    )
    const [rules] = this.active('CoinRules')
    const open = this.active('OpenMiningRound').find(
      ({ payload: of }) => JSON.stringify(path(of, 'round')) === round,
    )
    assert.ok(rules?.ids.released !== undefined && open?.ids.released !== undefined)
    const [on, openMiningRoundCid] = [rules.ids.released, open.ids.released]
    const outcome = await this.#submit('released', this.#parties, (tx) =>
      choiceOf(
        tx.templateOf(on),
        releasedNames.name('CoinRules_ConvertFeaturedAppActivityMarkers'),
      ).exerciseJson(tx, on, { markerCids, openMiningRoundCid }),
    )
    assert.ok(outcome.ok, outcome.ok ? '' : describe(outcome))
    const events = [...released.transaction.events, ...outcome.transaction.events]
    return { ...released, transaction: { ...released.transaction, events } }
  }

  #demandNone(of: string, found: readonly Difference[]): void {
    const left = found.filter((each) => !this.#isKnown(of, each))
    assert.equal(left.length, 0, `${of} answers otherwise: ${JSON.stringify(left, null, 1)}`)
  }

  #releasedTemplate(template: string): AnyTemplate | undefined {
    const [, ...entity] = releasedNames.template(ours.get(template)?.reference ?? '').split(':')
    return this.#released.named(entity.join(':'))
  }

  async #submit(
    side: Side,
    actAs: readonly string[],
    run: (tx: Tx) => unknown,
  ): Promise<Done | Rejected> {
    const staged = await this.#engines[side].stage({
      actAs,
      readAs: this.#parties,
      run,
      userId: 't',
    })
    if (!staged.ok) return staged
    const committed = await staged.committed
    if (!committed.ok) return committed
    return { ok: true, result: staged.result, transaction: staged.transaction }
  }

  #exercise(
    tx: Tx,
    side: Side,
    on: Twin,
    { choice, argument }: { readonly choice: string; readonly argument: object },
  ): Json {
    const id = on.ids[side] ?? assert.fail(`${on.template} is on the ledger`)
    const any = tx.templateOf(id)
    const given = this.#named(argument, side)
    if (side === 'ours') return choiceOf(any, choice).exerciseJson(tx, id, given)
    const owner = { templateId: ours.get(on.template)?.reference, choice }
    const bound = choiceOf(any, releasedNames.name(choice))
    const shape = uploadedShapes(any)?.choice(bound.name, bound.interfaceId)?.argument
    assert.ok(shape !== undefined)
    return bound.exerciseJson(tx, id, fitted(toReleased?.(given, owner), shape))
  }

  /** A value with contract ids of a side in place of labels. */
  #named(value: object, side: Side): unknown {
    return withTexts(value, (text) => this.#twins.get(text)?.ids[side] ?? text)
  }

  #labelled(value: unknown, side: Side): unknown {
    return withTexts(value, (text) => this.#labels[side].get(text) ?? text)
  }

  /** Labels what both have created, which has to be the same, and forgets what both archived. */
  #pair(of: string, done: Readonly<Record<Side, Done>>): void {
    this.#archive(of, done)
    const left = {
      ours: created(done.ours, 'ours', (id) => ownById.get(id)),
      released: created(done.released, 'released', (id) => this.#released.get(id)),
    }
    for (const own of left.ours.slice()) {
      const seen = this.#seen(own, 'ours')
      const twin = left.released.find((other) => {
        const theirs = this.#seen(other, 'released')
        return (
          own.template === other.template &&
          differences(seen, theirs).every((each) => this.#isKnown(own.template, each))
        )
      })
      if (twin === undefined) continue
      left.ours.splice(left.ours.indexOf(own), 1)
      left.released.splice(left.released.indexOf(twin), 1)
      this.#label({ ours: own.id, released: twin.id }, seen)
    }
    for (const lone of left.released)
      if (isOneSided('released', lone.template))
        this.#label({ released: lone.id }, this.#seen(lone, 'released'))
    const odd = this.#odd(left)
    assert.ok(odd.length === 0, `${of} creates otherwise: ${JSON.stringify(odd, null, 1)}`)
  }

  /** Contracts that one of both alone has created, each beside the nearest of the other. */
  #odd(left: Readonly<Record<Side, readonly Created[]>>): readonly object[] {
    const lone = (side: Side) =>
      left[side]
        .filter(({ template }) => !isOneSided(side, template))
        .map((each) => this.#seen(each, side))
    const others = lone('released')
    const own = lone('ours').map((each) => {
      const at = others.findIndex(({ template }) => template === each.template)
      const [near] = at < 0 ? [] : others.splice(at, 1)
      return near === undefined
        ? { onlyOurs: each }
        : {
            [each.template]: differences(each, near).filter(
              (one) => !this.#isKnown(each.template, one),
            ),
          }
    })
    return [...own, ...others.map((onlyReleased) => ({ onlyReleased }))]
  }

  #isKnown(of: string, difference: Difference): boolean {
    return isKnown(this.#known, of, difference)
  }

  #label(ids: Twin['ids'], { template, payload: value }: Pick<Twin, 'template' | 'payload'>): void {
    const label = `#${this.#twins.size}`
    this.#twins.set(label, { label, template, payload: value, ids })
    if (ids.ours !== undefined) this.#labels.ours.set(ids.ours, label)
    if (ids.released !== undefined) this.#labels.released.set(ids.released, label)
  }

  #seen({ template, payload: value, views, parties }: Created, side: Side) {
    const [labelled, seen] = [value, views].map((each) => this.#labelled(each, side))
    return { template, parties, payload: labelled, views: seen }
  }

  #archive(of: string, done: Readonly<Record<Side, Done>>): void {
    const [own, other] = (['ours', 'released'] as const).map((side) =>
      done[side].transaction.consumed
        .flatMap(({ contractId }) => this.#labels[side].get(contractId) ?? [])
        .filter((label) => Object.keys(this.#twins.get(label)?.ids ?? {}).length > 1)
        .toSorted(),
    )
    assert.deepEqual(own, other, `${of} archives the same`)
    for (const label of own ?? []) this.#archived.add(label)
  }
}

function choiceOf({ name: template, choices }: AnyTemplate, name: string): AnyChoice {
  const all = [...choices.values()].filter((each) => each.name === name)
  const found =
    all.find(({ interfaceId }) => interfaceId === undefined) ??
    all.find(({ interfaceId }) => interfaceId?.includes('V1:')) ??
    all[0]
  return found ?? assert.fail(`${template} has no choice ${name}`)
}

/** Contracts that a transaction leaves, in the order in which it created them. */
function created(
  { transaction }: Done,
  side: Side,
  templateOf: (templateId: string) => AnyTemplate | undefined,
): Created[] {
  const gone = new Set(
    transaction.events.flatMap((event) =>
      event.kind === 'exercise' && event.consuming ? [event.contractId] : [],
    ),
  )
  const inOurs = (id: string): string => (side === 'ours' ? id : ourNames.template(id))
  const translated = (value: unknown, templateId: string): unknown =>
    side === 'ours' ? value : toOurs?.(value, { templateId })
  return transaction.events.flatMap((event) => {
    if (event.kind !== 'create' || gone.has(event.contract.contractId)) return []
    const { contractId, templateId, payload: text, signatories, observers } = event.contract
    const any = templateOf(templateId)
    const views = (any?.interfaces ?? [])
      .filter((id) => id.includes('V1:'))
      .map((id) => [inOurs(id).split(':').at(-1), translated(any?.viewOf(event.contract, id), id)])
    return {
      template: inOurs(templateId).split(':').at(-1) ?? '',
      id: contractId,
      payload: translated(JSON.parse(text), templateId),
      views: Object.fromEntries(views),
      parties: [signatories, observers.filter((one) => !signatories.includes(one))].map((some) =>
        some.toSorted().join(' '),
      ),
    }
  })
}

function isApart(side: Side, stricter: Done | Rejected, other: Done | Rejected): boolean {
  if (stricter.ok || !other.ok) return false
  return isStricter(side, describe(stricter), JSON.stringify(other.result) ?? '')
}

function describeBoth(outcomes: Readonly<Record<Side, Done | Rejected>>): string {
  return (['ours', 'released'] as const)
    .map((side) => {
      const outcome = outcomes[side]
      return `${side} ${outcome.ok ? 'does it' : `refuses: ${describe(outcome)}`}`
    })
    .join('; ')
}
