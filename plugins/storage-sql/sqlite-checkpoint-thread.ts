// The thread of `sqlite-checkpoints.ts`: copies the log into the file on a connection of its own,
// which neither waits for the writer nor makes it wait.
import { parentPort, workerData } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import type { Asked } from './sqlite-checkpoints.ts'

const connection = new SqliteDatabase(String(workerData), { fileMustExist: true, timeout: 0 })
connection.pragma('synchronous = FULL')

parentPort?.on('message', (asked: Asked) => {
  if (asked === 'copy') connection.pragma('wal_checkpoint(PASSIVE)')
  else {
    connection.close()
    parentPort?.close()
  }
})
