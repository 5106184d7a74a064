// An extension of another house: a page that shows how the automations fare.
import { definePlugin } from 'ledgerwright'

/** @type {import('ledgerwright').StandardSchemaV1<unknown, object>} */
const options = { '~standard': { version: 1, vendor: 'acme', validate: () => ({ value: {} }) } }

export default definePlugin({
  kind: 'extension',
  name: 'board',
  options,
  setup: (host) => ({
    mount: (router) => {
      router.get('/acme/board', async (context) => {
        const health = await host.health?.()
        context.body = health?.plugins.map(({ plugin, status, automation }) => {
          return { plugin, status, runs: automation?.runs }
        })
      })
    },
  }),
})
