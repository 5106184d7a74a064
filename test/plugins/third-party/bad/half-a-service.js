// Returns a service that lacks what its kind needs; whoever checks types is told so.
import { definePlugin } from 'ledgerwright'

/** @type {import('ledgerwright').StandardSchemaV1} */
const options = { '~standard': { version: 1, vendor: 'acme', validate: (value) => ({ value }) } }

// @ts-expect-error -- no authenticate
export default definePlugin({ kind: 'auth', name: 'half', options, setup: () => ({}) })
