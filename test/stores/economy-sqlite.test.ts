// Wallets, automations, external parties and the registry of a network in process, on SQLite.
import { runOn } from './in-process.ts'

await runOn('sqlite', 'in process', 'wallet', 'automations', 'registry', 'external')
