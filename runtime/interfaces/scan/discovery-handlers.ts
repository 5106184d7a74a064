// What a client asks before it knows a network: where its scans and sequencers are, and how much of
// its history is there. The ledger is this service's own, so there is little to discover.
// spec/scan.yaml
import type { Handlers } from '../../../generated/scan/handlers.gen.ts'
import type { GetMigrationInfoResponse } from '../../../generated/scan/types.gen.ts'
import type { Economy } from '../../economy/economy.ts'
import { answer, notFound } from '../../economy/errors.ts'
import type { PlainError } from '../../economy/errors.ts'
import { timeText } from '../../participant/time.ts'
import type { Context } from '../reply.ts'

/** Handlers of scans, sequencers and the extent of the history. */
export function discoveryHandlers(
  economy: Pick<Economy, 'node' | 'settings' | 'store'>,
) {
  const {
    node: { synchronizerId: domainId },
    settings: {
      network: { scanUrl: publicUrl, svName },
    },
  } = economy
  return {
    listDsoScans: () => ({
      status: 200,
      body: { scans: [{ domainId, scans: [{ publicUrl, svName }] }] },
    }),
    listDsoSequencers: () => ({
      status: 200,
      body: { domainSequencers: [{ domainId, sequencers: [] }] },
    }),
    listSvBftSequencers: () => ({ status: 200, body: { bftSequencers: [] } }),
    getRollForwardLsu: () => ({ status: 200, body: {} }),
    getBackfillingStatus: async () => ({ status: 200, body: { complete: await isWhole(economy) } }),
    getMigrationInfo: async ({ body }) =>
      answer(await migrationInfo(economy, body.migration_id), (info) => info),
  } satisfies Partial<Handlers<Context>>
}

/** Whether no update was pruned. */
async function isWhole({ store }: Pick<Economy, 'store'>): Promise<boolean> {
  return (await store.updates.prunedUpTo()).participant === 0n
}

/** The one migration that is told of; 404 for others. */
async function migrationInfo(
  economy: Pick<Economy, 'node' | 'settings' | 'store'>,
  migrationId: bigint,
): Promise<GetMigrationInfoResponse | PlainError> {
  const { node, settings, store } = economy
  if (migrationId !== BigInt(settings.network.migrationId))
    return notFound(`Migration ${migrationId} is not known`)
  const [oldest] = await store.contracts.updatesAfter(0n, 1)
  const { recordTime: newest } = await store.contracts.ledgerEnd()
  const range = {
    synchronizer_id: node.synchronizerId,
    min: timeText(oldest?.recordTime ?? newest),
    max: timeText(newest),
  }
  return {
    record_time_range: oldest === undefined ? [] : [range],
    complete: await isWhole(economy),
    import_updates_complete: true,
  }
}
