// Whose wallet a request is about: the caller's, by the link that onboarding made, never by a name.
// docs/authority.md
import type { WalletAppInstall } from '../../../generated/contracts.gen.ts'
import type { Committed, Contract, Rejected, Submission, Tx } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import type { Principal } from '../../access/principal.ts'
import type { Economy } from '../economy.ts'
import { notFound, PlainError } from '../errors.ts'
import { committedUnlessPassing } from '../network/commands.ts'

/** A hosted party with the installation through which the validator acts for it. */
export interface Wallet {
  readonly userName: string
  readonly party: string
  readonly install: Contract<WalletAppInstall>
}

/**
 * The caller's wallet; 404 where there is none, 403 where the caller may not act for its party.
 * docs/authority.md
 */
export async function walletOf(
  economy: Pick<Economy, 'network'>,
  { user, rights, walletParty: party }: Principal,
): Promise<Wallet | PlainError> {
  if (party !== undefined && !rights.allows('act-as', party))
    return new PlainError(403, 'The caller may not do this.')
  const install =
    party === undefined ? undefined : await economy.network.walletOfUser(user.id, party)
  if (party === undefined || install === undefined)
    return notFound(`No wallet found for user ${user.id}`)
  return { userName: user.id, party, install }
}

interface WalletCommand<R> extends Pick<Submission<R>, 'project'> {
  run(tx: Tx): R
  /** The id of a command that may happen once; made up if absent. */
  readonly commandId?: string
  /** Contracts that the party may not see by itself. */
  readonly disclosed?: readonly ContractRecord[]
  /** Costs no traffic: for what is needed to get some. */
  readonly free?: boolean
}

/**
 * Submits as the operator for a wallet's party, as which it reads: for what spends no coins, which
 * goes through the treasury instead. Undefined where it is not the moment or others were faster.
 * Rejects with `SubmissionRejected` where the ledger's rules refuse it.
 */
export async function submitFor<R>(
  ...submitted: Parameters<typeof verdictFor<R>>
): Promise<Committed<R> | undefined> {
  return committedUnlessPassing(await verdictFor(...submitted))
}

/** The same, for who wants to see a refusal. */
export async function verdictFor<R>(
  economy: Pick<Economy, 'engine' | 'network' | 'parties' | 'quotas'>,
  party: string,
  { run, commandId, disclosed = [], free = false, project }: WalletCommand<R>,
): Promise<Committed<R> | Rejected> {
  const disclosedContracts = [...(await economy.network.disclosures()), ...disclosed]
  return economy.quotas.within({ wallet: party }, (claim) =>
    economy.engine.submit({
      actAs: [economy.parties.operator],
      readAs: [party],
      userId: '',
      ...(commandId === undefined ? {} : { commandId }),
      ...(project === undefined ? {} : { project }),
      disclosedContracts,
      free,
      lowPriority: true,
      run,
      claim,
    }),
  )
}
