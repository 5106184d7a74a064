// Welcomes each new wallet with some coin, offered by the operator: once, however often this runs.
import {
  defineAutomation,
  entityOf,
  forEachOf,
  offerStatus,
  parseDecimal,
  submitFor,
  transferOffer,
  walletAppInstall,
} from 'ledgerwright/economy'
import { z } from 'zod'

const WEEK_MICROS = 604_800_000_000n

export default defineAutomation({
  name: 'welcome',
  options: z.strictObject({
    coins: z.string().transform((text) => parseDecimal(text) ?? z.NEVER),
    everyMs: z.int().default(60_000),
  }),
  setup: (_host, { coins, everyMs }) => {
    /**
     * @type {(parties: readonly string[], run: import('ledgerwright/economy').EconomyRun) =>
     *   Promise<void>}
     */
    const welcome = (parties, { economy, log, signal }) =>
      forEachOf(parties, 8, signal, async (receiver) => {
        const {
          parties: { operator: sender, dso },
          store,
          clock,
        } = economy
        const trackingId = `welcome ${receiver}`
        if (receiver === sender || (await offerStatus(store, sender, trackingId)) !== undefined)
          return
        const expiresAt = clock.nowMicros() + WEEK_MICROS
        const amount = { amount: coins, unit: /** @type {const} */ ('CoinUnit') }
        const offer = {
          sender,
          receiver,
          dso,
          amount,
          description: 'Welcome',
          expiresAt,
          trackingId,
        }
        const done = await submitFor(economy, sender, {
          commandId: trackingId,
          run: (tx) => tx.create(transferOffer, offer),
        })
        if (done.ok) log.info({ receiver }, 'welcomed')
      })
    return {
      trigger: { everyMs, onCreated: [entityOf(walletAppInstall.type.id)] },
      runFor: (installs, run) =>
        welcome(
          installs.map((install) => walletAppInstall.keysOf(install).endUserParty),
          run,
        ),
      run: async (run) =>
        welcome(
          (await run.economy.reader.all(walletAppInstall)).map(
            ({ payload }) => payload.endUserParty,
          ),
          run,
        ),
    }
  },
})
