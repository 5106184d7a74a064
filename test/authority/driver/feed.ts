// What happened on the ledger, as an auditor at each node who reads as any party sees it: who has
// how much, who signed what, and which contracts are there for whom to see.
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
  /** The coin of a holding; undefined for everything else. */
  readonly coin: { readonly owner: string; readonly amount: bigint } | undefined
}

/** Effects of one step. */
export interface Delta {
  readonly created: readonly Contract[]
  readonly archived: readonly Contract[]
}

/** Asks as the auditor of one node. */
type AskNode = (line: string, body?: unknown) => Promise<Reply>

export class Feed {
  /** Contracts that are there, and those that were. */
  readonly active = new Map<string, Contract>()
  readonly known = new Map<string, Contract>()
  /** 10^-10 coin by owner, locked ones included. */
  readonly coins = new Map<string, bigint>()
  /** Ids of the contracts that each node has shown. */
  readonly shown: readonly Set<string>[]
  #offset = 0
  readonly #nodes: readonly AskNode[]

  constructor(nodes: readonly AskNode[]) {
    this.#nodes = nodes
    this.shown = nodes.map(() => new Set())
  }

  get offset(): number {
    return this.#offset
  }

  /** Everything since the last time. */
  async next(): Promise<Delta> {
    const [first] = this.#nodes
    const end = Number(member((await first?.('GET /v2/state/ledger-end'))?.json, 'offset'))
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
    for (const [index, ask] of this.#nodes.entries()) {
      const { status, text, json } = await ask('POST /v2/updates', body)
      if (status !== 200) throw new Error(`the auditor cannot read: ${status} ${text}`)
      for (const event of eventsOf(json)) this.#take(event, delta, this.shown[index])
    }
    this.#offset = end
    return delta
  }

  #take(
    event: unknown,
    { created, archived }: { readonly created: Contract[]; readonly archived: Contract[] },
    shown: Set<string> | undefined,
  ): void {
    const creation = member(event, 'CreatedEvent')
    if (creation !== undefined) {
      const contract = contractOf(creation)
      shown?.add(contract.id)
      // Another node has shown it, and perhaps its end.
      if (this.known.has(contract.id)) return
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
