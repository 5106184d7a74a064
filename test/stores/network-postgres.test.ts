// The engine, the network's keepers, scan and interactive submission in process, on PostgreSQL.
import { runOn } from './in-process.ts'

await runOn('postgres', 'in process', 'ledger', 'network', 'scan', 'interfaces')
