// The contracts that payments need and that seldom change: the network's, wallets, preapprovals,
// rights of applications, grants of the network. They are cached between reads. Each update that
// changes one of them writes a fact; while that fact is unchanged, so are they, whichever server
// commits. docs/ledger-rules.md, "Commits"
import type {
  AnsRules,
  CoinRules,
  DsoRules,
  ExternalPartyCoinRules,
  IssuingMiningRound,
  OpenMiningRound,
} from '../../../generated/contracts.gen.ts'
import {
  ansRules,
  coinRules,
  developmentFundCoupon,
  dsoRules,
  externalPartyCoinRules,
  featuredAppRight,
  issuingMiningRound,
  openMiningRound,
  transferPreapproval,
  unclaimedActivityRecord,
  walletAppInstall,
} from '../../contracts/index.ts'
import type { Clock } from '../../host/plugin.ts'
import type { Contract, KeyedBy, Projector, Reader, Template } from '../../engine/index.ts'
import { templateOf } from '../../store/rules.ts'
import type { ContractRecord, ContractStore, FactRecord } from '../../store/store.ts'
import type { NetworkState } from '../economy.ts'
import { nextRead } from './next-read.ts'
import { FoundContracts } from './found-contracts.ts'

const FACT = { kind: 'network-state', key: '' } as const
const TEMPLATES: ReadonlySet<string> = new Set(
  [
    coinRules,
    externalPartyCoinRules,
    ansRules,
    dsoRules,
    openMiningRound,
    issuingMiningRound,
    featuredAppRight,
    transferPreapproval,
    walletAppInstall,
    unclaimedActivityRecord,
    developmentFundCoupon,
  ].map(({ type }) => type.reference),
)

/** The fact that says that the network's contracts have changed, or moved between synchronizers. */
export function networkChange(updateId: string): FactRecord {
  return { ...FACT, body: JSON.stringify(updateId) }
}

/** Parties whose contracts the network's state consists of. */
interface Authors {
  readonly dso: string
  /** Operators of all nodes that submit through the engine; more may come. */
  readonly operators: ReadonlySet<string>
}

/**
 * Notes each update that changes one of these contracts. Those that none of these parties signed,
 * anybody makes: none counts.
 */
export function networkProjector({ dso, operators }: Authors): Projector {
  const counts = (contract: ContractRecord): boolean =>
    TEMPLATES.has(templateOf(contract)) &&
    contract.signatories.some((party) => party === dso || operators.has(party))
  return {
    of: TEMPLATES,
    project: ({ updateId, events, consumed }) => {
      const changes =
        consumed.some(counts) ||
        events.some((event) => event.kind === 'create' && counts(event.contract))
      return { logs: [], facts: changes ? [networkChange(updateId)] : [] }
    },
  }
}

/** The remembered state; `undefined` before genesis. */
interface Snapshot {
  readonly version: string
  readonly coinRules: Contract<CoinRules> | undefined
  readonly externalPartyCoinRules: Contract<ExternalPartyCoinRules> | undefined
  readonly ansRules: Contract<AnsRules> | undefined
  readonly dsoRules: Contract<DsoRules> | undefined
  readonly openRounds: readonly Contract<OpenMiningRound>[]
  readonly issuingRounds: readonly Contract<IssuingMiningRound>[]
  /** Contracts that were asked for since this version came up. */
  readonly asked: FoundContracts
}

interface NetworkStateInput {
  readonly store: ContractStore
  readonly reader: Reader
  readonly clock: Clock
  readonly dso: string
  readonly operator: string
  /** Whether this node signs for a party, which never changes. */
  readonly signsFor: (party: string) => Promise<boolean>
}

/** Reads of these contracts. The four rules reject until genesis has made them. */
export function createNetworkState({
  store,
  reader,
  clock,
  dso,
  operator,
  signsFor,
}: NetworkStateInput): NetworkState {
  let kept: Snapshot | undefined
  const current = nextRead(async (): Promise<Snapshot> => {
    const version = (await store.fact(FACT.kind, FACT.key))?.body ?? ''
    if (kept?.version !== version)
      kept = await readSnapshot(reader, dso, {
        version,
        asked: new FoundContracts(reader, operator, signsFor),
      })
    return kept
  })
  const openRounds = async () => (await current()).openRounds
  const preapprovalIn = async ({ asked }: Snapshot, receiver: string) => {
    const longest = await asked.preapproval(receiver)
    return longest !== undefined && longest.payload.expiresAt > clock.nowMicros()
      ? longest
      : undefined
  }
  return {
    coinRules: async () => required((await current()).coinRules),
    externalPartyCoinRules: async () => required((await current()).externalPartyCoinRules),
    ansRules: async () => required((await current()).ansRules),
    dsoRules: async () => required((await current()).dsoRules),
    openRounds,
    usableRound: async () => {
      const now = clock.nowMicros()
      return (await openRounds()).findLast(({ payload }) => payload.opensAt <= now)
    },
    earliestRound: async () => (await openRounds())[0],
    issuingRounds: async () => (await current()).issuingRounds,
    preapprovalOf: async (receiver) => preapprovalIn(await current(), receiver),
    featuredAppRightOf: async (provider) => (await current()).asked.featuredAppRight(provider),
    payableTo: async (receiver) => {
      const snapshot = await current()
      const preapproval = await preapprovalIn(snapshot, receiver)
      return (
        preapproval && {
          preapproval,
          right: await snapshot.asked.featuredAppRight(preapproval.payload.provider),
        }
      )
    },
    walletOfUser: async (name, party) => (await current()).asked.wallet(party, name),
    walletOfParty: async (party) => (await current()).asked.wallet(party),
    known: async (ids) => {
      const { asked } = await current()
      return ids.map((id) => asked.record(id)).filter((record) => record !== undefined)
    },
    grants: async () => grantsIn(await current()),
    disclosures: async () => disclosuresIn(await current()),
  }
}

async function grantsIn({ asked }: Snapshot) {
  const [activity, fund] = await Promise.all([
    asked.hasAny(unclaimedActivityRecord),
    asked.hasAny(developmentFundCoupon),
  ])
  return { activity, fund }
}

function disclosuresIn(snapshot: Snapshot): readonly ContractRecord[] {
  const { coinRules: rules, externalPartyCoinRules: factory, openRounds, issuingRounds } = snapshot
  const all = [required(rules), required(factory), ...openRounds, ...issuingRounds]
  return all.map(({ record }) => record)
}

/** A template whose contracts are found by their network's party. */
type OfNetwork<T> = Template<T, KeyedBy<'dso'>>

async function readSnapshot(
  reader: Reader,
  dso: string,
  { version, asked }: Pick<Snapshot, 'version' | 'asked'>,
): Promise<Snapshot> {
  const only = async <T>(template: OfNetwork<T>) =>
    (await reader.active(template, { dso }, { limit: 1 }))[0]
  const rounds = <T>(template: OfNetwork<T>) => reader.active(template, { dso }, { order: 'rank' })
  const [coin, factory, ans, governance, open, issuing] = await Promise.all([
    only(coinRules),
    only(externalPartyCoinRules),
    only(ansRules),
    only(dsoRules),
    rounds(openMiningRound),
    rounds(issuingMiningRound),
  ])
  return {
    version,
    coinRules: coin,
    externalPartyCoinRules: factory,
    ansRules: ans,
    dsoRules: governance,
    openRounds: open,
    issuingRounds: issuing,
    asked,
  }
}

function required<T>(contract: T | undefined): T {
  if (contract === undefined) throw new Error('the network has no rules yet')
  return contract
}
