// The contracts that a command of a party needs, for itself and for its operations: read together,
// so that each is read once.
import type { WalletAppInstall } from '../../../generated/contracts.gen.ts'
import type { Contract } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import type { Request } from './batch.ts'
import { readFunds } from './funds.ts'
import type { Funds } from './funds.ts'
import { namedBy } from './requests.ts'

export interface Means {
  /** Undefined where the party has no wallet here. */
  readonly install: Contract<WalletAppInstall> | undefined
  readonly disclosures: readonly ContractRecord[]
  /** Undefined while no round is open. */
  readonly funds: Funds | undefined
}

/** Contracts that exist before a command is put together. */
export interface Found {
  /** Contracts that the requests name, by id. */
  readonly named: ReadonlyMap<string, ContractRecord>
  readonly means: Means
}

/** The means for a command of these requests, as of now. */
export async function readMeans(
  economy: Economy,
  party: string,
  [first]: readonly Request[],
): Promise<Means> {
  const { network } = economy
  const [install, disclosures, funds] = await Promise.all([
    network.walletOfParty(party),
    network.disclosures(),
    // Who names coupons is alone in a batch.
    readFunds(economy, party, first?.options.validatorCoupons),
  ])
  return { install, disclosures, funds }
}

/** The means, and what the requests name. */
export async function readFound(
  economy: Economy,
  party: string,
  requests: readonly Request[],
): Promise<Found> {
  const [named, means] = await Promise.all([
    namedBy(requests, economy),
    readMeans(economy, party, requests),
  ])
  return { named, means }
}
