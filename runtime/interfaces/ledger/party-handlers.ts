// The party operations of the ledger interface. docs/ledger-rules.md, "Topology" and "Rights"
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type { PartyDetails } from '../../../generated/ledger/types.gen.ts'
import type { PartyRecord } from '../../store/store.ts'
import { reasonText } from '../../errors/catalogue.ts'
import { invalidArgument } from '../../errors/errors.ts'
import type { NodeIdentity } from '../../participant/node.ts'
import type { Context, Respond } from '../reply.ts'
import { callerOf } from '../reply.ts'
import type { PartyAdmin } from '../../participant/identity/party-admin.ts'

/** Handlers of all operations on parties. */
export function partyHandlers(
  parties: PartyAdmin,
  node: NodeIdentity,
  respond: Respond,
) {
  return {
    listKnownParties: async ({ query }, context) => {
      const listing = await parties.list(callerOf(context), {
        provider: query['identity-provider-id'] ?? '',
        prefix: query['filter-party'] ?? '',
        pageSize: query.pageSize ?? 0,
        pageToken: query.pageToken ?? '',
      })
      return respond(listing, context, (page) => ({
        partyDetails: page.items.map(toWire),
        nextPageToken: page.nextPageToken,
      }))
    },
    allocateParty: async ({ body }, context) =>
      respond(await parties.allocate(callerOf(context), body), context, (party) => ({
        partyDetails: toWire(party),
      })),
    getParties: async ({ path, query }, context) => {
      const ids = [...new Set([path.party, ...(query.parties ?? [])])]
      const found = await parties.get(callerOf(context), ids, query['identity-provider-id'] ?? '')
      return respond(found, context, (records) => ({ partyDetails: records.map(toWire) }))
    },
    updatePartyDetails: async ({ path, body }, context) => {
      const { party, localMetadata, identityProviderId = '' } = body.partyDetails
      const meta = {
        annotations: localMetadata?.annotations,
        resourceVersion: localMetadata?.resourceVersion ?? '',
      }
      const update = { meta, provider: identityProviderId, maskPaths: body.updateMask.paths ?? [] }
      const mismatch = reasonText('partyMismatch', { path: path.party, body: `Some(${party})` })
      const updated =
        path.party === party
          ? await parties.update(callerOf(context), party, update)
          : invalidArgument(mismatch, { shape: 'proxy' })
      return respond(updated, context, (record) => ({ partyDetails: toWire(record) }))
    },
    getParticipantId: () => ({ status: 200, body: { participantId: node.participantUid } }),
    generateExternalPartyTopology: async ({ body }, context) => {
      const topology = await parties.generateExternal(body)
      return respond(
        topology,
        context,
        ({ partyId, publicKeyFingerprint, topologyTransactions, multiHash }) => ({
          partyId,
          publicKeyFingerprint,
          topologyTransactions: topologyTransactions.map(base64),
          multiHash: base64(multiHash),
        }),
      )
    },
    allocateExternalParty: async ({ body }, context) =>
      respond(await parties.allocateExternal(callerOf(context), body), context, ({ party }) => ({
        partyId: party,
      })),
  } satisfies Partial<Handlers<Context>>
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function toWire({
  party,
  isLocal,
  resourceVersion,
  annotations,
  identityProviderId,
}: PartyRecord): PartyDetails {
  return {
    party,
    isLocal,
    identityProviderId,
    localMetadata: { resourceVersion: resourceVersion.toString(), annotations: { ...annotations } },
  }
}
