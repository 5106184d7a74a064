// Is put where another kind belongs.
import { definePlugin } from 'ledgerwright'

/** @type {import('ledgerwright').StandardSchemaV1} */
const options = { '~standard': { version: 1, vendor: 'acme', validate: (value) => ({ value }) } }

export default definePlugin({ kind: 'extension', name: 'wrong-place', options, setup: () => ({}) })
