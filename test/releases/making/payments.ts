// What happened: every kind of payment and how it can end, preapprovals, delegations, traffic,
// rewards. The automations are on.
import { eventually } from '../../support/eventually.ts'
import { prepareAccept, propose, readToSign, submissionOf } from '../../external/kit.ts'
import type { External } from '../../external/kit.ts'
import { signaturesOf } from '../../interfaces/ledger-kit.ts'
import { at, listAt, textAt } from '../client.ts'
import { holderOf } from '../keys.ts'
import { create, FAR, FAR_MICROS, idOf } from './making.ts'
import type { Acting, Making } from './making.ts'
import { OPERATOR } from './people.ts'

const EXTERNAL = '/v0/admin/external-party'
export const DELEGATION_PROPOSAL =
  'network-wallet:Network.Wallet.MintingDelegation:MintingDelegationProposal'

interface Terms {
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly id: string
}

/** A legacy offer; answers its contract. */
export async function offer(making: Acting, { from, to, amount, id }: Terms): Promise<string> {
  const body = {
    receiver_party_id: idOf(making, to),
    amount,
    description: `offer ${id}`,
    expires_at: FAR_MICROS,
    tracking_id: id,
  }
  const line = 'POST /v0/wallet/transfer-offers'
  making.kept.repeated.push({ user: from, line, body })
  return textAt(await making.done(from, line, body), 'offer_contract_id')
}

/** An offer that is accepted and completed. */
export async function payByOffer(making: Acting, terms: Terms): Promise<void> {
  const { done } = making
  await done(terms.to, `POST /v0/wallet/transfer-offers/${await offer(making, terms)}/accept`)
  await eventually('completed', async () =>
    at(await done(terms.from, `POST /v0/wallet/transfer-offers/${terms.id}/status`), 'status'),
  )
}

/** A transfer of the token standard that waits; answers its instruction. */
export async function transfer(making: Acting, { from, to, amount, id }: Terms): Promise<string> {
  const body = {
    receiver_party_id: idOf(making, to),
    amount,
    description: `transfer ${id}`,
    expires_at: FAR_MICROS,
    tracking_id: id,
  }
  return textAt(
    await making.done(from, 'POST /v0/wallet/token-standard/transfers', body),
    'output',
    'transfer_instruction_cid',
  )
}

/** A payment by the receiver's preapproval. */
export async function send(making: Acting, { from, to, amount, id }: Terms): Promise<void> {
  const body = {
    receiver_party_id: idOf(making, to),
    amount,
    deduplication_id: id,
    description: `send ${id} 😀`,
  }
  await making.done(from, 'POST /v0/wallet/transfer-preapproval/send', body)
}

/** Coin from nowhere, worth so many USD. */
export async function tap({ done }: Acting, user: string, amount: string): Promise<void> {
  await done(user, 'POST /v0/wallet/tap', { amount, command_id: `tap-${user}` })
}

/** Everybody has some coin, also those who are about to lose their wallets. */
export async function tapAll(making: Acting): Promise<void> {
  const amounts = {
    carol: '7.77',
    dave: '0.01',
    dan: '3.1415926535',
    erin: '2.7182818284',
    frank: '1',
    grace: '5',
    heidi: '9',
    ivan: '4.2',
    judy: '6',
  }
  for (const [user, amount] of Object.entries(amounts)) await tap(making, user, amount)
}

/**
 * Offers and transfers that came to each of their ends, and payments by preapproval, more than a
 * page of a history holds.
 */
export async function pay(making: Acting): Promise<void> {
  const { done } = making
  for (const user of ['bob', 'carol', 'ivan', 'grace'])
    await done(user, 'POST /v0/wallet/transfer-preapproval')
  const act = (user: string, kind: string, id: string, what: string): Promise<unknown> =>
    done(user, `POST /v0/wallet/${kind}/${id}/${what}`)
  await payByOffer(making, { from: 'alice', to: 'bob', amount: '120', id: 'flat' })
  await act(
    'bob',
    'transfer-offers',
    await offer(making, { from: 'alice', to: 'bob', amount: '1', id: 'refused' }),
    'reject',
  )
  await act(
    'alice',
    'transfer-offers',
    await offer(making, { from: 'alice', to: 'bob', amount: '2', id: 'taken-back' }),
    'withdraw',
  )
  const standard = 'token-standard/transfers'
  await act(
    'alice',
    standard,
    await transfer(making, { from: 'bob', to: 'alice', amount: '48.5', id: 'tickets' }),
    'accept',
  )
  await act(
    'alice',
    standard,
    await transfer(making, { from: 'bob', to: 'alice', amount: '1000', id: 'no-thanks' }),
    'reject',
  )
  await act(
    'bob',
    standard,
    await transfer(making, { from: 'bob', to: 'alice', amount: '75.25', id: 'too-much' }),
    'withdraw',
  )
  await send(making, { from: 'alice', to: 'grace', amount: '3.1415926535', id: 'lunch' })
  for (let number = 1; number <= 12; number += 1)
    await send(making, {
      from: 'alice',
      to: 'bob',
      amount: `${number}.0000000001`,
      id: `rent-${number}`,
    })
  await send(making, { from: 'grace', to: 'carol', amount: '0.5', id: 'pocket-money' })
}

/** Traffic that a user bought, and coin for the name that it goes under. */
export async function buyTraffic(
  { done, network: { operator, synchronizer } }: Making,
  id: string,
): Promise<void> {
  await done('alice', 'POST /v0/wallet/buy-traffic-requests', {
    receiving_validator_party_id: operator,
    domain_id: synchronizer,
    traffic_amount: 250_000,
    tracking_id: id,
    expires_at: FAR_MICROS,
  })
}

/** The signer for a party of this script. */
export function outsider(making: Acting, name: string): External {
  const party = idOf(making, name)
  return { party, holder: holderOf(making.kept.partyKeys[party] ?? '') }
}

/** Gives an external party its preapproval. */
export async function setUpOutsider(making: Acting, name: string): Promise<void> {
  const external = outsider(making, name)
  const prepared = await prepareAccept(making, external, await propose(making, external))
  await making.done(
    OPERATOR,
    `POST ${EXTERNAL}/setup-proposal/submit-accept`,
    submissionOf(external, prepared),
  )
}

/** An external party orders a payment; its delegate carries that out. */
export async function order(
  making: Acting,
  sender: string,
  terms: Pick<Terms, 'to' | 'amount'> & { readonly nonce: number },
): Promise<void> {
  const external = outsider(making, sender)
  const body = {
    sender_party_id: external.party,
    receiver_party_id: idOf(making, terms.to),
    amount: terms.amount,
    nonce: terms.nonce,
    expires_at: FAR,
    description: `order ${terms.nonce}`,
  }
  const prepared = readToSign(
    await making.done(OPERATOR, `POST ${EXTERNAL}/transfer-preapproval/prepare-send`, body),
  )
  await making.done(
    OPERATOR,
    `POST ${EXTERNAL}/transfer-preapproval/submit-send`,
    submissionOf(external, prepared),
  )
}

/** The nonce of a party's next order, by scan; undefined while it has no counter. */
export async function nextNonce(making: Acting, name: string): Promise<unknown> {
  const { status, json } = await making.ask(
    '',
    `GET /api/scan/v0/transfer-command-counter/${encodeURIComponent(idOf(making, name))}`,
  )
  return status === 404
    ? undefined
    : at(json, 'transfer_command_counter', 'contract', 'payload', 'nextNonce')
}

/** An external party proposes that a user mints for it, by a transaction that it signs itself. */
export async function proposeMinting(
  making: Making,
  name: string,
  delegate: string,
): Promise<void> {
  const {
    done,
    network: { dso },
  } = making
  const { party, holder } = outsider(making, name)
  const delegation = {
    beneficiary: party,
    delegate: idOf(making, delegate),
    dso,
    expiresAt: FAR,
    coinMergeLimit: '10',
  }
  const prepared = await done('executor', 'POST /v2/interactive-submission/prepare', {
    commandId: `minting-${name}-${delegate}`,
    actAs: [party],
    commands: [create(DELEGATION_PROPOSAL, { delegation })],
  })
  await done('executor', 'POST /v2/interactive-submission/executeAndWait', {
    preparedTransaction: at(prepared, 'preparedTransaction'),
    hashingSchemeVersion: at(prepared, 'hashingSchemeVersion'),
    submissionId: `minting-${name}`,
    partySignatures: {
      signatures: [
        signaturesOf({ party, holders: [holder] }, textAt(prepared, 'preparedTransactionHash'), [
          holder,
        ]),
      ],
    },
  })
}

/** Accepts the one proposal that a user has. */
export async function acceptMinting({ done }: Acting, delegate: string): Promise<void> {
  const [proposal] = listAt(
    await done(delegate, 'GET /v0/wallet/minting-delegation-proposals'),
    'proposals',
  )
  const id = textAt(proposal, 'contract', 'contract_id')
  await done(delegate, `POST /v0/wallet/minting-delegation-proposals/${id}/accept`, {})
}
