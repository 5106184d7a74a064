// Wallets, automations, external parties and the registry of a network in process, on PostgreSQL.
import { runOn } from './in-process.ts'

await runOn('postgres', 'in process', 'wallet', 'automations', 'registry', 'external')
