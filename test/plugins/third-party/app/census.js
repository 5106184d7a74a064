// An automation of another house: says how many users there are.
import { definePlugin } from 'ledgerwright'

/** @type {import('ledgerwright').StandardSchemaV1<unknown, { everyMs: number }>} */
const options = {
  '~standard': {
    version: 1,
    vendor: 'acme',
    validate: (given) => {
      const everyMs =
        typeof given === 'object' && given !== null && 'everyMs' in given
          ? given.everyMs
          : undefined
      return typeof everyMs === 'number'
        ? { value: { everyMs } }
        : { issues: [{ message: 'must be a number' }] }
    },
  },
}

export default definePlugin({
  kind: 'automation',
  name: 'census',
  options,
  setup: (_host, { everyMs }) => ({
    trigger: { everyMs },
    run: async ({ store, log }) => {
      const users = await store.users.list({ identityProviderId: '', after: '', limit: 100 })
      log.info({ users: users.length }, 'census')
    },
  }),
})
