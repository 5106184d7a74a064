// The operator's operations for external parties, but their balance, which is one of holdings.
// docs/economy-rules.md, "External parties"
import { randomBytes } from 'node:crypto'
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type { Economy } from '../../../economy/economy.ts'
import { createInteractive, NONCE_BYTES } from '../../../participant/interactive/interactive.ts'
import type { WireWords } from '../../../participant/interactive/wire-words.ts'
import type { Cohosting } from '../../../participant/identity/cohosting.ts'
import type { Context } from '../../reply.ts'
import { answer } from '../../../economy/errors.ts'
import type { Treasury } from '../../../economy/treasury/index.ts'
import { nextPage } from '../../pages.ts'
import { prepareSend, submitSend } from './send.ts'
import { openProposals, prepareAccept, proposeSetup, submitAccept } from './setup.ts'
import { generateTopology, submitTopology } from './topology.ts'

interface ExternalPartyParts {
  readonly economy: Economy
  readonly treasury: Treasury
  /** Absent where no other node is on the ledger. */
  readonly cohosting: Cohosting
  readonly words: WireWords
}

/** Handlers of topology, setup and sending. */
export function externalPartyHandlers({
  economy,
  treasury,
  cohosting,
  words,
}: ExternalPartyParts) {
  const { engine, store, clock } = economy
  const interactive = createInteractive({
    engine,
    store,
    clock,
    newNonce: () => randomBytes(NONCE_BYTES),
    words,
  })
  const services = { economy, interactive, words }
  return {
    generateExternalPartyTopology: ({ body }) => answer(generateTopology(economy, body), asItIs),
    submitExternalPartyTopology: async ({ body }) =>
      answer(await submitTopology({ economy, cohosting }, body), (partyId) => ({
        party_id: partyId,
      })),
    createExternalPartySetupProposal: async ({ body }) =>
      answer(await proposeSetup(economy, treasury, body.user_party_id), (cid) => ({
        contract_id: cid,
      })),
    listExternalPartySetupProposals: async ({ query }, { signal }) =>
      answer(await openProposals(economy, { ...query, signal }), ({ contracts, ...more }) => ({
        contracts,
        ...nextPage(more),
      })),
    prepareAcceptExternalPartySetupProposal: async ({ body }) =>
      answer(await prepareAccept(services, body), asItIs),
    submitAcceptExternalPartySetupProposal: async ({ body }) =>
      answer(await submitAccept(services, body.submission), asItIs),
    prepareTransferPreapprovalSend: async ({ body }) =>
      answer(await prepareSend(services, body), asItIs),
    submitTransferPreapprovalSend: async ({ body }) =>
      answer(await submitSend(services, body.submission), asItIs),
  } satisfies Partial<Handlers<Context>>
}

function asItIs<T>(body: T): T {
  return body
}
