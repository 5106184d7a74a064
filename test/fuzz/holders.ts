// Keys that are held outside: they sign what the service prepares, so that requests which need a
// signature get through.
import { member } from '../../runtime/host/member.ts'
import { rawKey, readToSign, signedTopology, submissionOf } from '../external/kit.ts'
import type { Dice } from '../drive/dice.ts'
import { newHolder, publicKeyOf, signatureOf } from '../support/topology-reference.ts'
import type { Holder } from '../support/topology-reference.ts'
import type { Memory } from './memory.ts'

const SPECS = [
  'EC_CURVE25519',
  'EC_CURVE25519',
  'EC_CURVE25519',
  'EC_CURVE25519',
  'EC_P256',
  'EC_SECP256K1',
] as const
/** Use of a signed body. */
export type Purpose = 'execution' | 'allocation' | 'topology' | 'accept' | 'send'

export class Holders {
  readonly #all: readonly Holder[] = SPECS.map((spec) => newHolder(spec))

  any(dice: Dice): Holder {
    return dice.pick(this.#all)
  }

  /** One whose key the validator's operations take. */
  simple(dice: Dice): Holder {
    return dice.pick(this.#all.slice(0, 4))
  }

  /** The holder who signs for a party: its id ends with the key's fingerprint. */
  of(party: string): Holder | undefined {
    return this.#all.find(({ fingerprint }) => party.endsWith(`::${fingerprint}`))
  }

  /**
   * Signs what an operation has prepared, for the operation that takes it back; `body` is that of
   * the request.
   */
  sign(operation: string, body: unknown, answer: unknown, memory: Memory): void {
    switch (operation) {
      case 'ledger prepareSubmission':
        return this.#signExecution(body, answer, memory)
      case 'ledger generateExternalPartyTopology':
        return this.#signAllocation(body, answer, memory)
      case 'validator generateExternalPartyTopology':
        return this.#signTopology(body, answer, memory)
      case 'validator prepareAcceptExternalPartySetupProposal':
        return this.#signSubmission('accept', member(body, 'user_party_id'), answer, memory)
      case 'validator prepareTransferPreapprovalSend':
        return this.#signSubmission('send', member(body, 'sender_party_id'), answer, memory)
    }
  }

  #signExecution(body: unknown, answer: unknown, memory: Memory): void {
    const parties = listOf(member(body, 'actAs')).map(String)
    const hash = Buffer.from(String(member(answer, 'preparedTransactionHash')), 'base64').toString(
      'hex',
    )
    const signatures = parties.flatMap((party) => {
      const holder = this.of(party)
      return holder === undefined ? [] : [{ party, signatures: [signatureOf(holder, hash)] }]
    })
    memory.noteSigned('execution', {
      preparedTransaction: member(answer, 'preparedTransaction'),
      hashingSchemeVersion: member(answer, 'hashingSchemeVersion'),
      submissionId: `s-${memory.next()}`,
      partySignatures: { signatures },
    })
  }

  #signAllocation(body: unknown, answer: unknown, memory: Memory): void {
    const holder = this.#all.find(
      (one) => publicKeyOf(one).keyData === member(member(body, 'publicKey'), 'keyData'),
    )
    const hash = Buffer.from(String(member(answer, 'multiHash')), 'base64').toString('hex')
    if (holder === undefined) return
    memory.noteSigned('allocation', {
      synchronizer: member(body, 'synchronizer'),
      multiHashSignatures: [signatureOf(holder, hash)],
      onboardingTransactions: listOf(member(answer, 'topologyTransactions')).map((transaction) => ({
        transaction,
      })),
    })
  }

  #signTopology(body: unknown, answer: unknown, memory: Memory): void {
    const holder = this.#all.find((one) => rawKey(one) === member(body, 'public_key'))
    if (holder === undefined) return
    const transactions = listOf(member(answer, 'topology_txs')).map((one) => ({
      topology_tx: String(member(one, 'topology_tx')),
      hash: String(member(one, 'hash')),
    }))
    memory.noteSigned(
      'topology',
      signedTopology({ party: String(member(answer, 'party_id')), transactions }, holder),
    )
  }

  #signSubmission(purpose: Purpose, party: unknown, answer: unknown, memory: Memory): void {
    const holder = this.of(String(party))
    if (holder !== undefined)
      memory.noteSigned(purpose, submissionOf({ party: String(party), holder }, readToSign(answer)))
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
