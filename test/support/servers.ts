// Several servers on one PostgreSQL, started at the same moment, as their clients see them.
import assert from 'node:assert/strict'
import pg from 'pg'
import { member } from '../../runtime/host/member.ts'
import { call } from './http.ts'
import type { Answer } from './http.ts'
import { startService } from './service.ts'
import type { Service } from './service.ts'
import { startPostgres } from './postgres.ts'
import { ask } from './wallet-client.ts'
import type { WalletUser } from './wallet-client.ts'

/** A server, with a token of its own for each user: data folders and keys are not shared. */
export interface Server {
  readonly service: Service
  readonly url: string
  readonly alice: WalletUser
  readonly bob: WalletUser
  /** Asks as the operator. */
  asOperator(request: string, body?: unknown): Promise<Answer>
}

export interface Servers {
  readonly all: readonly Server[]
  readonly databaseUrl: string
  /** The rows of a query on the database. */
  query(
    sql: string,
    ...values: readonly unknown[]
  ): Promise<readonly Readonly<Record<string, unknown>>[]>
  stop(): Promise<void>
}

/** Starts `count` servers at once on an empty database, seeded. */
export async function startServers(count: number, config: object = {}): Promise<Servers> {
  const postgres = await startPostgres()
  const url = await postgres.createDatabase()
  const full = { storage: { use: 'postgres', url }, ...config }
  const services = await Promise.all(
    Array.from({ length: count }, () => startService({ config: full, seeded: true })),
  )
  const database = new pg.Client(url)
  database.on('error', () => {})
  await database.connect()
  return {
    all: await Promise.all(services.map(serverOf)),
    databaseUrl: url,
    query: async (sql, ...values) =>
      (await database.query<Record<string, unknown>>(sql, [...values])).rows,
    stop: async () => {
      await Promise.all(services.map((service) => service.stop()))
      await database.end()
      await postgres.stop()
    },
  }
}

async function serverOf(service: Service): Promise<Server> {
  const [alice, bob, operator] = await Promise.all(
    ['alice', 'bob', 'operator'].map((name) => userOf(service, name)),
  )
  assert.ok(alice && bob && operator)
  const asOperator = (request: string, body?: unknown): Promise<Answer> =>
    call(service.url, request, { token: operator.token, ...(body === undefined ? {} : { body }) })
  return { service, url: service.url, alice, bob, asOperator }
}

async function userOf(service: Service, name: string): Promise<WalletUser> {
  const token = await service.token(name)
  const status = await ask(service.url, { token, party: '' }, 'GET /user-status')
  assert.equal(status.status, 200, status.text)
  return { token, party: String(member(status.json, 'party_id')) }
}
