// What the service has acknowledged, and whether it is still there at the end. What a request may
// have taken away again is left out.
import { member } from '../../runtime/host/member.ts'
import type { Answer } from '../support/http.ts'
import type { Caller } from './callers.ts'
import { KEEPER } from './callers.ts'
import type { Target } from './surface.ts'
import type { World } from './world.ts'

export interface Acknowledged {
  readonly target: Target
  readonly caller: Caller
  /** Undefined where it was spoilt. */
  readonly body: unknown
  readonly value: unknown
  /** Party of the wallet that was asked. */
  readonly party: string
}

const CONTRACT = /^00[0-9a-f]{96}$/
const CONTRACT_NAMES = /(?:_contract_id|_cid|^contract_id)$/
/** Reads of one kind at the end; the newest. */
const MOST = 1_500
const AT_ONCE = 16
const PROVIDERS = ['', 'p', 'q']

export class Receipts {
  /** Provider by user. */
  readonly users = new Map<string, string>()
  readonly parties = new Set<string>()
  readonly providers = new Set<string>()
  readonly updates = new Set<string>()
  readonly contracts = new Set<string>()
  /** Line of the status operation, and who may ask while this is the party of the wallet. */
  readonly statuses = new Map<string, { readonly name: string; readonly party: string }>()

  /** Notes a request before it is sent: it may take something away, whatever its answer. */
  sending(method: string, target: string): void {
    if (method === 'GET') return
    const segments = (target.split('?')[0] ?? '').split('/').map(decoded)
    if (method === 'DELETE' || segments.includes('identity-provider-id'))
      for (const id of segments) this.users.delete(id)
    for (const id of segments) this.providers.delete(id)
  }

  answered({ target, caller: { name }, body, value, party }: Acknowledged): void {
    switch (target.name) {
      case 'ledger createUser':
        return this.#user(member(value, 'user'))
      case 'ledger allocateParty':
        return this.#party(member(member(value, 'partyDetails'), 'party'))
      case 'ledger allocateExternalParty':
        return this.#party(member(value, 'partyId'))
      case 'ledger createIdentityProviderConfig':
        return void this.providers.add(
          String(member(member(value, 'identityProviderConfig'), 'identityProviderId')),
        )
      case 'validator register':
      case 'validator onboardUser':
      case 'validator submitExternalPartyTopology':
        return this.#party(member(value, 'party_id'))
      case 'validator createTransferOffer':
        if (body !== undefined)
          this.statuses.set(
            `POST /api/validator/v0/wallet/transfer-offers/${encodeURIComponent(textOf(member(body, 'tracking_id')))}/status`,
            { name, party },
          )
    }
    this.#ledger(target, value)
  }

  #user(user: unknown): void {
    const id = textOf(member(user, 'id'))
    if (id !== '') this.users.set(id, textOf(member(user, 'identityProviderId')))
  }

  #party(party: unknown): void {
    if (typeof party === 'string') this.parties.add(party)
  }

  #ledger({ interface: name, operation: { method } }: Target, value: unknown): void {
    if (method !== 'POST' || typeof value !== 'object' || value === null) return
    const update =
      member(value, 'updateId') ??
      member(member(value, 'transaction'), 'updateId') ??
      (name === 'validator' ? member(value, 'update_id') : undefined)
    if (typeof update === 'string') this.updates.add(update)
    if (name !== 'validator') return
    for (const [key, id] of Object.entries(value)) {
      if (typeof id === 'string' && CONTRACT_NAMES.test(key) && CONTRACT.test(id))
        this.contracts.add(id)
    }
  }

  /** Acknowledged things that cannot be found, a line each. */
  async missing(world: World): Promise<readonly string[]> {
    const {
      authority: { ask },
      parties,
    } = world
    const looks = [
      ...[...this.users]
        .slice(-MOST)
        .map(([id, provider]): Look => ({ lines: [lineOf('users', id, provider)], name: KEEPER })),
      ...[...this.parties].slice(-MOST).map((party): Look => ({
        lines: PROVIDERS.map((provider) => lineOf('parties', party, provider)),
        name: KEEPER,
      })),
      ...[...this.providers].map((id): Look => ({
        lines: [`GET /v2/idps/${encodeURIComponent(id)}`],
        name: KEEPER,
      })),
      ...[...this.statuses]
        .slice(-MOST)
        .filter(([, { name, party }]) => parties.get(name) === party)
        .map(([line, { name }]): Look => ({ lines: [line], name })),
    ]
    const lost: string[] = []
    const worker = async (): Promise<void> => {
      for (let next = looks.pop(); next !== undefined; next = looks.pop()) {
        const { lines, name } = next
        const answers: Answer[] = []
        for (const line of lines) answers.push(await ask(name, line))
        if (!answers.some(isThere))
          lost.push(`${lines[0]}: ${answers[0]?.status} ${answers[0]?.text.slice(0, 200)}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    return lost
  }
}

/** Requests of which one finds it. */
interface Look {
  readonly lines: readonly string[]
  readonly name: string
}

function lineOf(kind: 'users' | 'parties', id: string, provider: string): string {
  return `GET /v2/${kind}/${encodeURIComponent(id)}?identity-provider-id=${encodeURIComponent(provider)}`
}

/** A list without anything in it is a 200, too; a wallet's user may have lost the right to ask. */
function isThere({ status, json }: Answer): boolean {
  const details = member(json, 'partyDetails')
  return status === 403 || (status === 200 && !(Array.isArray(details) && details.length === 0))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
