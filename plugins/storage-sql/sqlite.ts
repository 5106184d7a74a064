// Storage in one SQLite file: the default, needs no server.
import { resolve } from 'node:path'
import { z } from 'zod'
import { definePlugin } from '../../runtime/index.ts'
import { openSqlStore } from './open.ts'

export { openSqlStore }

export default definePlugin({
  kind: 'storage',
  name: 'sqlite',
  options: z.strictObject({ file: z.string().min(1).optional() }),
  setup: async (host, options) => {
    const file = resolve(host.dataDir, options.file ?? 'ledgerwright.sqlite')
    const store = await openSqlStore({ dialect: 'sqlite', file })
    return { store, location: file, stop: () => store.close() }
  },
})
