// Minting delegations of a wallet: who may mint its rewards, and whose rewards it may mint.
// domain/wire.md §2.1; domain/behaviour.md §14
import type {
  MintingDelegation,
  MintingDelegationProposal,
} from '../../../../generated/contracts.gen.ts'
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type { MintingDelegationEntry } from '../../../../generated/validator/types.gen.ts'
import {
  installChoices,
  mintingDelegation,
  mintingDelegationProposal,
} from '../../../contracts/index.ts'
import { pauseAfterLoss } from '../../../engine/index.ts'
import type { Committed, Contract, KeyedBy, Rejected, Template, Tx } from '../../../engine/index.ts'
import { contractToWire } from '../../contract-wire.ts'
import type { Economy } from '../../../economy/economy.ts'
import type { Context } from '../../reply.ts'
import { PlainError, rejectionError, treasuryError } from '../../../economy/errors.ts'
import { actedOn, lightPageOf } from './owned-contracts.ts'
import { nextPage } from '../lists.ts'
import type { PageQuery } from './owned-contracts.ts'
import { contractIdOf } from '../../../economy/parse.ts'
import type { Treasury } from '../../../economy/treasury/index.ts'
import { walletScope } from './wallet-scope.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'

type MintingHandlers = Pick<
  Handlers<Context>,
  | 'listMintingDelegationProposals'
  | 'acceptMintingDelegationProposal'
  | 'rejectMintingDelegationProposal'
  | 'withdrawMintingDelegationProposal'
  | 'listMintingDelegations'
  | 'rejectMintingDelegation'
>
type Side = 'beneficiary' | 'delegate'

const MAX_ATTEMPTS = 3

/** Handlers of all operations on minting delegations. */
export function mintingDelegationHandlers(economy: Economy, treasury: Treasury): MintingHandlers {
  const inWallet = walletScope(economy)
  const { accept, actOnProposal, actOnDelegation, list } = mintingOf(economy, treasury)
  return {
    listMintingDelegationProposals: inWallet(
      (wallet, { query }) => list(mintingDelegationProposal, wallet, query, beneficiaryOfProposal),
      ({ entries, ...more }) => ({ proposals: entries, ...nextPage(more) }),
    ),
    listMintingDelegations: inWallet(
      (wallet, { query }) =>
        list(mintingDelegation, wallet, query, ({ beneficiary }) => beneficiary),
      ({ entries, ...more }) => ({ delegations: entries, ...nextPage(more) }),
    ),
    acceptMintingDelegationProposal: inWallet(
      (wallet, { path }) => accept(wallet, contractIdOf(path.contract_id)),
      (cid) => ({ contract_id: cid }),
    ),
    rejectMintingDelegationProposal: inWallet(
      (wallet, { path }) =>
        actOnProposal(wallet, contractIdOf(path.contract_id), 'delegate', (tx, cid) =>
          tx.exercise(
            installChoices.WalletAppInstall_MintingDelegationProposal_Reject,
            wallet.install.id,
            { cid },
          ),
        ),
      nothing,
    ),
    withdrawMintingDelegationProposal: inWallet(
      (wallet, { path }) =>
        actOnProposal(wallet, contractIdOf(path.contract_id), 'beneficiary', (tx, cid) =>
          tx.exercise(
            installChoices.WalletAppInstall_MintingDelegationProposal_Withdraw,
            wallet.install.id,
            { cid },
          ),
        ),
      nothing,
    ),
    rejectMintingDelegation: inWallet(
      (wallet, { path }) =>
        actOnDelegation(wallet, contractIdOf(path.contract_id), (tx, cid) =>
          tx.exercise(installChoices.WalletAppInstall_MintingDelegation_Reject, wallet.install.id, {
            cid,
          }),
        ),
      nothing,
    ),
  }
}

type Act<R> = (tx: Tx, cid: string) => R

function mintingOf(economy: Economy, treasury: Treasury) {
  const proposalFor = (party: string, cid: string, role: Side) =>
    actedOn<MintingDelegationProposal>(economy, mintingDelegationProposal, cid, {
      what: 'minting delegation proposal',
      party,
      role,
      roleOf: ({ delegation }) => delegation[role],
      stakeholders: ({ delegation }) => partiesOf(delegation),
    })
  const run = async <R>(
    { party }: Wallet,
    cid: string,
    found: unknown,
    act: Act<R>,
  ): Promise<R | PlainError> => {
    if (found instanceof PlainError) return found
    const done = await verdictFor(economy, party, { run: (tx) => act(tx, cid) })
    return done.ok ? done.result : rejectionError(done, cid)
  }
  return {
    actOnProposal: async (wallet: Wallet, cid: string, role: Side, act: Act<unknown>) =>
      run(wallet, cid, await proposalFor(wallet.party, cid, role), act),
    actOnDelegation: async (wallet: Wallet, cid: string, act: Act<unknown>) =>
      run(
        wallet,
        cid,
        await actedOn<MintingDelegation>(economy, mintingDelegation, cid, {
          what: 'minting delegation',
          party: wallet.party,
          role: 'delegate',
          roleOf: ({ delegate }) => delegate,
          stakeholders: partiesOf,
        }),
        act,
      ),
    accept: async (wallet: Wallet, cid: string) => {
      const proposal = await proposalFor(wallet.party, cid, 'delegate')
      if (proposal instanceof PlainError) return proposal
      // In its turn, so that the second of two acceptances sees what the first has made.
      const done = await treasury.runAlone(wallet.party, () =>
        acceptProposal(economy, wallet, proposal),
      )
      return done.ok ? done.result : treasuryError(done, cid)
    },
    list: async <T>(
      template: Template<T, KeyedBy<'beneficiary' | 'delegate'>>,
      { party }: Wallet,
      query: PageQuery,
      beneficiary: (payload: T) => string,
    ) => {
      const { contracts, next } = await lightPageOf(
        economy.reader,
        [template.by('beneficiary'), template.by('delegate')],
        party,
        query,
      )
      return { entries: await entriesOf(economy, contracts, beneficiary), next }
    },
  }
}

/**
 * Takes the place of the delegation that the two have; should that end meanwhile, what is there
 * then.
 */
async function acceptProposal(
  economy: Economy,
  { party, install }: Wallet,
  { id: cid, payload }: Contract<MintingDelegationProposal>,
): Promise<Committed<string> | Rejected> {
  for (let attempt = 1; ; attempt++) {
    const existing = await economy.reader.active(mintingDelegation, {
      beneficiary: payload.delegation.beneficiary,
    })
    const existingDelegationCid =
      existing.find(({ payload: { delegate } }) => delegate === party)?.id ?? null
    const done = await verdictFor(economy, party, {
      run: (tx) =>
        tx.exercise(installChoices.WalletAppInstall_MintingDelegationProposal_Accept, install.id, {
          cid,
          existingDelegationCid,
        }).mintingDelegationCid,
    })
    const isReplaced =
      !done.ok && done.kind === 'contract-not-found' && done.contractId === existingDelegationCid
    if (!isReplaced || attempt === MAX_ATTEMPTS) return done
    await pauseAfterLoss(attempt)
  }
}

async function entriesOf<T>(
  { store, node }: Pick<Economy, 'node' | 'store'>,
  contracts: readonly Contract<T>[],
  beneficiaryOf: (payload: T) => string,
): Promise<MintingDelegationEntry[]> {
  const beneficiaries = contracts.map(({ payload }) => beneficiaryOf(payload))
  const known = await store.parties.get([...new Set(beneficiaries)])
  const here = known.filter(
    ({ isLocal, topology }) => isLocal || topology.includes(node.namespace),
  )
  const hosted = new Set(here.map(({ party }) => party))
  return contracts.map((contract, index) => ({
    contract: contractToWire(contract),
    beneficiary_hosted: hosted.has(beneficiaries[index] ?? ''),
  }))
}

function beneficiaryOfProposal({ delegation }: MintingDelegationProposal): string {
  return delegation.beneficiary
}

function partiesOf({ beneficiary, delegate }: MintingDelegation): readonly string[] {
  return [beneficiary, delegate]
}

function nothing(): undefined {
  return undefined
}
