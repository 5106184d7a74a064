// On which stores each suite runs, decided in this one place: usually as far as CI's time allows,
// on all of those that the variable STORES names where it is set (`STORES=memory,sqlite,postgres`).
// The stores differ in one section of the configuration. `node test/support/storages.ts` says what
// runs where.
import { SHARED_SERVER, startPostgres } from './postgres.ts'
import type { SharedServer, TestPostgres } from './postgres.ts'

export type StoreName = 'memory' | 'sqlite' | 'postgres'

export interface StorageUnderTest {
  readonly name: StoreName
  /** False when the data is gone with the process. */
  readonly durable: boolean
  /** The `storage` section, on fresh data. */
  section(): Promise<object>
  /** Frees what the sections needed; once, at the end of the file. */
  release(): Promise<void>
}

let postgres: Promise<TestPostgres> | undefined

const MEMORY: StorageUnderTest = {
  name: 'memory',
  durable: false,
  section: async () => ({ use: 'memory' }),
  release: async () => {},
}
const SQLITE: StorageUnderTest = {
  name: 'sqlite',
  durable: true,
  section: async () => ({ use: 'sqlite' }),
  release: async () => {},
}

function postgresWith(database: (server: TestPostgres) => Promise<string>): StorageUnderTest {
  return {
    name: 'postgres',
    durable: true,
    section: async () => {
      postgres ??= startPostgres()
      return { use: 'postgres', url: await database(await postgres) }
    },
    release: async () => {
      await (await postgres)?.stop()
      postgres = undefined
    },
  }
}

/** All of them, each empty to the last table. */
export const STORAGES: readonly StorageUnderTest[] = [
  MEMORY,
  SQLITE,
  postgresWith((server) => server.createDatabase()),
]

/** Storages with their tables, for suites that are not about how they come. */
const QUICK = [MEMORY, SQLITE, postgresWith((server) => server.createStoreDatabase())]

const ALL: readonly StoreName[] = ['memory', 'sqlite', 'postgres']
const DATABASES: readonly StoreName[] = ['sqlite', 'postgres']

interface Suite {
  /** Storages in `npm test`. */
  readonly usual: readonly StoreName[]
  /** Storages that are left out even if STORES names them, and why. */
  readonly never?: { readonly stores: readonly StoreName[]; readonly reason: string }
}

const NEEDS_ROWS = { stores: ['memory'], reason: 'its rows are read past the store' } as const

/** Suites that start the service, by name. */
const SUITES = {
  network: { usual: DATABASES },
  users: { usual: DATABASES },
  nodes: { usual: ['sqlite'] },
  'dated topology': { usual: DATABASES },
  quotas: { usual: ['sqlite'] },
  providers: { usual: DATABASES },
  parties: { usual: DATABASES },
  packages: { usual: DATABASES },
  'packages that run': { usual: DATABASES },
  'released apps': { usual: ['sqlite'] },
  'ledger bad input': { usual: ['sqlite'] },
  commands: { usual: DATABASES },
  'single contracts': { usual: ['sqlite'] },
  sizes: { usual: DATABASES },
  lists: { usual: DATABASES },
  streams: { usual: DATABASES },
  'silent sockets': { usual: DATABASES },
  'interactive submission': { usual: ['sqlite'] },
  'prepared messages': { usual: ['sqlite'] },
  completions: { usual: ['sqlite'] },
  authority: { usual: DATABASES },
  'authorisation matrix': { usual: ['postgres'] },
  wallet: { usual: DATABASES },
  'wallet page': { usual: ['sqlite'] },
  'wallet traces': { usual: ['sqlite'] },
  'repeated requests': { usual: DATABASES },
  'validator bad input': { usual: ['sqlite'], never: NEEDS_ROWS },
  scan: { usual: ['sqlite'] },
  registry: { usual: ['sqlite'] },
  allocations: { usual: ['sqlite'] },
  payments: { usual: DATABASES },
  'external parties: topology': { usual: ['sqlite'] },
  'external parties: setup': { usual: ['sqlite'] },
  'external parties: orders': { usual: ['sqlite'] },
  'external parties: many': { usual: ['sqlite'] },
  'external parties: funds': { usual: ['memory'] },
  'external parties: another ledger': { usual: DATABASES },
  'external parties: copies': {
    usual: DATABASES,
    never: { stores: ['memory'], reason: 'it keeps nothing to copy' },
  },
  races: { usual: ALL },
  clocks: { usual: ['sqlite', 'postgres'] },
  audit: { usual: DATABASES, never: NEEDS_ROWS },
  'development network': {
    usual: DATABASES,
    never: { stores: ['memory'], reason: 'it keeps nothing to go back to' },
  },
  'spending races': { usual: DATABASES, never: NEEDS_ROWS },
  /**
   * Suites without a service, with test-store.ts; test/stores runs them on other stores than
   * memory.
   */
  'in process': { usual: ['memory', 'postgres'] },
  'contracts in process': { usual: ['memory'] },
} as const satisfies Readonly<Record<string, Suite>>

export type SuiteName = keyof typeof SUITES

/** The stores that STORES names; undefined where it is not set. Throws for another name. */
export function chosenStores(): readonly StoreName[] | undefined {
  const given = process.env['STORES'] ?? ''
  if (given === '') return undefined
  const names = given.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !ALL.some((store) => store === name))
  if (unknown !== undefined)
    throw new RangeError(`STORES: there is no store ${unknown}, only ${ALL.join(', ')}`)
  return ALL.filter((store) => names.includes(store))
}

/** The stores of a suite in this run. */
export function storesFor(suite: SuiteName): readonly StorageUnderTest[] {
  const names = namesFor(SUITES[suite])
  return QUICK.filter(({ name }) => names.includes(name))
}

function namesFor({ usual, never }: Suite): readonly StoreName[] {
  return (chosenStores() ?? usual).filter((name) => never?.stores.includes(name) !== true)
}

/**
 * What a run prints first: which stores there are and by which way, and what is left out, with the
 * reason.
 */
export function describeRun(shared?: SharedServer): string {
  const chosen = chosenStores()
  const head = `stores: ${(chosen ?? ALL).join(', ')}${shared === undefined ? '' : `; postgres by ${shared.how}`}`
  const lines = Object.entries<Suite>(SUITES).flatMap(([suite, each]) => {
    const without = (chosen ?? ALL).filter((name) => !namesFor(each).includes(name))
    return without.map((name) => `  ${suite}: not on ${name}, ${reasonFor(each, name)}`)
  })
  return [head, ...lines].join('\n')
}

function reasonFor({ never }: Suite, name: StoreName): string {
  return never?.stores.includes(name) === true
    ? never.reason
    : `for CI's time; STORES=${name} runs it`
}

if (import.meta.main) {
  const shared = process.env[SHARED_SERVER]
  console.log(describeRun(shared === undefined ? undefined : JSON.parse(shared)))
}
