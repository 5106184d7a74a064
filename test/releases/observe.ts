// What a running service shows of its data by its public operations: everything that a later
// version must show as well, in a form that does not change when an answer gets another field.
import { createHash } from 'node:crypto'
import { at, clientOf, listAt, textAt } from './client.ts'
import type { Client } from './client.ts'
import { startIssuer } from './keys.ts'
import type { Kept } from './release.ts'

const ADMIN = 'participant_admin'
/** Reads as any party. */
const AUDITOR = 'auditor'
const PAGE = 10
const MAX_PAGES = 5

const PROVIDER = ['identityProviderId', 'isDeactivated', 'issuer', 'jwksUrl', 'audience']
/**
 * Not the round and what holding fees come to in it: a round that was to open then has opened
 * since.
 */
const BALANCE = ['effective_unlocked_qty', 'effective_locked_qty']
const ENTRY = [
  'transaction_type',
  'transaction_subtype',
  'event_id',
  'date',
  'sender',
  'receivers',
  'holding_fees',
  'app_rewards_used',
  'validator_rewards_used',
  'sv_rewards_used',
  'development_fund_coupons_used',
  'transfer_instruction_receiver',
  'transfer_instruction_amount',
  'transfer_instruction_cid',
  'description',
  'details',
]

export interface Balance {
  readonly unlocked: string
  readonly locked: string
  readonly holdings: number
}

export interface ObservedWallet {
  readonly user: string
  /** The status of the answer to the user's question for its wallet. */
  readonly status: number
  readonly party?: string
  readonly balance?: unknown
  /** Contract id and amount. */
  readonly coins?: readonly string[]
  readonly lockedCoins?: readonly string[]
  /** The history by pages, newest first. */
  readonly history?: readonly (readonly unknown[])[]
  /** The end of each coupon of the development fund. */
  readonly fund?: readonly unknown[]
}

export interface Observed {
  readonly participant: string
  readonly ledgerEnd: number
  readonly prunedUpTo: number
  readonly providers: readonly unknown[]
  readonly users: readonly unknown[]
  readonly parties: readonly unknown[]
  /** Hashes of the bytes by id, which is the same. */
  readonly packages: Readonly<Record<string, string>>
  /** All updates that are left: offset, id, and what happened. */
  readonly updates: readonly (readonly unknown[])[]
  /** Contracts of each template that are active, without those in flight. */
  readonly counts: Readonly<Record<string, number>>
  /** Payloads of active contracts, by template and contract id. */
  readonly contracts: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Balances of all who hold coin, by what is active. */
  readonly balances: Readonly<Record<string, Balance>>
  readonly supply: string
  /** The same by scan, as of a snapshot. */
  readonly snapshot: { readonly recordTime: string; readonly sums: readonly (readonly unknown[])[] }
  /** Statuses of offers and requests, by their tracking ids. */
  readonly statuses: Readonly<Record<string, unknown>>
  readonly externals: Readonly<Record<string, Omit<Balance, 'holdings'>>>
  /** Users with wallets whom the operator's list has. */
  readonly walletUsers: readonly string[]
  readonly wallets: readonly ObservedWallet[]
}

/**
 * Asks for everything. Changes one thing, last: where the provider's keys are, so that its users
 * can be asked for their wallets.
 */
export async function observe(client: Client, kept: Kept, madeAt: string): Promise<Observed> {
  const { done } = client
  const ledgerEnd = Number(at(await done(AUDITOR, 'GET /v2/state/ledger-end'), 'offset'))
  const prunedUpTo = Number(
    at(
      await done(AUDITOR, 'GET /v2/state/latest-pruned-offsets'),
      'participantPrunedUpToInclusive',
    ),
  )
  const contracts = await activeContracts(client, ledgerEnd)
  const balances = balancesOf(contracts)
  return {
    participant: textAt(await done(ADMIN, 'GET /v2/parties/participant-id'), 'participantId'),
    ledgerEnd,
    prunedUpTo,
    providers: listAt(await done(ADMIN, 'GET /v2/idps'), 'identityProviderConfigs').map((each) =>
      picked(each, PROVIDER),
    ),
    users: await usersOf(client, kept),
    parties: await partiesOf(client, kept),
    packages: await packagesOf(client),
    updates: await updatesOf(client, prunedUpTo, ledgerEnd),
    counts: Object.fromEntries(
      Object.entries(contracts).map(([entity, byId]) => [entity, Object.keys(byId).length]),
    ),
    contracts,
    balances,
    supply: decimalText(
      sum(Object.values(balances).flatMap(({ unlocked, locked }) => [unlocked, locked])),
    ),
    snapshot: await snapshotOf(client, Object.keys(balances), madeAt),
    statuses: await statusesOf(client),
    externals: await externalsOf(client, kept),
    walletUsers: await walletUsersOf(client, kept),
    wallets: await walletsOf(client, kept),
  }
}

/** Payloads of all active contracts, by the last part of their template's id and by their own. */
export async function activeContracts(
  { done }: Client,
  activeAtOffset: number,
): Promise<Observed['contracts']> {
  const found = await done(AUDITOR, 'POST /v2/state/active-contracts', {
    activeAtOffset,
    eventFormat: { filtersForAnyParty: {} },
  })
  const events = itemsOf(found).map((entry) =>
    at(entry, 'contractEntry', 'JsActiveContract', 'createdEvent'),
  )
  const byEntity = Map.groupBy(
    events,
    (event) => textAt(event, 'templateId').split(':').at(-1) ?? '',
  )
  return Object.fromEntries(
    [...byEntity]
      .toSorted(byName)
      .map(([entity, all]) => [
        entity,
        Object.fromEntries(
          all.map((event) => [textAt(event, 'contractId'), at(event, 'createArgument')]),
        ),
      ]),
  )
}

/** Computes with the payloads alone. */
export function balancesOf(contracts: Observed['contracts']): Observed['balances'] {
  const unlocked = Object.values(contracts['Coin'] ?? {})
  const locked = Object.values(contracts['LockedCoin'] ?? {}).map((payload) => at(payload, 'coin'))
  const owners = [
    ...new Set([...unlocked, ...locked].map((coin) => textAt(coin, 'owner'))),
  ].toSorted()
  const held = (coins: readonly unknown[], owner: string): readonly string[] =>
    coins
      .filter((coin) => textAt(coin, 'owner') === owner)
      .map((coin) => textAt(coin, 'amount', 'initialAmount'))
  return Object.fromEntries(
    owners.map((owner) => {
      const [free, bound] = [held(unlocked, owner), held(locked, owner)]
      return [
        owner,
        {
          unlocked: decimalText(sum(free)),
          locked: decimalText(sum(bound)),
          holdings: free.length + bound.length,
        },
      ]
    }),
  )
}

const PLACES = 10

function sum(amounts: readonly string[]): bigint {
  return amounts.reduce((total, amount) => {
    const [whole = '', fraction = ''] = amount.split('.')
    return total + BigInt(whole + fraction.padEnd(PLACES, '0'))
  }, 0n)
}

function decimalText(amount: bigint): string {
  return String(amount)
    .padStart(PLACES + 1, '0')
    .replace(/(\d{10})$/, '.$1')
}

async function packagesOf({ url, done, tokenOf }: Client): Promise<Observed['packages']> {
  const ids = listAt(await done(ADMIN, 'GET /v2/packages'), 'packageIds')
    .map(String)
    .toSorted()
  const headers = { authorization: `Bearer ${await tokenOf(ADMIN)}` }
  return Object.fromEntries(
    await Promise.all(
      ids.map(async (id): Promise<[string, string]> => {
        const response = await fetch(`${url}/v2/packages/${id}`, { headers })
        return [
          id,
          createHash('sha256')
            .update(await response.bytes())
            .digest('hex'),
        ]
      }),
    ),
  )
}

/** Users of each provider, with their rights as texts. */
async function usersOf({ ask, done }: Client, kept: Kept): Promise<readonly unknown[]> {
  const own = listAt(await done(ADMIN, 'GET /v2/users'), 'users')
  const named = [
    'acme-admin',
    'acme-clerk',
    'dormouse',
    'grace',
    'heidi',
    ...kept.gone.map(({ user }) => user),
  ]
  const others = await Promise.all(named.map((id) => ask(ADMIN, `GET /v2/users/${id}`)))
  const users = [
    ...own,
    ...others.filter(({ status }) => status === 200).map(({ json }) => at(json, 'user')),
  ]
  return Promise.all(
    users.map(async (user) => {
      const id = textAt(user, 'id')
      const rights = listAt(await done(ADMIN, `GET /v2/users/${id}/rights`), 'rights')
      return {
        id,
        primaryParty: at(user, 'primaryParty'),
        isDeactivated: at(user, 'isDeactivated'),
        provider: at(user, 'identityProviderId'),
        primaryPartyAuthentication: at(user, 'primaryPartyAuthentication'),
        annotations: at(user, 'metadata', 'annotations'),
        rights: rights.map(rightText).toSorted(),
      }
    }),
  )
}

function rightText(right: unknown): string {
  const [[kind = '', value] = []] = Object.entries(Object(at(right, 'kind')))
  return [kind, at(value, 'value', 'party')].filter((part) => part !== undefined).join(' ')
}

async function partiesOf(
  { done }: Client,
  { issuer: { provider } }: Kept,
): Promise<readonly unknown[]> {
  const providers = ['', provider, 'dormant']
  const pages = await Promise.all(
    providers.map((id) => done(ADMIN, `GET /v2/parties?identity-provider-id=${id}`)),
  )
  return pages
    .flatMap((page) => listAt(page, 'partyDetails'))
    .map((party) => ({
      party: at(party, 'party'),
      isLocal: at(party, 'isLocal'),
      provider: at(party, 'identityProviderId'),
      annotations: at(party, 'localMetadata', 'annotations'),
    }))
}

/**
 * Of the updates after one offset and up to another: offset, id, kind and what happened, each as
 * texts and numbers.
 */
export async function updatesOf(
  { done }: Client,
  beginExclusive: number,
  endInclusive: number,
): Promise<Observed['updates']> {
  const includeTransactions = {
    transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
    eventFormat: { filtersForAnyParty: {} },
  }
  const found = await done(AUDITOR, 'POST /v2/updates', {
    beginExclusive,
    endInclusive,
    updateFormat: { includeTransactions, includeReassignments: { filtersForAnyParty: {} } },
  })
  return itemsOf(found).flatMap((item) => {
    const [[kind, update] = ['']] = Object.entries(Object(at(item, 'update')))
    if (kind === 'OffsetCheckpoint') return []
    const value = at(update, 'value')
    const events = Array.isArray(at(value, 'events')) ? listAt(value, 'events') : []
    return [[at(value, 'offset'), at(value, 'updateId'), kind, ...events.map(eventText)]]
  })
}

function eventText(event: unknown): string {
  const [[kind = '', body] = []] = Object.entries(Object(event))
  const source = at(body, 'source') ?? at(body, 'value', 'source')
  if (source !== undefined) return `${kind} ${String(source)}`
  const entity = String(at(body, 'templateId')).split(':').at(-1)
  return at(body, 'choice') === undefined ? `+${entity}` : `${entity}.${String(at(body, 'choice'))}`
}

async function snapshotOf(
  { ask, done }: Client,
  owners: readonly string[],
  before: string,
): Promise<Observed['snapshot']> {
  const line = `GET /api/scan/v0/state/acs/snapshot-timestamp?migration_id=0&before=${encodeURIComponent(before)}`
  const recordTime = textAt(await done('', line), 'record_time')
  const query = { migration_id: 0, record_time: recordTime, owner_party_ids: owners }
  const { json } = await ask('', 'POST /api/scan/v1/holdings/summary', query)
  const sums = listAt(json, 'summaries').map((one) => [
    at(one, 'party_id'),
    at(one, 'total_unlocked_coin'),
    at(one, 'total_locked_coin'),
  ])
  return { recordTime, sums: sums.toSorted() }
}

const TRACKED = {
  'alice transfer-offers': ['flat', 'refused', 'taken-back', 'late', 'open'],
  'bob transfer-offers': ['accepted'],
  'alice buy-traffic-requests': ['done', 'open-request'],
}
const STATUS = ['status', 'transaction_id', 'contract_id', 'failure_kind', 'withdrawn_reason']

async function statusesOf({ done }: Client): Promise<Observed['statuses']> {
  const asked = Object.entries(TRACKED).flatMap(([what, ids]) =>
    ids.map((id) => [...what.split(' '), id] as const),
  )
  return Object.fromEntries(
    await Promise.all(
      asked.map(async ([user = '', kind = '', id = '']): Promise<[string, unknown]> => [
        id,
        picked(await done(user, `POST /v0/wallet/${kind}/${id}/status`), STATUS),
      ]),
    ),
  )
}

async function externalsOf({ done }: Client, { partyKeys }: Kept): Promise<Observed['externals']> {
  const entries = Object.keys(partyKeys).map(
    async (party): Promise<[string, Omit<Balance, 'holdings'>]> => {
      const balance = await done(
        'operator',
        `GET /v0/admin/external-party/balance?party_id=${encodeURIComponent(party)}`,
      )
      return [
        party,
        {
          unlocked: textAt(balance, 'total_unlocked_coin'),
          locked: textAt(balance, 'total_locked_coin'),
        },
      ]
    },
  )
  return Object.fromEntries(await Promise.all(entries))
}

const GRANT = [
  'createdAt',
  'archivedAt',
  'beneficiary',
  'fund_manager',
  'amount',
  'reason',
  'status',
  'rejection_or_withdrawal_reason',
]

async function fundOf({ done }: Client, user: string): Promise<readonly unknown[]> {
  const history = await done(user, `GET /v0/wallet/development-fund-coupons/history?limit=${PAGE}`)
  return listAt(history, 'development_fund_coupon_history').map((grant) => picked(grant, GRANT))
}

async function walletUsersOf({ done }: Client, { wallets }: Kept): Promise<readonly string[]> {
  const listed = listAt(await done('operator', 'GET /v0/admin/users'), 'usernames')
  return wallets.map(({ user }) => user).filter((user) => listed.includes(user))
}

async function walletsOf(
  client: Client,
  { wallets, issuer: { provider, issuer, privateKey } }: Kept,
): Promise<readonly ObservedWallet[]> {
  const keys = await startIssuer(issuer, privateKey)
  const identityProviderConfig = { identityProviderId: provider, issuer, jwksUrl: keys.jwksUrl }
  await client.done(ADMIN, `PATCH /v2/idps/${provider}`, {
    identityProviderConfig,
    updateMask: { paths: ['jwksUrl'] },
  })
  const ofProvider = wallets
    .filter((wallet) => wallet.provider === provider)
    .map(({ user }) => [user, keys.tokenOf(user)])
  const known = clientOf(client.url, Object.fromEntries(ofProvider))
  try {
    return await Promise.all(wallets.map(({ user }) => walletOf(known, user)))
  } finally {
    await keys.stop()
  }
}

async function walletOf(client: Client, user: string): Promise<ObservedWallet> {
  const { ask, done } = client
  const { status, json } = await ask(user, 'GET /v0/wallet/user-status')
  if (status !== 200) return { user, status }
  const balance = await done(user, 'GET /v0/wallet/balance')
  const coins = await done(user, 'GET /v0/wallet/coins')
  return {
    user,
    status,
    party: textAt(json, 'party_id'),
    balance: picked(balance, BALANCE),
    coins: coinTexts(coins, 'coins', ['amount']),
    lockedCoins: coinTexts(coins, 'locked_coins', ['coin', 'amount']),
    history: await historyOf(client, user),
    fund: await fundOf(client, user),
  }
}

function coinTexts(coins: unknown, kind: string, amount: readonly string[]): readonly string[] {
  return listAt(coins, kind)
    .map((each) => {
      const contract = at(each, 'contract', 'contract')
      return `${textAt(contract, 'contract_id')} ${textAt(contract, 'payload', ...amount, 'initialAmount')}`
    })
    .toSorted()
}

async function historyOf({ done }: Client, user: string): Promise<readonly (readonly unknown[])[]> {
  const pages: (readonly unknown[])[] = []
  let after = ''
  while (pages.length < MAX_PAGES) {
    const items = listAt(
      await done(user, 'POST /v0/wallet/transactions', { page_size: PAGE, begin_after_id: after }),
      'items',
    )
    if (items.length === 0) break
    pages.push(items.map((item) => picked(item, ENTRY)))
    after = textAt(items.at(-1), 'event_id')
  }
  return pages
}

/** The members of these names that are there. */
function picked(value: unknown, names: readonly string[]): unknown {
  return Object.fromEntries(
    names
      .map((name) => [name, at(value, name)] as const)
      .filter(([, member]) => member !== undefined),
  )
}

function itemsOf(found: unknown): readonly unknown[] {
  return Array.isArray(found) ? found : []
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}
