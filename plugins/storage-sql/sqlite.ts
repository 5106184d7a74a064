// Storage in one SQLite file: the default, needs no server.
import { resolve } from 'node:path'
import { z } from 'zod'
import { definePlugin, keepPrivate } from '../../runtime/index.ts'
import { openSqlStore } from './open.ts'
import { filesOf } from './sqlite-file.ts'
import { joinServers } from './sqlite-servers.ts'
import type { Membership } from './sqlite-servers.ts'
import type { PluginContext } from '../../runtime/index.ts'

export { openSqlStore }

// Outside of the definition, since the compiler leaves the file's name as it is within it.
const maintenance = () => import('./sqlite-maintenance.ts')

/** Keeps everything in a file in the data folder. */
export default definePlugin({
  kind: 'storage',
  name: 'sqlite',
  options: z.strictObject({ file: z.string().min(1).optional() }),
  setup: async (host, options) => {
    const file = fileOf(host, options)
    // Before it is opened: what SQLite writes beside it gets its mode.
    keepPrivate(filesOf(file), host.log)
    const store = await openSqlStore({ dialect: 'sqlite', file }, host.spans)
    let membership: Membership | undefined
    return {
      store,
      location: file,
      join: () => {
        try {
          membership = joinServers(file)
        } catch (error) {
          host.log.warn({ err: error }, 'cannot find out whether other servers use this file')
        }
        return membership?.others ?? []
      },
      stop: async () => {
        membership?.leave()
        await store.close()
      },
    }
  },
  maintain: async (host, options) => {
    const { sqliteMaintenance } = await maintenance()
    return sqliteMaintenance(fileOf(host, options))
  },
})

function fileOf(
  { dataDir }: PluginContext,
  { file }: { readonly file?: string | undefined },
): string {
  return resolve(dataDir, file ?? 'ledgerwright.sqlite')
}
