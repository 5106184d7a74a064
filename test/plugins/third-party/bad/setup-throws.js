// Gives up while it is set up.
import { definePlugin } from 'ledgerwright'

/** @type {import('ledgerwright').StandardSchemaV1} */
const options = { '~standard': { version: 1, vendor: 'acme', validate: (value) => ({ value }) } }

export default definePlugin({
  kind: 'extension',
  name: 'gives-up',
  options,
  setup: () => {
    throw new Error('the lamp is broken')
  },
})
