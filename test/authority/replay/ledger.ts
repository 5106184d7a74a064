// Ledgers to send things to: each is a service of the development profile in this process, whose
// data is saved, replaced, taken back and restored, and whose clock the test moves.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFrom } from '../../../runtime/cli/backup-file.ts'
import { maintenanceOf } from '../../../runtime/cli/storage.ts'
import { copyFact } from '../../../runtime/economy/network/copies.ts'
import { member } from '../../../runtime/host/member.ts'
import { hs256, makeToken, secondsFromNow } from '../../../runtime/testing/auth/tokens.ts'
import { synchronizerOf, participantOf } from '../../nodes/kit.ts'
import type { NodeClient } from '../../nodes/kit.ts'
import type { Answer } from '../../support/http.ts'
import { createClient } from '../driver/client.ts'
import { OFF, TASKS, startNodes } from '../driver/node.ts'
import type { Service } from '../driver/node.ts'
import { rightToWire } from '../driver/wire.ts'

/** Administers, reads and executes as any party: signatures protect from this user, too. */
export const MIGHTY = 'reader'
const LIFETIME_SECONDS = 3_500
const VALIDATOR = '/api/validator/v0'
/** Nothing happens by itself. */
const AUTOMATIONS = [...OFF, ...TASKS, 'names', 'round-totals', 'subscriptions']
const NEVER_MS = 86_400_000
const RUN_LOOKS = 400

/** A node of a ledger. */
export interface Place extends NodeClient {
  readonly ledger: Ledger
  /** Its number on the ledger, from 0. */
  readonly index: number
  /** Another one after the data was replaced. */
  readonly uid: string
  readonly synchronizer: string
  /** The token that the node's own issuer gives to a user. */
  tokenOf(user: string): string
  /** Sends with any token. */
  send(token: string, line: string, body?: unknown): Promise<Answer>
}

/** A section `storage` on fresh data. */
export type Storage = () => Promise<object>

export class Ledger {
  readonly name: string
  readonly places: readonly Place[]
  readonly #fresh: Storage
  #storage: object = {}
  #dataDir = ''
  readonly #folders: string[] = []
  #service: Service | undefined
  #clients: readonly ReturnType<typeof createClient>[] = []
  readonly #ids = new Map<number, { uid: string; synchronizer: string }>()

  private constructor(name: string, nodes: number, fresh: Storage) {
    this.name = name
    this.#fresh = fresh
    this.places = Array.from({ length: nodes }, (_, index) => this.#place(index))
  }

  static async open(name: string, nodes: number, fresh: Storage): Promise<Ledger> {
    const ledger = new Ledger(name, nodes, fresh)
    await ledger.#empty()
    await ledger.#start()
    await ledger.#begin()
    return ledger
  }

  /** The node of that number. */
  at(index: number): Place {
    const place = this.places[index]
    if (place === undefined) throw new RangeError(`there is no node ${index}`)
    return place
  }

  /** Milliseconds, by the ledger. */
  async now(): Promise<number> {
    const { done } = this.at(0)
    return Date.parse(String(member(await done('operator', `GET ${VALIDATOR}/admin/clock`), 'now')))
  }

  /** Offset of the last thing that happened. */
  async end(): Promise<number> {
    return Number(member(await this.at(0).done(MIGHTY, 'GET /v2/state/ledger-end'), 'offset'))
  }

  async advance(hours: number): Promise<void> {
    const body = { advance_microseconds: hours * 3_600_000_000 }
    await this.at(0).done('operator', `POST ${VALIDATOR}/admin/clock`, body)
  }

  async restart(): Promise<void> {
    await this.#stop()
    await this.#start()
  }

  /** The file of a new backup. */
  async save(name: string): Promise<string> {
    await this.at(0).done('operator', 'POST /development/snapshots', { name })
    return join(this.#dataDir, 'snapshots', `${name}.backup`)
  }

  /** The data is replaced: by `revert`, `reset` or `fork`. */
  async replace(how: 'revert' | 'reset' | 'fork', body: object = {}): Promise<void> {
    await this.at(0).done('operator', `POST /development/${how}`, body)
    await this.#begin()
  }

  /**
   * Another server begins with the data of a backup: in place of a ledger that is lost, or as a
   * copy beside it.
   */
  async restore(file: string, how: 'copy' | 'in-place'): Promise<void> {
    await this.#stop()
    await this.#empty()
    const config = join(this.#dataDir, 'restore.json')
    await writeFile(config, JSON.stringify({ storage: this.#storage, data: this.#dataDir }))
    const maintenance = await maintenanceOf({ config })
    await maintenance.restore(await readFrom(file), how === 'copy' ? [copyFact()] : [])
    await this.#start()
    await this.#begin()
  }

  /** Runs an automation of the first node to its end. */
  async run(automation: string): Promise<void> {
    const { done } = this.at(0)
    await done('operator', `POST ${VALIDATOR}/admin/automations/${automation}/run`)
    for (let look = 0; look < RUN_LOOKS; look += 1) {
      const all = member(
        await done('operator', `GET ${VALIDATOR}/admin/automations`),
        'automations',
      )
      const found: unknown = Array.isArray(all)
        ? all.find((each) => member(each, 'name') === automation)
        : undefined
      if (member(found, 'state') !== 'running') return
    }
    throw new Error(`the automation ${automation} does not end`)
  }

  async close(): Promise<void> {
    await this.#stop()
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true })
  }

  /** New storage. What was saved before stays where it is. */
  async #empty(): Promise<void> {
    this.#storage = await this.#fresh()
    this.#dataDir = await mkdtemp(join(tmpdir(), 'ledgerwright-'))
    this.#folders.push(this.#dataDir)
  }

  async #start(): Promise<void> {
    const secrets = this.places.map((_, index) => this.#secretOf(index))
    this.#service = await startNodes({
      storage: this.#storage,
      dataDir: this.#dataDir,
      auths: secrets.map((secret) => [{ use: 'jwt', unsafeHmac: { secret } }]),
      sections: {
        profile: 'dev',
        clock: 'simulated',
        automations: {
          ...Object.fromEntries(AUTOMATIONS.map((name) => [name, false])),
          prune: { keepUpdates: 1, everyMs: NEVER_MS },
        },
      },
    })
    this.#clients = this.#service.ports.map(createClient)
  }

  async #stop(): Promise<void> {
    for (const client of this.#clients) client.close()
    await this.#service?.stop()
  }

  /** New data: who is there, and what the nodes are called. */
  async #begin(): Promise<void> {
    for (const place of this.places) {
      const uid = await participantOf(place)
      this.#ids.set(place.index, { uid, synchronizer: await synchronizerOf(place) })
      const rights = ['ParticipantAdmin', 'CanReadAsAnyParty', 'CanExecuteAsAnyParty'] as const
      const user = { id: MIGHTY, identityProviderId: '' }
      await place.ask('participant_admin', 'POST /v2/users', {
        user,
        rights: rights.map(rightToWire),
      })
    }
  }

  #secretOf(index: number): string {
    return `secret of node ${index} of ${this.name}`
  }

  #place(index: number): Place {
    const tokens = new Map<string, string>()
    const tokenOf = (sub: string): string => {
      const claims = { sub, exp: secondsFromNow(LIFETIME_SECONDS) }
      const token =
        tokens.get(sub) ??
        makeToken({ alg: 'HS256', typ: 'JWT' }, claims, hs256(this.#secretOf(index)))
      tokens.set(sub, token)
      return token
    }
    const send: Place['send'] = async (token, line, body) => {
      const client = this.#clients[index]
      if (client === undefined) throw new Error('the ledger is closed')
      return { ...(await client.ask(line, token, body)), type: '', headers: new Headers() }
    }
    const ask: Place['ask'] = (user, line, body) => send(tokenOf(user), line, body)
    const ids = (): { uid: string; synchronizer: string } =>
      this.#ids.get(index) ?? { uid: '', synchronizer: '' }
    return {
      name: `${this.name}/${index + 1}`,
      ledger: this,
      index,
      get uid() {
        return ids().uid
      },
      get synchronizer() {
        return ids().synchronizer
      },
      tokenOf,
      send,
      ask,
      done: async (user, line, body) => {
        const { status, text, json } = await ask(user, line, body)
        if (status !== 200)
          throw new Error(`${this.name}/${index + 1}, ${user}: ${line}: ${status} ${text}`)
        return json
      },
    }
  }
}
