// Minting delegations of a wallet: who may mint its rewards, and whose rewards it may mint.
import type {
  MintingDelegation,
  MintingDelegationProposal,
} from '../../../../generated/contracts.gen.ts'
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type {
  Contract as WireContract,
  MintingDelegationEntry,
} from '../../../../generated/validator/types.gen.ts'
import {
  installChoices,
  mintingDelegation,
  mintingDelegationProposal,
} from '../../../contracts/index.ts'
import { pauseAfterLoss } from '../../../engine/index.ts'
import type { Committed, Contract, KeyedBy, Rejected, Template } from '../../../engine/index.ts'
import { contractToWire } from '../../contract-wire.ts'
import type { Economy } from '../../../economy/economy.ts'
import type { Context } from '../../reply.ts'
import { PlainError, treasuryError } from '../../../economy/errors.ts'
import { listed, underKeys } from '../lists.ts'
import type { ListQuery } from '../lists.ts'
import { contractFor, listBody, walletActs, walletScope } from './operations.ts'
import type { Subject } from './operations.ts'
import { contractIdOf } from '../../../economy/parse.ts'
import type { Treasury } from '../../../economy/treasury/index.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'

const MAX_ATTEMPTS = 3

const partiesOf = ({ beneficiary, delegate }: MintingDelegation) => ({ beneficiary, delegate })

const PROPOSAL: Subject<MintingDelegationProposal> = {
  template: mintingDelegationProposal,
  what: 'minting delegation proposal',
  parties: ({ delegation }) => partiesOf(delegation),
}

const DELEGATION: Subject<MintingDelegation> = {
  template: mintingDelegation,
  what: 'minting delegation',
  parties: partiesOf,
}

/** Handlers of all operations on minting delegations. */
export function mintingDelegationHandlers(economy: Economy, treasury: Treasury) {
  const inWallet = walletScope(economy)
  const { ending } = walletActs(economy)
  const list = async <T>(
    template: Template<T, KeyedBy<'beneficiary' | 'delegate'>>,
    { party }: Wallet,
    query: ListQuery,
    delegationOf: (payload: T) => MintingDelegation,
  ) => {
    const keys = [template.by('beneficiary'), template.by('delegate')]
    const read = underKeys(economy.reader, keys, party)
    const { contracts, ...more } = await listed(
      economy,
      read,
      (contract) => ({
        contract: contractToWire(contract),
        beneficiary: delegationOf(contract.payload).beneficiary,
      }),
      query,
    )
    return { contracts: await entriesOf(economy, contracts), ...more }
  }
  return {
    listMintingDelegationProposals: inWallet(
      (wallet, { query }, { signal }) =>
        list(
          mintingDelegationProposal,
          wallet,
          { ...query, signal },
          ({ delegation }) => delegation,
        ),
      (found) => listBody('proposals', found),
    ),
    listMintingDelegations: inWallet(
      (wallet, { query }, { signal }) =>
        list(mintingDelegation, wallet, { ...query, signal }, (delegation) => delegation),
      (found) => listBody('delegations', found),
    ),
    acceptMintingDelegationProposal: inWallet(
      (wallet, { path }) => accept({ economy, treasury }, wallet, contractIdOf(path.contract_id)),
      (cid) => ({ contract_id: cid }),
    ),
    rejectMintingDelegationProposal: ending(
      PROPOSAL,
      'delegate',
      installChoices.WalletAppInstall_MintingDelegationProposal_Reject,
    ),
    withdrawMintingDelegationProposal: ending(
      PROPOSAL,
      'beneficiary',
      installChoices.WalletAppInstall_MintingDelegationProposal_Withdraw,
    ),
    rejectMintingDelegation: ending(
      DELEGATION,
      'delegate',
      installChoices.WalletAppInstall_MintingDelegation_Reject,
    ),
  } satisfies Partial<Handlers<Context>>
}

/** Accepts in its turn, so that the second of two acceptances sees what the first has made. */
async function accept(
  { economy, treasury }: { readonly economy: Economy; readonly treasury: Treasury },
  wallet: Wallet,
  cid: string,
): Promise<string | PlainError> {
  const proposal = await contractFor(economy, wallet.party, PROPOSAL, cid, 'delegate')
  if (proposal instanceof PlainError) return proposal
  const done = await treasury.runAlone(wallet.party, () =>
    acceptProposal(economy, wallet, proposal),
  )
  return done.ok ? done.result : treasuryError(done, cid)
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

async function entriesOf(
  { store, node }: Pick<Economy, 'node' | 'store'>,
  listedOnes: readonly { readonly contract: WireContract; readonly beneficiary: string }[],
): Promise<MintingDelegationEntry[]> {
  const beneficiaries = listedOnes.map(({ beneficiary }) => beneficiary)
  const known = await store.parties.get([...new Set(beneficiaries)])
  const here = known.filter(({ isLocal, topology }) => isLocal || topology.includes(node.namespace))
  const hosted = new Set(here.map(({ party }) => party))
  return listedOnes.map(({ contract, beneficiary }) => ({
    contract,
    beneficiary_hosted: hosted.has(beneficiary),
  }))
}
