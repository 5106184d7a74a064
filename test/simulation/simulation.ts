// A simulated network from its first day to its last: opens it, lets people and automations act,
// and checks.
import type { Violation } from '../properties/world.ts'
import { trafficLeft } from '../../runtime/economy/traffic.ts'
import { diceOf } from '../drive/dice.ts'
import { checkDay, checkPoll, checkRound } from './checks.ts'
import type { Since } from './checks.ts'
import { checkNodes } from './nodes.ts'
import { CLOCKS_APART, openNetwork } from './network.ts'
import type { SimulatedNetwork } from './network.ts'
import { Observer } from './observer.ts'
import { settlePeople } from './people.ts'
import type { People } from './people.ts'
import { automationOptions, castOf, configOf, DAY, POLL, START, TICK } from './setting.ts'
import type { Cast, Setting } from './setting.ts'

/** The network at the end of a round. */
export interface Sample {
  /** Days since the start. */
  readonly day: number
  /** Coin x 10^10. */
  readonly supply: bigint
  /** Balances of users at 10, 50 and 90 %, in that order, and the largest. */
  readonly balances: readonly [bigint, bigint, bigint, bigint]
  readonly holdings: number
  /** Most holdings of one party at any time of the round. */
  readonly mostHoldings: number
  /** Bytes: the least of the round, of any node. */
  readonly traffic: number
  /** Time of the processor. */
  readonly ms: number
}

export interface DayReport {
  readonly day: number
  readonly samples: readonly Sample[]
  /** Ends of that day, by kind and way. */
  readonly ends: ReadonlyMap<string, number>
  readonly updates: number
  readonly findings: readonly string[]
}

export interface Report {
  readonly days: readonly DayReport[]
  readonly answers: ReadonlyMap<string, number>
  readonly findings: readonly string[]
  /** Says all that happened: two runs of one seed have the same. */
  readonly fingerprint: string
  readonly ms: number
}

/** More of them say nothing new. */
const MAX_FINDINGS = 40

/** Runs it all; stops at the moment of the first finding. */
export async function simulate(
  setting: Setting,
  onDay: (day: DayReport) => void = () => undefined,
): Promise<Report> {
  const began = performance.now()
  const dice = diceOf(setting.seed)
  const network = await openNetwork(setting, dice)
  const cast = castOf(setting)
  const observers: Observer[] = []
  const early: Parameters<Observer['note']>[0][] = []
  // Nodes share what one of them hears.
  const heard = setting.nodes > 1 ? network.servers.slice(0, 1) : network.servers
  for (const { economy } of heard) {
    economy.engine.onCommitted(
      (update) =>
        void (observers[0] === undefined ? early.push(update) : observers[0].note(update)),
    )
  }
  const people = await settlePeople(setting, cast, network, dice)
  const observer = new Observer(
    network.servers[0].economy,
    configOf(cast),
    people.ids,
    setting.servers > 1 ? CLOCKS_APART : 0n,
  )
  observers.push(observer)
  await observer.begin()
  for (const update of early) observer.note(update)
  const run = new Run({ setting, cast, network, people, observer })
  const days = await run.days(onDay)
  const { store } = network
  const shown = await checkNodes(network, setting, people.ids)
  const end = await store.contracts.ledgerEnd()
  const last = await store.updates.byOffset(end.offset)
  await store.close()
  return {
    days,
    answers: people.answers,
    findings: [...run.findings, ...shown],
    ms: performance.now() - began,
    fingerprint: `${end.offset} ${last?.updateId ?? ''} ${observer.supply}`,
  }
}

interface Parts {
  readonly setting: Setting
  readonly cast: Cast
  readonly network: SimulatedNetwork
  readonly people: People
  readonly observer: Observer
}

class Run {
  readonly #parts: Parts
  readonly #since: Since = new Map()
  #findings: string[] = []
  #samples: Sample[] = []
  #mostHoldings = 0
  #leastTraffic = Infinity
  #cpuBefore = cpuMs()
  #sampledAt = 0n

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Also what was found before the first day. */
  get findings(): readonly string[] {
    return this.#findings
  }

  async days(onDay: (day: DayReport) => void): Promise<readonly DayReport[]> {
    const { setting, cast, network, people, observer } = this.#parts
    this.#add((await observer.digest()).map(textOf))
    await network.begin(automationOptions(setting, cast, (name) => people.ids.get(name) ?? ''))
    network.afterMoment.push(() => this.#look())
    const days: DayReport[] = []
    for (let day = 1; day - 1 < setting.days && this.#findings.length === 0; day += 1) {
      const report = await this.#day(day)
      onDay(report)
      days.push(report)
    }
    return days
  }

  async #day(day: number): Promise<DayReport> {
    const { setting, network, people, observer } = this.#parts
    const { tally } = observer
    const [updates, ends] = [tally.updates, new Map(tally.ends)]
    const from = START + BigInt(day - 1) * DAY
    people.plan(from)
    const end = from + BigInt(Math.round(Math.min(1, setting.days - day + 1) * Number(DAY)))
    await network.clockwork.runUntil(end, () => this.#findings.length > 0)
    this.#add(await checkDay(observer))
    const samples = this.#samples.splice(0)
    return {
      day,
      samples,
      updates: tally.updates - updates,
      findings: [...this.#findings],
      ends: new Map([...tally.ends].map(([key, count]) => [key, count - (ends.get(key) ?? 0)])),
    }
  }

  async #look(): Promise<void> {
    const { observer, cast, network, people } = this.#parts
    this.#add([
      ...(await observer.digest()).map(textOf),
      ...network.warnings.splice(0),
      ...people.surprises.splice(0),
    ])
    for (const { unlockedCount } of observer.accounts.values())
      if (unlockedCount > this.#mostHoldings) this.#mostHoldings = unlockedCount
    const since = network.clock.nowMicros() - START
    if (since % POLL !== 0n) return
    const economies = network.servers.map(({ economy }) => economy)
    this.#add(await checkPoll(observer, { cast, economies }, this.#since))
    for (const economy of economies) {
      const { base, extra } = await trafficLeft(economy)
      this.#leastTraffic = Math.min(this.#leastTraffic, Number(base + extra))
    }
    if (since % TICK !== 0n || since === this.#sampledAt) return
    this.#sampledAt = since
    this.#add(await checkRound(observer))
    this.#samples.push(this.#sample(Number(since) / Number(DAY)))
  }

  #sample(day: number): Sample {
    const { observer, cast } = this.#parts
    const [cpu, before] = [cpuMs(), this.#cpuBefore]
    this.#cpuBefore = cpu
    const [traffic, mostHoldings] = [this.#leastTraffic, this.#mostHoldings]
    this.#leastTraffic = Infinity
    this.#mostHoldings = 0
    const users = [...cast.hosted, ...cast.external].map((name) => observer.accounts.get(name))
    const balances = users
      .map((account) => (account?.unlocked ?? 0n) + (account?.locked ?? 0n))
      .toSorted((a, b) => (a < b ? -1 : 1))
    const at = (share: number): bigint =>
      balances[Math.min(balances.length - 1, Math.floor(share * balances.length))] ?? 0n
    return {
      day,
      supply: observer.supply,
      balances: [at(0.1), at(0.5), at(0.9), at(1)],
      holdings: observer.holdings,
      mostHoldings,
      traffic,
      ms: cpu - before,
    }
  }

  #add(findings: readonly string[]): void {
    this.#findings.push(...findings.slice(0, MAX_FINDINGS - this.#findings.length))
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function textOf({ invariant, what }: Violation): string {
  return `invariant ${invariant}: ${what}`
}
