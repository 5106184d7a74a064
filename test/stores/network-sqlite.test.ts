// The engine, the network's keepers, scan and interactive submission in process, on SQLite.
import { runOn } from './in-process.ts'

await runOn('sqlite', 'in process', 'ledger', 'network', 'scan', 'interfaces')
