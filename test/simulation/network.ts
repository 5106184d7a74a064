// The real services on a store in memory, with all automations under the host's supervision, in
// simulated time. With several servers each has its own engine, treasury and automations over the
// one store; nodes have their own treasury and automations over one engine.
import { tmpdir } from 'node:os'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { superviseAutomation } from '../../runtime/host/automation.ts'
import { simulatedClock } from '../../runtime/host/clock.ts'
import type { SimulatedClock } from '../../runtime/host/clock.ts'
import type { Logger } from '../../runtime/host/log.ts'
import type { AuthService, AutomationService, HostClock } from '../../runtime/host/plugin.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import { PrincipalDirectory } from '../../runtime/access/principal.ts'
import type { Economy } from '../../runtime/economy/economy.ts'
import { createCohosting } from '../../runtime/economy/network/cohosting.ts'
import { createServices } from '../../runtime/interfaces/index.ts'
import type { Ledger, Services } from '../../runtime/interfaces/index.ts'
import type { Cohosting } from '../../runtime/participant/identity/cohosting.ts'
import { createInteractive } from '../../runtime/participant/interactive/interactive.ts'
import { OWN_WORDS } from '../../runtime/participant/interactive/wire-words.ts'
import type { Context } from '../../runtime/interfaces/reply.ts'
import { walletHandlers } from '../../runtime/interfaces/validator/wallet/handlers.ts'
import { createOnboarding } from '../../runtime/economy/wallets/onboarding.ts'
import type { Onboarding } from '../../runtime/economy/wallets/onboarding.ts'
import { createUserKeeper } from '../../runtime/economy/wallets/user-keeper.ts'
import type { UserKeeper } from '../../runtime/economy/wallets/user-keeper.ts'
import type { Treasury } from '../../runtime/economy/treasury/index.ts'
import type { ExternalParties } from '../../runtime/interfaces/validator/external-party/submission.ts'
import type { Store } from '../../runtime/store/store.ts'
import { setUpAutomations } from '../support/automations.ts'
import type { Dice } from '../drive/dice.ts'
import { contextOf } from '../drive/people.ts'
import { Clockwork } from './clockwork.ts'
import { homeOf, POLL_MS, sections, START } from './setting.ts'
import type { Setting } from './setting.ts'

/** One server, or one node. */
export interface Server extends ExternalParties {
  readonly services: Services
  readonly economy: Economy
  readonly treasury: Treasury
  readonly onboarding: Onboarding
  readonly users: UserKeeper
  readonly directory: PrincipalDirectory
  /** Cohosting of one of several nodes. */
  readonly cohosting: Cohosting
  readonly wallets: ReturnType<typeof walletHandlers>
}

export interface SimulatedNetwork {
  readonly store: Store
  readonly clock: SimulatedClock
  readonly clockwork: Clockwork
  readonly servers: readonly [Server, ...Server[]]
  /**
   * What automations and services warned of; the simulation lets nothing happen that they should
   * warn of.
   */
  readonly warnings: string[]
  /** Nodes, by name, of those who have moved. */
  readonly moved: Map<string, number>
  /** Number of the node at which somebody is now. */
  homeOf(name: string): number
  /** The one that a user comes to, by the dice of the seed where it is any. */
  serverOf(name: string): Server
  /** Context of a user, as a guard hands it on. */
  as(name: string): Promise<Context>
  /** Resolves when nothing is under way, and nothing has been woken. */
  settle(): Promise<void>
  /** Called after every moment at which something was due, when nothing is under way. */
  readonly afterMoment: (() => Promise<void>)[]
  /** Hands all automations of every server to the simulated scheduler. */
  begin(optionsOf: (node: number) => Readonly<Record<string, object>>): Promise<void>
}

/** Authentication that takes the token for the user's name. */
const ANYBODY: AuthService = {
  authenticate: (userId) => ({ kind: 'user', user: { userId, identityProviderId: '' } }),
}

/** Longer than any run takes, in real time. */
const LIMITS = { runMs: 600_000, backoffCapMs: 10 * POLL_MS }

/** A network before its first user. */
export async function openNetwork(setting: Setting, dice: Dice): Promise<SimulatedNetwork> {
  const { servers: count, nodes, without } = setting
  const clock = simulatedClock(START)
  const store = createMemoryStore(clock)
  const warnings: string[] = []
  const first = await openServer({ store, clock, dice, warnings, nodes }, 0)
  const more: Server[] = []
  const joins = nodes > 1 ? first.services.ledger : undefined
  for (let number = 1; number < Math.max(count, nodes); number += 1)
    more.push(await openServer({ store, clock, dice, warnings, nodes, joins }, number))
  const all: readonly [Server, ...Server[]] = [first, ...more]
  const moved = new Map<string, number>()
  const homeNow = (name: string): number => moved.get(name) ?? homeOf(setting, name)
  const nodeOf = (name: string): Server => all[homeNow(name)] ?? first
  const busy = { count: 0 }
  const settle = () => untilQuiet(all, busy)
  const afterMoment: (() => Promise<void>)[] = []
  const clockwork = new Clockwork(clock, async () => {
    await settle()
    for (const look of afterMoment) await look()
  })
  return {
    store,
    clock,
    clockwork,
    servers: all,
    warnings,
    moved,
    homeOf: homeNow,
    settle,
    afterMoment,
    serverOf: (name) => (count === 1 ? nodeOf(name) : dice.pick(all)),
    as: (name) => contextOf(nodeOf(name).directory, name, clock),
    begin: async (optionsOf) => {
      for (const [number, server] of all.entries()) {
        const node = nodes > 1 ? number : 0
        await beginAutomations(
          { server, store, clock, clockwork, busy, warnings, without, isLaterNode: node > 0 },
          optionsOf(node),
        )
      }
    },
  }
}

interface Ground {
  readonly store: Store
  readonly clock: SimulatedClock
  readonly dice: Dice
  readonly warnings: string[]
  readonly nodes: number
  /** The ledger that a later node joins. */
  readonly joins?: Ledger | undefined
}

/**
 * By how many seconds the clock of another server than the first is ahead, hour after hour: each
 * step is within what servers accept of each other.
 */
const APART = [0n, 9n, 4n, -5n, -9n, -3n, 5n]
/** Most by which any two clocks differ; microseconds. */
export const CLOCKS_APART = 18_000_000n
const HOUR_MICROS = 3_600_000_000n

/** A clock that goes its own way, and jumps. */
function apart(clock: SimulatedClock): HostClock {
  const ahead = (micros: bigint): bigint =>
    (APART[Number((micros / HOUR_MICROS) % BigInt(APART.length))] ?? 0n) * 1_000_000n
  return {
    nowMicros: () => clock.nowMicros() + ahead(clock.nowMicros()),
    monotonicMs: () => clock.monotonicMs(),
  }
}

async function openServer(
  { store, clock: right, dice, warnings, nodes, joins }: Ground,
  number: number,
): Promise<Server> {
  let names = 0
  const node = nodes > 1 ? number : 0
  const clock = number === 0 || node > 0 ? right : apart(right)
  const newName = () => `s${number}-${names++}`
  const services = await createServices({
    store,
    ...(nodes > 1
      ? { node: { name: `node-${number + 1}`, key: number === 0 ? '' : `${number + 1}`, joins } }
      : {}),
    auth: [ANYBODY],
    clock,
    ledgerClock: clock,
    profile: 'dev',
    seeded: false,
    newName,
    productVersion: '1.0.0',
    random: (bytes) => dice.bytes(bytes),
    log: warningLog(warnings),
    notReady: async () => undefined,
    dataDir: tmpdir(),
    settings: {
      ledger: {
        maxListElements: 1_000_000,
        ...(nodes > 1 ? { participantId: `node-${number + 1}` } : {}),
      },
      ...sections(node),
      wireNames: {},
    },
  })
  const { economy, treasury } = services
  const own = economy.store
  const directory = new PrincipalDirectory(own, clock)
  const users = createUserKeeper(own, directory)
  const onboarding = createOnboarding(economy, users)
  const interactive = createInteractive({
    engine: economy.engine,
    store: own,
    clock,
    newNonce: () => dice.bytes(16),
    words: OWN_WORDS,
  })
  return {
    services,
    economy,
    treasury,
    users,
    directory,
    cohosting: createCohosting({ store, engine: economy.engine, node: economy.node }),
    onboarding,
    interactive,
    words: OWN_WORDS,
    wallets: walletHandlers(economy, treasury, onboarding),
  }
}

interface Busy {
  count: number
}

interface Beginning {
  readonly server: Server
  readonly store: Store
  readonly clock: SimulatedClock
  readonly clockwork: Clockwork
  readonly busy: Busy
  readonly warnings: string[]
  readonly without: readonly string[]
  readonly isLaterNode: boolean
}

async function beginAutomations(
  beginning: Beginning,
  options: Readonly<Record<string, object>>,
): Promise<void> {
  const {
    server: { services },
    store,
    clock,
    clockwork,
    busy,
    warnings,
    without,
    isLaterNode,
  } = beginning
  const { services: automations } = await setUpAutomations(services, { options, isLaterNode })
  const scheduler = clockwork.scheduler()
  const { world } = services.background
  const { watch } = services.ledger.history
  clockwork.every(world.everyMs, () => watch.check((offset) => store.contracts.history(offset)))
  for (const { name, service } of automations.filter((each) => !without.includes(each.name))) {
    const log = warningLog(warnings, name)
    const supervised = superviseAutomation({
      name,
      owner: { id: `automation/${name}` },
      about: {},
      service: counted(service, busy),
      run: { store, log, clock: services.economy.clock },
      clock,
      random: () => 0.5,
      log,
      limits: LIMITS,
    })
    supervised.begin(scheduler, world)
    clockwork.every(world.everyMs, () => supervised.beat())
  }
}

/** The same automation, which counts as busy while it runs. */
function counted(service: AutomationService, busy: Busy): AutomationService {
  const count = async (work: Promise<void>): Promise<void> => {
    busy.count += 1
    await work.finally(() => void (busy.count -= 1))
  }
  const { runFor } = service
  return {
    ...service,
    run: (context) => count(service.run(context)),
    ...(runFor === undefined
      ? {}
      : { runFor: (created, context) => count(runFor(created, context)) }),
  }
}

/** Turns of the event loop without anything to do after which nothing more is to come. */
const QUIET_TURNS = 2

async function untilQuiet(servers: readonly Server[], busy: Busy): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet = busy.count === 0 ? quiet + 1 : 0) {
    for (const { economy, treasury } of servers) {
      await economy.engine.drain()
      await treasury.settled()
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function warningLog(warnings: string[], name = ''): Logger {
  const note = (fields: object, message: string) =>
    void warnings.push(`${name} ${message} ${textOf(fields)}`)
  return { ...silentLog, warn: note, error: note, child: () => warningLog(warnings, name) }
}

function textOf(fields: object): string {
  return JSON.stringify(fields, (_, value: unknown) =>
    value instanceof Error
      ? (value.stack ?? value.message)
      : typeof value === 'bigint'
        ? `${value}`
        : value,
  )
}
