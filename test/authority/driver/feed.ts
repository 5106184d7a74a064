// What happened on the ledger, as an auditor who reads as any party sees it: who has how much, who
// signed what, and which contracts are there for whom to see.
import { member } from '../../../runtime/host/member.ts'
import type { Reply } from './client.ts'
import { eventFormatOf } from './wire.ts'

export interface Contract {
  readonly id: string
  /** `Coin`, `LockedCoin`, `TransferOffer`. */
  readonly entity: string
  readonly payload: unknown
  readonly signatories: readonly string[]
  readonly observers: readonly string[]
  /** Of a holding; undefined for everything else. */
  readonly coin: { readonly owner: string; readonly amount: bigint } | undefined
}

/** What one step brought about. */
export interface Delta {
  readonly created: readonly Contract[]
  readonly archived: readonly Contract[]
}

export class Feed {
  /** Contracts that are there, and those that were. */
  readonly active = new Map<string, Contract>()
  readonly known = new Map<string, Contract>()
  /** 10^-10 coin by owner, locked ones included. */
  readonly coins = new Map<string, bigint>()
  #offset = 0
  readonly #ask: (line: string, body?: unknown) => Promise<Reply>

  /** `ask` as the auditor. */
  constructor(ask: (line: string, body?: unknown) => Promise<Reply>) {
    this.#ask = ask
  }

  get offset(): number {
    return this.#offset
  }

  /** Everything since the last time. */
  async next(): Promise<Delta> {
    const end = Number(member((await this.#ask('GET /v2/state/ledger-end')).json, 'offset'))
    const delta = { created: new Array<Contract>(), archived: new Array<Contract>() }
    if (end === this.#offset) return delta
    const includeTransactions = {
      transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
      eventFormat: eventFormatOf([], true),
    }
    const body = {
      beginExclusive: this.#offset,
      endInclusive: end,
      updateFormat: { includeTransactions },
    }
    const { status, text, json } = await this.#ask('POST /v2/updates', body)
    if (status !== 200) throw new Error(`the auditor cannot read: ${status} ${text}`)
    for (const event of eventsOf(json)) this.#take(event, delta)
    this.#offset = end
    return delta
  }

  #take(
    event: unknown,
    { created, archived }: { readonly created: Contract[]; readonly archived: Contract[] },
  ): void {
    const creation = member(event, 'CreatedEvent')
    if (creation !== undefined) {
      const contract = contractOf(creation)
      this.active.set(contract.id, contract)
      this.known.set(contract.id, contract)
      this.#add(contract, 1n)
      created.push(contract)
      return
    }
    const id = String(member(member(event, 'ArchivedEvent'), 'contractId'))
    const contract = this.active.get(id)
    if (contract === undefined) return
    this.active.delete(id)
    this.#add(contract, -1n)
    archived.push(contract)
  }

  #add({ coin }: Contract, sign: bigint): void {
    if (coin !== undefined)
      this.coins.set(coin.owner, (this.coins.get(coin.owner) ?? 0n) + sign * coin.amount)
  }
}

function eventsOf(updates: unknown): readonly unknown[] {
  return listOf(updates).flatMap((update) =>
    listOf(member(member(member(member(update, 'update'), 'Transaction'), 'value'), 'events')),
  )
}

function contractOf(event: unknown): Contract {
  const entity = String(member(event, 'templateId')).split(':').at(-1) ?? ''
  const payload = member(event, 'createArgument')
  return {
    id: String(member(event, 'contractId')),
    entity,
    payload,
    signatories: listOf(member(event, 'signatories')).map(String),
    observers: listOf(member(event, 'observers')).map(String),
    coin: coinOf(entity, payload),
  }
}

function coinOf(entity: string, payload: unknown): Contract['coin'] {
  const coin =
    entity === 'Coin' ? payload : entity === 'LockedCoin' ? member(payload, 'coin') : undefined
  if (coin === undefined) return undefined
  return {
    owner: String(member(coin, 'owner')),
    amount: amountOf(String(member(member(coin, 'amount'), 'initialAmount'))),
  }
}

/** 10^-10 of decimal text. */
export function amountOf(text: string): bigint {
  const [whole = '0', places = ''] = text.split('.')
  return BigInt(whole) * 10_000_000_000n + BigInt(places.padEnd(10, '0'))
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
