// Contracts in process, on SQLite.
import { runOn } from './in-process.ts'

await runOn('sqlite', 'contracts in process', 'contracts')
