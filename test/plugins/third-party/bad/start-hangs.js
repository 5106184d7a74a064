// Never finishes its start, and keeps the event loop busy.
import { definePlugin } from 'ledgerwright'

/** @type {import('ledgerwright').StandardSchemaV1} */
const options = { '~standard': { version: 1, vendor: 'acme', validate: (value) => ({ value }) } }

export default definePlugin({
  kind: 'extension',
  name: 'hangs',
  options,
  setup: () => ({
    start: () =>
      new Promise(() => {
        setInterval(() => {}, 1_000)
      }),
  }),
})
