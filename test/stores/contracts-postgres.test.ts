// Contracts in process, on PostgreSQL.
import { runOn } from './in-process.ts'

await runOn('postgres', 'contracts in process', 'contracts')
