// The driver: performs the model's commands on the real engine, contracts and services, and shows
// what came of them.
import { createHash } from 'node:crypto'
import { decodeUpdate } from '../../../runtime/engine/index.ts'
import type { Action } from '../model/actions.ts'
import type { Plan } from '../model/plan.ts'
import type { Config, Economy, Round } from '../model/state.ts'
import { PairedNames } from '../names.ts'
import type { PartyView, Result, UpdateView, World } from '../world.ts'
import { act } from './act.ts'
import type { Answer } from './answers.ts'
import { refuse } from './answers.ts'
import type { Trouble } from './conflicts.ts'
import { troubled } from './conflicts.ts'
import { Histories } from './histories.ts'
import type { OpenStore } from '../../support/open-store.ts'
import type { Network } from './network.ts'
import { openNetwork } from './network.ts'
import { quietly } from './pay.ts'
import { readParties, readRounds, readStatus, readWorld } from './reading.ts'
import type { Reading } from './reading.ts'
import { SeenBook } from './seen.ts'
import type { Seen } from './seen.ts'
import { tellUpdate } from './updates.ts'
import type { Plant } from './plants.ts'
import { plantOf } from './plants.ts'

const PAGE = 1_000

export interface SystemOptions {
  readonly store: OpenStore
  readonly config: Config
  /** The clock at the start; rounds are bootstrapped at this time. */
  readonly start: bigint
  /** Ids of planted faults, from plants.ts. */
  readonly faults: readonly string[]
  /** Decides which commits conflict. */
  readonly seed: number
}

/** A command to perform. The plan says which contracts of the model the new ones are. */
interface Request {
  readonly action: Action
  /** The clock stands here, microseconds. */
  readonly at: bigint
  /** The model's expectation. */
  readonly plan: Plan
  /** The model before the command, to settle which of several like contracts were taken. */
  readonly economy: Economy
}

export type System = Driver

/** The system under test; commits are troubled from the first command on. */
export async function openSystem(options: SystemOptions): Promise<System> {
  const plants = options.faults.map(plantOf)
  const troubles: Trouble[] = []
  const network = await openNetwork(options, {
    store: (inner) => {
      const trouble = troubled(
        plants.reduce((store, plant) => plant.store?.(store) ?? store, inner),
        options.seed,
      )
      troubles.push(trouble)
      return trouble.store
    },
    clock: (inner) => plants.reduce((clock, plant) => plant.clock?.(clock) ?? clock, inner),
    economy: (inner) =>
      plants.reduce((economy, plant) => plant.economy?.(economy) ?? economy, inner),
  })
  const [trouble] = troubles
  if (trouble === undefined) throw new Error('the network took no store')
  const driver = new Driver(network, trouble, plants, options.config)
  await driver.begin()
  return driver
}

class Driver {
  readonly #network: Network
  readonly #reading: Reading
  readonly #trouble: Trouble
  readonly #plants: readonly Plant[]
  readonly #names = new PairedNames()
  readonly #undo: (() => void)[] = []
  #rounds: readonly Round[] = []
  #offset = 0n

  constructor(network: Network, trouble: Trouble, plants: readonly Plant[], config: Config) {
    const { raw, parties } = network
    this.#network = network
    this.#trouble = trouble
    this.#plants = plants
    this.#reading = {
      economy: raw,
      config,
      book: new SeenBook(parties),
      histories: new Histories(raw.store.contracts, parties),
    }
  }

  /** Lets things go wrong from now on. */
  async begin(): Promise<void> {
    await this.#told()
    for (const plant of this.#plants) this.#undo.push(plant.start?.() ?? (() => undefined))
    this.#trouble.start()
  }

  /** Balances and histories: cheap, for before and after each step. */
  parties(): Promise<readonly PartyView[]> {
    return readParties(this.#reading)
  }

  /** Everything, read from the store. */
  world(): Promise<World> {
    return readWorld(this.#reading)
  }

  /** Takes back what was planted. */
  async close(): Promise<void> {
    for (const undo of this.#undo.toReversed()) undo()
    await this.#network.close()
  }

  async rounds(): Promise<readonly Round[]> {
    this.#rounds = await readRounds(this.#reading)
    return this.#rounds
  }

  /**
   * Performs and answers when it is committed. A repeated command that answers the first one's
   * result is `duplicate`.
   */
  async perform({ action, at, plan, economy }: Request): Promise<Result> {
    const network = this.#network
    network.clock.now = at
    this.#trouble.begin()
    if ('actor' in action)
      for (const plant of this.#plants) plant.actor?.(network.parties.idOf(action.actor))
    const acting = {
      idOf: (id: string) => this.#idOf(id),
      trouble: this.#trouble,
      isExpected: plan.ok,
    }
    const answer = await quietly(() => act(network, action, acting))
    const { updates, made } = await this.#told()
    const isTracked = (action.kind === 'tap' || action.kind === 'send') && action.commandId !== null
    const said =
      isTracked && answer.ok && updates.length === 0
        ? refuse('duplicate', 'answered as before')
        : this.#excused(answer)
    if (!said.ok) return { ...said, updates }
    if (plan.ok) {
      this.#names.settleConsumed(economy, plan.change, updates)
      this.#names.bindCreated(plan.change, made)
    }
    return { ok: true, updates }
  }

  /** Nobody may be told that others were faster where there were none. */
  #excused(answer: Answer): Answer {
    const isIdle = !answer.ok && answer.reason === 'busy' && this.#trouble.count === 0
    return isIdle ? refuse('no-round', `busy, though nobody else is: ${answer.text}`) : answer
  }

  #idOf(modelId: string): string {
    const known = this.#names.systemId(modelId)
    return known === modelId ? `00${createHash('sha384').update(modelId).digest('hex')}` : known
  }

  /** Updates committed since the last look. */
  async #told(): Promise<{
    readonly updates: readonly UpdateView[]
    readonly made: readonly Seen[]
  }> {
    const { economy: raw, book, histories, config } = this.#reading
    const stored = await raw.store.contracts.updatesAfter(this.#offset, PAGE)
    if (stored.length > 0) for (const party of config.parties) await histories.sumOf(party)
    const rounds = new Map(this.#rounds.map((round) => [round.number, round]))
    const statusOf = (sender: string, trackingId: string) =>
      readStatus(raw, book.parties.idOf(sender), trackingId)
    const told = []
    for (const { offset, recordTime, updateId, body } of stored) {
      const update = decodeUpdate(body)
      if (update.kind !== 'transaction') continue
      const { transaction } = update
      told.push(
        await tellUpdate(
          { offset, recordTime, transaction },
          { book, entries: histories.entriesOf(updateId), rounds, statusOf },
        ),
      )
      this.#offset = offset
    }
    return { updates: told.map(({ view }) => view), made: told.flatMap(({ made }) => made) }
  }
}
