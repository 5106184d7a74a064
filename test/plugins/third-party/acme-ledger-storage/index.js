// A storage plugin of another house, as a package: one JSON file.
import { resolve } from 'node:path'
import { definePlugin } from 'ledgerwright'
import { openJsonStore } from './json-store.js'

/** @type {import('ledgerwright').StandardSchemaV1<unknown, { file: string }>} */
const options = {
  '~standard': {
    version: 1,
    vendor: 'acme',
    validate: (given) => {
      const file =
        typeof given === 'object' && given !== null && 'file' in given ? given.file : undefined
      if (typeof file === 'string') return { value: { file } }
      return { issues: [{ message: 'must be a text', path: ['file'] }] }
    },
  },
}

export default definePlugin({
  kind: 'storage',
  name: 'acme-json',
  options,
  setup: (host, { file }) => {
    const location = resolve(host.dataDir, file)
    const store = openJsonStore(location)
    return { store, location, stop: () => store.close() }
  },
})
