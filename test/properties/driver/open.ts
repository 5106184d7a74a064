// The driver: performs the model's commands on the real engine, contracts and services, and shows
// what came of them.
import { createHash } from 'node:crypto'
import { decodeUpdate } from '../../../runtime/engine/index.ts'
import type { Round } from '../model/state.ts'
import { Names } from '../names.ts'
import type { Request, System, SystemFactory, SystemOptions } from '../system.ts'
import type { Result, UpdateView } from '../world.ts'
import { act } from './act.ts'
import type { Answer } from './answers.ts'
import { refuse } from './answers.ts'
import { bindOthers } from './bind.ts'
import type { Trouble } from './conflicts.ts'
import { troubled } from './conflicts.ts'
import { Histories } from './histories.ts'
import type { StoreName } from '../../support/storages.ts'
import type { Network } from './network.ts'
import { openNetwork } from './network.ts'
import { quietly } from './pay.ts'
import { readParties, readRounds, readStatus, readWorld } from './reading.ts'
import type { Reading } from './reading.ts'
import { replay } from './replay.ts'
import { Book } from './seen.ts'
import type { Seen } from './seen.ts'
import { tellUpdate } from './updates.ts'
import type { Plant } from './plants.ts'
import { plantOf } from './plants.ts'

const PAGE = 1_000

/** A system over a store of that name; commits are troubled from the first command on. */
export function openSystem(name: StoreName): SystemFactory {
  return async (options) => {
    const plants = [...options.faults].map(plantOf)
    const driver = await Driver.open(name, options, plants)
    return {
      perform: (request) => driver.perform(request),
      parties: () => readParties(driver.reading),
      rounds: () => driver.rounds(),
      world: () => readWorld(driver.reading),
      replayed: async () => readWorld(await replay(driver.reading)),
      close: () => driver.close(),
    } satisfies System
  }
}

class Driver {
  readonly network: Network
  readonly reading: Reading
  readonly #trouble: Trouble
  readonly #plants: readonly Plant[]
  readonly #names = new Names()
  readonly #undo: (() => void)[] = []
  #rounds: readonly Round[] = []
  #offset = 0n

  private constructor(
    network: Network,
    trouble: Trouble,
    plants: readonly Plant[],
    options: SystemOptions,
  ) {
    this.network = network
    this.#trouble = trouble
    this.#plants = plants
    const { raw, parties } = network
    this.reading = {
      economy: raw,
      config: options.config,
      book: new Book(parties),
      histories: new Histories(raw.store.contracts, parties),
    }
  }

  static async open(
    name: StoreName,
    options: SystemOptions,
    plants: readonly Plant[],
  ): Promise<Driver> {
    const troubles: Trouble[] = []
    const network = await openNetwork(name, options.config, options.start, {
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
    const driver = new Driver(network, trouble, plants, options)
    await driver.#told()
    for (const plant of plants) driver.#undo.push(plant.start?.() ?? (() => undefined))
    trouble.start()
    return driver
  }

  /** Takes back what was planted. */
  async close(): Promise<void> {
    for (const undo of this.#undo.toReversed()) undo()
    await this.network.close()
  }

  async rounds(): Promise<readonly Round[]> {
    this.#rounds = await readRounds(this.reading)
    return this.#rounds
  }

  async perform({ action, at, plan, economy }: Request): Promise<Result> {
    const { network } = this
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
      this.#names.bindCreated(plan.change, updates)
      bindOthers(this.#names, plan.change, made)
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

  /** What was committed since the last look. */
  async #told(): Promise<{
    readonly updates: readonly UpdateView[]
    readonly made: readonly Seen[]
  }> {
    const { economy: raw, book, histories, config } = this.reading
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
