// Keeps preapprovals going: the operator accepts what hosted parties proposed, and renews its preapprovals before they end. What it
// cannot pay now is tried again at the next poll; one that has lapsed stays so. domain/behaviour.md §6
import type { TransferPreapproval, TransferPreapprovalProposal } from '../../../generated/contracts.gen.ts'
import {
  transferPreapproval, transferPreapprovalProposal, transferPreapprovalProposalReject, walletAppInstall,
} from '../../contracts/index.ts'
import type { Contract } from '../../ledger/index.ts'
import type { Economy } from '../economy.ts'
import { micros } from '../network/initial-config.ts'
import type { ServiceTask } from '../network/task.ts'
import { acceptProposal, providedPreapproval } from './preapprovals.ts'
import type { Treasury } from './treasury/index.ts'
import { submitFor } from './wallets.ts'

/** The task of the validator's operator. */
export function preapprovalKeeper(economy: Economy, treasury: Treasury): ServiceTask {
  return {
    name: 'wallet-preapprovals',
    everyMs: economy.settings.validator.pollMs,
    run: async (signal) => {
      for (const proposal of await proposals(economy)) {
        if (signal.aborted) return
        await settle(economy, treasury, proposal)
      }
      for (const preapproval of await endingSoon(economy)) {
        if (signal.aborted) return
        await renew(economy, treasury, preapproval)
      }
    },
  }
}

/** Of hosted parties; nobody else is paid for. */
async function proposals({ reader, parties: { operator } }: Economy): Promise<readonly Contract<TransferPreapprovalProposal>[]> {
  const waiting = await reader.all(transferPreapprovalProposal, [2, operator])
  const hosted = await Promise.all(waiting.map(async ({ payload: { receiver } }) => {
    const installs = await reader.active(walletAppInstall, { key: [1, receiver] })
    return installs.some(({ payload }) => payload.validatorParty === operator)
  }))
  return waiting.filter((_, index) => hosted[index])
}

/** A receiver that has a preapproval needs no second one. */
async function settle(economy: Economy, treasury: Treasury, { id, payload }: Contract<TransferPreapprovalProposal>): Promise<void> {
  if (await providedPreapproval(economy, payload.receiver) === undefined) return void await acceptProposal(economy, treasury, id)
  await submitFor(economy, payload.receiver, { run: (tx) => tx.exercise(transferPreapprovalProposalReject, id, {}) })
}

async function endingSoon({ reader, clock, parties: { operator }, settings }: Economy): Promise<readonly Contract<TransferPreapproval>[]> {
  const now = clock.nowMicros()
  const maxRank = now + micros(settings.validator.transferPreapproval.renewalSeconds)
  const due = await reader.active(transferPreapproval, { key: [2, operator], order: 'rank', maxRank })
  return due.filter(({ payload }) => payload.expiresAt > now)
}

/** From the old end on, not from now. */
async function renew({ settings, parties }: Economy, treasury: Treasury, { id, payload }: Contract<TransferPreapproval>): Promise<void> {
  const newExpiresAt = payload.expiresAt + micros(settings.validator.transferPreapproval.preapprovalLifetimeSeconds)
  await treasury.enqueue(parties.operator, { tag: 'CO_RenewTransferPreapproval', value: { previousApprovalCid: id, newExpiresAt } })
}
