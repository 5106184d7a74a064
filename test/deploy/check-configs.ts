// A process that checks several configurations, as `ledgerwright config check` does each: loading
// the plugins five times would take as many seconds.
import { checkConfig } from '../../runtime/cli/config-commands.ts'

for (const config of process.argv.slice(2)) await checkConfig({ config })
