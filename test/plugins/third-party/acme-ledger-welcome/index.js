// Welcomes each new wallet with some coin, offered by the operator: once, however often this runs.
import { defineAutomation, entityOf, forEachOf, offerStatus } from 'ledgerwright/economy'
import { parseDecimal, submitFor, transferOffer, walletAppInstall } from 'ledgerwright/economy'
import { z } from 'zod'

export default defineAutomation({
  name: 'welcome',
  options: z.strictObject({
    coins: z.string().transform((text) => parseDecimal(text) ?? z.NEVER),
    everyMs: z.int().default(60_000),
  }),
  setup: (_host, { coins: amount, everyMs }) => ({
    trigger: { everyMs, onCreated: [entityOf(walletAppInstall.type.id)] },
    run: async ({ economy, signal }) => {
      const { operator: sender, dso } = economy.parties
      const installs = await economy.reader.all(walletAppInstall)
      await forEachOf(installs, 8, signal, async ({ payload: { endUserParty: receiver } }) => {
        const trackingId = `welcome ${receiver}`
        if (receiver === sender || (await offerStatus(economy.store, sender, trackingId))) return
        const expiresAt = economy.clock.nowMicros() + 604_800_000_000n
        const terms = { sender, receiver, dso, description: 'Welcome', expiresAt, trackingId }
        await submitFor(economy, sender, {
          commandId: trackingId,
          run: (tx) => tx.create(transferOffer, { ...terms, amount: { amount, unit: 'CoinUnit' } }),
        })
      })
    },
  }),
})
